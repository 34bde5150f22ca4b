import { openTable } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import { mustConfirm } from '../ask.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { given } from '../options.ts';
import { note, printFields, printJson } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { type RestoreReport, restoreTable } from './restore-table.ts';

/** What the command `restore` was given. */
export interface RestoreOptions {
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

/** Brings connections of a backup back, and prints what was done. @throws CommandProblem */
export async function runRestore(options: RestoreOptions): Promise<void> {
  if (options.from === options.into) throw new CommandProblem('--from and --into are the same table.');
  if (options.dryRun !== true) {
    await mustConfirm(`Copy connections from ${options.from} back into ${options.into}?`, options.yes === true);
  }
  const interrupt = stopOnInterrupt();
  const progress = new Progress(options.dryRun === true ? 'looking' : 'restoring');
  const { account, integration, connection } = options;
  try {
    const report = await restoreTable({
      from: openTable(options.from, undefined, OPERATOR_LIMITS),
      into: openTable(options.into, undefined, OPERATOR_LIMITS),
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
      'key_differs: the gateway has since created another data key under the same number; those tokens cannot be read.',
    );
  }
  if (report.integrations.restored !== undefined) {
    note(
      'Integrations were restored without their client secrets; if the secrets are missing, set them with integrations rotate-secret.',
    );
  }
  if (report.stopped || report.failed.length > 0)
    note('Not everything is done yet: run the same command again to continue.');
}

function words(counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return parts.length === 0 ? ['none'] : parts;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
