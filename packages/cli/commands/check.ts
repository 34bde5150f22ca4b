import type { Command } from 'commander';
import type { ConnectionSummary, GatewayClient } from '../../client/src/index.ts';
import { openContext } from '../command-context.ts';
import { wholeNumber } from '../options.ts';
import { printJson, printTable, stateCell } from '../output.ts';
import { EXIT } from '../problems.ts';

/** Checked side by side: each costs one call at Google. */
const AT_A_TIME = 4;

interface Finding {
  readonly what: string;
  readonly works: boolean;
  readonly message: string;
}

/** `check`: the gateway, its integrations and every connection. */
export function addCheck(program: Command): void {
  program
    .command('check')
    .description(
      'checks the gateway, the key, the integrations and the connections (exit code 4 if something does not work)',
    )
    .option('--limit <number>', 'check at most this many connections, newest first', wholeNumber, 50)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const { gateway, address, json } = await openContext(command);
      const integrations = await gateway.integrations.list();
      const findings: Finding[] = [
        { what: 'gateway and key', works: true, message: address.baseUrl },
        ...integrations.map(({ uniqueKey, credentialsFault: fault }) => ({
          what: `integration ${uniqueKey}`,
          works: fault === undefined,
          message:
            fault === undefined
              ? 'fine'
              : `the provider has refused its OAuth client since ${fault.since}: ${fault.error}`,
        })),
      ];
      const { connections } = await gateway.connections.list({ limit: Math.min(limit, 2000) });
      for (let at = 0; at < connections.length; at += AT_A_TIME) {
        const some = connections.slice(at, at + AT_A_TIME);
        findings.push(...(await Promise.all(some.map((one) => checked(gateway, one)))));
      }
      if (json) printJson(findings);
      else {
        const rows = findings.map(({ what, works, message }) => [stateCell(works ? 'ok' : 'NOT'), what, message]);
        printTable(['', 'What', 'Found'], rows, 'Nothing was checked.');
      }
      if (findings.some(({ works }) => !works)) process.exitCode = EXIT.notWorking;
    });
}

async function checked(gateway: GatewayClient, connection: ConnectionSummary): Promise<Finding> {
  const { providerConfigKey, connectionId } = connection;
  const { works, message, remedy } = await gateway.connections.check({ providerConfigKey, connectionId });
  return {
    what: `connection ${providerConfigKey} / ${connectionId}`,
    works,
    message: remedy === undefined ? message : `${message} ${remedy}`,
  };
}
