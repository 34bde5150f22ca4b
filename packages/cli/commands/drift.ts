import type { Command } from 'commander';
import type { Drift } from '../../../lambdas/declared/drift.ts';
import { openContext } from '../command-context.ts';
import { printJson, printTable } from '../output.ts';
import { EXIT } from '../problems.ts';

/** `drift`: what a stack declares at the gateway, and what differs now. */
export function addDrift(program: Command): void {
  program
    .command('drift <stack>')
    .description(
      'lists what a CloudFormation stack declares at the gateway and what differs now (exit code 4 if anything does)',
    )
    .option('--region <region>', 'region of the stack (default: that of your AWS profile)')
    .action(async (stackName: string, { region }: { region?: string }, command: Command) => {
      const { settings, json } = await openContext(command);
      const [{ stackDrift }, { readingApi }] = await Promise.all([
        import('../drift/stack-drift.ts'),
        import('../drift/reading-api.ts'),
      ]);
      const found = await stackDrift(readingApi(settings), stackName, region);
      if (json) printJson(found.map(onTheWire));
      else printTable(HEAD, found.flatMap(rowsOf), `The stack ${stackName} declares nothing at a gateway.`);
      if (found.some(({ state }) => state !== 'same')) process.exitCode = EXIT.notWorking;
    });
}

const HEAD = ['Resource', 'Type', 'State', 'Property', 'Declared', 'Now'];

function rowsOf({ logicalId, type, state, differences, notCompared, reason }: Drift) {
  const start = [logicalId, type];
  const skipped = notCompared.length === 0 ? undefined : `not compared: ${notCompared.join(', ')}`;
  const first = [...start, state, undefined, undefined, reason ?? skipped];
  return state === 'changed'
    ? differences.map(({ property, declared, now }) => [...start, state, property, textOf(declared), textOf(now)])
    : [first];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** With names as the API has them. */
function onTheWire({ logicalId, type, state, differences, notCompared, reason }: Drift) {
  return { logical_id: logicalId, type, state, differences, not_compared: notCompared, reason: reason ?? null };
}
