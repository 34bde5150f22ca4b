import type { TokenCipher } from '../../../lambdas/gateway/core/ports.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { kmsDataKeys, tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { mustConfirm } from '../ask.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { given } from '../options.ts';
import { note, printJson, printTable } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { KINDS, type KindReport } from './kinds.ts';
import { Resealer } from './reseal.ts';
import { type RestoreReport, restoreTable } from './restore-table.ts';

/** Options of the command `restore`. */
export interface RestoreOptions {
  readonly from: string;
  readonly into: string;
  /** ARN of the KMS key of the gateway's table. */
  readonly key?: string;
  /** ARN of the KMS key that the backup was encrypted with, where it is another. */
  readonly fromKey?: string;
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

/** Restores rows of a backup, and prints the outcome. @throws CommandProblem */
export async function runRestore(options: RestoreOptions): Promise<void> {
  if (options.from === options.into) throw new CommandProblem('--from and --into are the same table.');
  if (options.fromKey !== undefined && options.key === undefined) {
    throw new CommandProblem('--from-key needs --key, the KMS key of the gateway that the values are encrypted for.');
  }
  if (options.dryRun !== true) {
    await mustConfirm(`Copy what is missing from ${options.from} back into ${options.into}?`, options.yes === true);
  }
  const interrupt = stopOnInterrupt();
  const progress = new Progress(options.dryRun === true ? 'looking' : 'restoring');
  const { account, integration, connection } = options;
  const from = openTable(options.from, undefined, OPERATOR_LIMITS);
  const into = openTable(options.into, undefined, OPERATOR_LIMITS);
  try {
    const report = await restoreTable({
      from,
      into,
      wishes: { overwrite: options.overwrite === true, includeDeleted: options.includeDeleted === true },
      dryRun: options.dryRun === true,
      spreadSec: options.spread,
      runName: `restore/${options.from}`,
      resealer: resealerOf(options, from, into),
      only: given({ accountId: account, integrationId: integration, connectionId: connection }),
      includeKeys: options.includeKeys === true,
      stop: interrupt.signal,
      onProgress: (report) => progress.update(progressOf(report)),
    });
    if (report.stopped || report.failed.length > 0) process.exitCode = EXIT.unfinished;
    if (options.json === true) printJson(report);
    else show(report, options);
  } catch (error) {
    throw explainAwsError(error);
  } finally {
    interrupt.done();
  }
}

function resealerOf({ key, fromKey = key }: RestoreOptions, from: Table, into: Table): Resealer {
  const cipher = (table: Table, arn: string): TokenCipher =>
    tokenCipher(kmsDataKeys(table, arn, systemClock, { count: () => {} }), systemRandom);
  const ciphers =
    key === undefined || fromKey === undefined ? undefined : { from: cipher(from, fromKey), into: cipher(into, key) };
  return new Resealer({ ciphers, otherKmsKey: fromKey !== key });
}

function progressOf({ kinds, read, failed }: RestoreReport): Record<string, number> {
  const total = (pick: (one: KindReport) => Counts) =>
    Object.values(kinds).reduce((sum, one) => sum + sumOf(pick(one)), 0);
  return {
    'rows read': read,
    restored: total((one) => one.restored),
    'already there': total((one) => one.present),
    skipped: total((one) => one.skipped),
    failed: failed.length,
  };
}

function show(report: RestoreReport, { dryRun = false, key }: RestoreOptions): void {
  const rows = KINDS.map((kind) => [kind, report.kinds[kind]] as const).filter(([, one]) =>
    Object.values(one).some((counts) => Object.keys(counts).length > 0),
  );
  printTable(
    ['', dryRun ? 'Would restore' : 'Restored', 'Already there', 'Skipped'],
    rows.map(([kind, one]) => [kind, words(one.restored), words(one.present), words(one.skipped)]),
    'The backup has nothing of what was asked for.',
  );
  for (const { what, message } of report.failed.slice(0, 20)) note(`${what}: ${message}`);
  if (report.failed.length > 20) note(`… and ${report.failed.length - 20} more that failed.`);
  const skipped = new Set(Object.values(report.kinds).flatMap((one) => Object.keys(one.skipped)));
  for (const reason of skipped) {
    const advice = ADVICE[reason];
    if (advice !== undefined && (reason !== 'key_differs' || key === undefined)) note(`${reason}: ${advice}`);
  }
  if (report.kinds.integrations.restored.missing !== undefined) {
    note(
      'Integrations were restored without their client secrets. If check says that credentials are missing, set them with integrations rotate-secret.',
    );
  }
  if (report.stopped || report.failed.length > 0)
    note('Not everything is done yet: run the same command again to continue.');
}

/** Remedies for skipped rows. */
const ADVICE: Readonly<Record<string, string>> = {
  key_differs:
    'the table has another data key under the same number. Name the KMS key with --key, and the values are encrypted again.',
  no_integration: 'restore the integration first, without --connection or with its own --integration.',
  no_connection: 'the connection they belong to is not in the table: restore it first.',
  deleted_here: 'was deleted since the backup. --include-deleted restores it.',
  replaced_here: 'the connection has another feed of the same resource by now.',
  revoked_here: 'the key was revoked since the backup. Create a new one.',
  unreadable_in_backup: 'the row is damaged in the backup, too. Use an earlier one.',
};

type Counts = Readonly<Record<string, number>>;

function words(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
