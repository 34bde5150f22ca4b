import type { Command } from 'commander';
import type { PendingRevocations } from '../../client/src/index.ts';
import { mustConfirm } from '../ask.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { type CommandContext, openContext } from '../command-context.ts';
import { commaList, wholeNumber } from '../options.ts';
import { note, printFields, printJson, printLine, printTable, refAsAnswered } from '../output.ts';
import { EXIT } from '../problems.ts';
import { awaitRevocations } from '../revoke/await-revocations.ts';
import { type EndReport, endGrants } from '../revoke/end-grants.ts';
import { previewRevocation } from '../revoke/revocation-preview.ts';
import { describeSelection, readSelection, type Selection, type SelectionOptions } from '../revoke/selection.ts';

interface RevokeOptions extends SelectionOptions {
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly wait: number;
}

const HELP = `
For an incident: deletes the connections, which erases their tokens here, and has the provider end their grants, including those
that other connections share. Integrations and keys stay. If it is interrupted, run it again to continue; grants that the
provider could not end at once are ended later by the gateway's schedule. Exit code 5: something is still to be ended.`;

/** `revoke --integration <list> | --all`: ends every grant of an integration or of the account. */
export function addRevoke(program: Command): void {
  program
    .command('revoke')
    .description('ends every grant of an integration, or of the whole account, at the provider and here')
    .option('--integration <list>', 'the connections of these integrations', commaList)
    .option('--all', 'every connection of the account')
    .option('--dry-run', 'only show what would end, shared grants included')
    .option('--concurrency <number>', 'connections at a time', wholeNumber, 8)
    .option('--wait <seconds>', 'how long to wait for grants that the provider does not end at once', wholeNumber, 120)
    .addHelpText('after', HELP)
    .action(async (options: RevokeOptions, command: Command) => {
      const context = await openContext(command);
      const selection = await readSelection(context.gateway, options);
      if (options.dryRun === true) return foresee(context, selection);
      const what = describeSelection(selection);
      await mustConfirm(
        `End every grant of ${what}? Users must connect again. --dry-run shows what would end.`,
        context.assumeYes,
      );
      await end(context, selection, options);
    });
}

async function foresee({ gateway, json }: CommandContext, selection: Selection): Promise<void> {
  const { selected, alsoEnding, ofOtherAccounts, unknown } = await previewRevocation(gateway, selection);
  const live = selected.filter(({ status }) => status === 'active').length;
  if (json) {
    const counts = { connections: selected.length, live, of_other_accounts: ofOtherAccounts, unknown };
    return printJson({ ...counts, also_ending: alsoEnding.map(refAsAnswered) });
  }
  printLine(
    `Would delete ${selected.length} connections of ${describeSelection(selection)} and end ${live} grants at the provider.`,
  );
  if (selected.length > live) {
    printLine(`${selected.length - live} are already dead: they are only deleted here.`);
  }
  if (alsoEnding.length > 0) {
    printLine('These would also end, because they share an account and an OAuth project:');
    const rows = alsoEnding.map((one) => [
      one.providerConfigKey,
      one.connectionId,
      one.providerAccount?.email,
      one.endUser?.id,
    ]);
    printTable(['Integration', 'Connection', 'Account', 'End user'], rows, '');
  }
  if (ofOtherAccounts > 0)
    printLine(`${ofOtherAccounts} connections of other accounts of this gateway would also end.`);
  if (unknown > 0)
    printLine(
      `For ${unknown} of them it is unknown which connections share their grant, because no identity was granted.`,
    );
  printLine('Nothing was changed.');
}

async function end({ gateway, json }: CommandContext, selection: Selection, options: RevokeOptions): Promise<void> {
  const interrupt = stopOnInterrupt();
  const progress = new Progress('revoking');
  try {
    const shared = { progress, stop: interrupt.signal };
    const report = await endGrants(gateway, selection, { ...shared, atATime: options.concurrency });
    progress.say();
    const left = await awaitRevocations(gateway, selection, { ...shared, waitSec: options.wait });
    show(report, left, json);
    if (report.stopped || report.failed.length > 0 || left.pending > 0) process.exitCode = EXIT.unfinished;
  } finally {
    interrupt.done();
  }
}

function show(report: EndReport, left: PendingRevocations, json: boolean): void {
  const settled = Math.max(0, report.pending - left.pending);
  const ended = report.revoked + settled;
  const { deleted, gone, failed, stopped } = report;
  const skipped = Object.fromEntries(report.skipped);
  if (json) {
    const refused = failed.map(({ ref, message }) => ({ ...refAsAnswered(ref), message }));
    printJson({ deleted, ended, pending: left.pending, skipped, gone, failed: refused, stopped });
    return;
  }
  printFields({
    'Deleted here': deleted,
    'Ended at the provider': ended,
    'Still to be ended there': left.complete ? left.pending : `more than ${left.pending}`,
    'Deleted by others in the meantime': gone === 0 ? undefined : gone,
    'Not requested': Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`),
    Failed: failed.length === 0 ? undefined : failed.length,
  });
  for (const { ref, message } of failed.slice(0, 20))
    note(`${ref.providerConfigKey} / ${ref.connectionId}: ${message}`);
  const [oldest] = left.oldest;
  if (oldest !== undefined)
    note(`The gateway retries automatically, next at ${oldest.retryAt}. Run this command again to check.`);
  if (stopped || failed.length > 0) note('Not everything is done yet: run the same command again to continue.');
}
