/** `npm run restore -- --from <restored table> --into <table>`: brings connections of a backup back into a gateway. */
import { Command } from 'commander';
import { openTable } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import { mustConfirm } from '../ask.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { given, wholeNumber } from '../options.ts';
import { note, printFields, printJson } from '../output.ts';
import { CommandProblem, EXIT, endWithProblem } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { type RestoreReport, restoreTable } from './restore-table.ts';

interface Options {
  readonly from: string;
  readonly into: string;
  readonly account?: string;
  readonly integration?: string;
  readonly connection?: string;
  readonly overwrite?: boolean;
  readonly includeDeleted?: boolean;
  readonly includeKeys?: boolean;
  readonly dryRun?: boolean;
  readonly spread: number;
  readonly json?: boolean;
  readonly yes?: boolean;
}

const HELP = `
Point-in-time recovery restores into a new table; this copies what is missing or damaged back into the gateway's own.
Each connection comes back without an access token and is refreshed before use; what is newer here stays; what was
deleted here stays deleted. Data keys and integrations that are missing come along. Run again, it goes on.
AWS credentials and AWS_REGION come from the environment; docs/operations.md lists the permissions.

Exit codes: 0 done, 1 refused, 2 wrong usage, 5 some connections were not restored: run it again.`;

const program = new Command('restore')
  .description('bring connections of a restored backup back into the table of a gateway')
  .requiredOption('--from <table>', 'the table that the backup was restored to')
  .requiredOption('--into <table>', "the gateway's own table")
  .option('--account <id>', 'only this account')
  .option('--integration <id>', 'only this integration')
  .option('--connection <id>', 'only the connections of this id')
  .option('--overwrite', 'also take back connections that were refreshed, connected again or died since the backup')
  .option('--include-deleted', 'also bring back what was deleted since the backup')
  .option('--include-keys', 'also bring back missing secret keys; one that was revoked meanwhile comes back too')
  .option('--spread <seconds>', 'refresh what comes back within so many seconds', wholeNumber, 300)
  .option('--dry-run', 'only say what would be done')
  .option('--json', 'print JSON')
  .option('--yes', 'do not ask')
  .addHelpText('after', HELP)
  .showHelpAfterError('Add --help to see how it is used.')
  .exitOverride()
  .action(restore);

async function restore(options: Options): Promise<void> {
  if (options.from === options.into) throw new CommandProblem('--from and --into are the same table.');
  if (options.dryRun !== true) {
    await mustConfirm(`Bring connections of ${options.from} back into ${options.into}?`, options.yes === true);
  }
  const interrupt = stopOnInterrupt();
  const progress = new Progress(options.dryRun === true ? 'looking' : 'restoring');
  const { account, integration, connection } = options;
  try {
    const report = await restoreTable({
      from: openTable(options.from),
      into: openTable(options.into),
      wishes: { overwrite: options.overwrite === true, includeDeleted: options.includeDeleted === true },
      dryRun: options.dryRun === true,
      spreadSec: options.spread,
      runName: `restore/${options.from}`,
      only: given({ accountId: account, integrationId: integration, connectionId: connection }),
      includeKeys: options.includeKeys === true,
      stop: interrupt.signal,
      onProgress: ({ restored, left, failed }) =>
        progress.update({ restored: sum(restored), left: sum(left), failed: failed.length }),
    });
    if (report.stopped || report.failed.length > 0) process.exitCode = EXIT.unfinished;
    if (options.json === true) printJson(report);
    else show(report, options.dryRun === true);
  } catch (error) {
    throw explainAwsError(error);
  } finally {
    interrupt.done();
  }
}

function show(report: RestoreReport, dryRun: boolean): void {
  printFields({
    [dryRun ? 'Would restore' : 'Restored']: words(report.restored),
    'Left as they are': words(report.left),
    'Data keys': words(report.dataKeys),
    Integrations: words(report.integrations),
    'Secret keys': words(report.secretKeys),
    Failed: report.failed.length === 0 ? undefined : report.failed.length,
  });
  for (const { connection, message } of report.failed.slice(0, 20)) note(`${connection}: ${message}`);
  if (report.left.key_differs !== undefined) {
    note(
      'key_differs: the gateway has made another data key under the same number since; those tokens cannot be read.',
    );
  }
  if (report.integrations.restored !== undefined) {
    note(
      'Integrations came back without their client secrets: set them with integrations rotate-secret if they are gone.',
    );
  }
  if (report.stopped || report.failed.length > 0) note('Not everything was done: run the same command again to go on.');
}

function words(counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? ['none'] : parts;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

try {
  await program.parseAsync();
} catch (error) {
  endWithProblem(error);
}
