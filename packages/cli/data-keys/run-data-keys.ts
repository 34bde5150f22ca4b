import { setTimeout as delay } from 'node:timers/promises';
import { KEY_PURPOSES, type KeyPurpose } from '../../../lambdas/gateway/core/contract.ts';
import { openTable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { mustConfirm } from '../ask.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { note, printJson, printLine, printTable, shortTime } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { sealForRollback } from './for-rollback.ts';
import { type AccountKeys, type KeyUsage, readCurrentKey, readUsage } from './read-usage.ts';
import { retireDataKey } from './retire.ts';
import { makeRewritesDue } from './rewrite.ts';
import { rotateDataKey } from './rotate.ts';

/** Options of every command of data keys. */
export interface DataKeysOptions {
  readonly table: string;
  readonly account: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Options of commands about the keys of one purpose. */
export interface PurposeOptions extends DataKeysOptions {
  /** @default 'tokens' */
  readonly purpose?: string;
}

/** Times in seconds. */
export interface RewriteOptions extends DataKeysOptions {
  readonly wait: number;
  readonly spread: number;
  readonly every: number;
}

/** Runs one of the commands with the table opened. @throws CommandProblem with AWS's errors in words */
export async function onTable<Options extends DataKeysOptions>(
  options: Options,
  action: (options: Options, table: Table) => Promise<void>,
): Promise<void> {
  try {
    await action(options, openTable(options.table, undefined, OPERATOR_LIMITS));
  } catch (error) {
    throw explainAwsError(error);
  }
}

/** Shows every key, and how many items are under it. */
export async function status(options: DataKeysOptions, table: Table): Promise<void> {
  show(await readUsage(table, options.account, Date.now()), options);
}

/** Makes a key that takes the place of the current one. */
export async function rotate(options: PurposeOptions & { readonly key: string }, table: Table): Promise<void> {
  const { account: accountId } = options;
  const purpose = purposeIn(options);
  const nowMs = Date.now();
  const usage = await readUsage(table, accountId, nowMs);
  const current = usage.current.get(purpose);
  await mustConfirm(`Replace the data key of ${accountId} for ${purpose}?`, options.yes === true);
  const stored = usage.keys.filter((one) => one.purpose === purpose && one.createdAt !== undefined);
  const known = new Set(stored.map((one) => one.keyNumber));
  const made = await rotateDataKey(table, { accountId, purpose, current, known, tokenKeyArn: options.key, nowMs });
  if (options.json === true) return printJson({ purpose, replaced: current, by: made });
  const next = purpose === 'tokens' ? ' Next, in 15 minutes: rewrite' : '';
  printLine(`Key ${made} replaces ${current ?? 'the key of last week'}.${next}`);
}

/** The purpose that the options name. @throws CommandProblem for an unknown one */
function purposeIn({ purpose = 'tokens' }: PurposeOptions): KeyPurpose {
  const found = KEY_PURPOSES.find((one) => one === purpose);
  if (found === undefined) throw new CommandProblem(`--purpose is one of ${KEY_PURPOSES.join(', ')}.`);
  return found;
}

/** Seals what lasts so that 0.2.0 can read it. */
export async function forRollback(options: DataKeysOptions & { readonly key: string }, table: Table): Promise<void> {
  const { account: accountId } = options;
  await mustConfirm(`Seal secrets of webhooks and places of feeds of ${accountId} for 0.2.0?`, options.yes === true);
  const interrupt = stopOnInterrupt();
  try {
    const rows = await sealForRollback(table, { accountId, tokenKeyArn: options.key, stop: interrupt.signal });
    if (rows.failed > 0 || interrupt.signal.aborted) process.exitCode = EXIT.unfinished;
    if (options.json === true) return printJson(rows);
    printLine(`${rows.sealed} rows were sealed under the keys of tokens, ${rows.failed} failed.`);
  } finally {
    interrupt.done();
  }
}

/** Removes a key that nothing is under. */
export async function retire(options: PurposeOptions & { readonly keyNumber: number }, table: Table): Promise<void> {
  const { account: accountId, keyNumber } = options;
  const purpose = purposeIn(options);
  const nowMs = Date.now();
  const usage = await readUsage(table, accountId, nowMs);
  await mustConfirm(`Permanently delete data key ${keyNumber} of ${accountId} for ${purpose}?`, options.yes === true);
  await retireDataKey(table, usage, { accountId, purpose, keyNumber, nowMs });
  printLine(`Data key ${keyNumber} was deleted.`);
}

/** Has every live connection under an older key refreshed, and waits for it. */
export async function rewrite(options: RewriteOptions, table: Table): Promise<void> {
  const { account: accountId, spread: spreadSec } = options;
  const interrupt = stopOnInterrupt();
  const progress = new Progress('rewriting');
  const untilMs = Date.now() + options.wait * 1000;
  try {
    for (;;) {
      const current = await readCurrentKey(table, accountId, Date.now());
      if (current === undefined)
        throw new CommandProblem('There is no key for this week yet; the next refresh creates one.', EXIT.refused);
      const { waiting, madeDue } = await makeRewritesDue(table, {
        accountId,
        current,
        spreadSec,
        stop: interrupt.signal,
      });
      progress.update({ 'live connections under older keys': waiting, 'made due now': madeDue });
      if (waiting === 0 || interrupt.signal.aborted || Date.now() + options.every * 1000 > untilMs) {
        if (waiting > 0) process.exitCode = EXIT.unfinished;
        break;
      }
      await delay(options.every * 1000, undefined, { signal: interrupt.signal }).catch(() => {});
    }
    show(await readUsage(table, accountId, Date.now()), options);
  } finally {
    interrupt.done();
  }
}

function show({ current, keys }: AccountKeys, { json, account }: DataKeysOptions): void {
  if (json === true) {
    const named = keys.map(({ purpose, keyNumber, createdAt, replacedBy, ...counts }) => ({
      purpose,
      key_number: keyNumber,
      created_at: createdAt,
      replaced_by: replacedBy,
      ...counts,
    }));
    printJson({
      account,
      current: current.get('tokens'),
      current_by_purpose: Object.fromEntries(current),
      keys: named,
    });
    return;
  }
  const rows = keys.map((one) => {
    const { purpose, keyNumber, createdAt, live, dead, kept, passing } = one;
    return [purpose, keyNumber, stateOf(one, current), shortTime(createdAt), live, dead, kept, passing];
  });
  printTable(
    ['Purpose', 'Key', 'State', 'Made', 'Live', 'To authorize again', 'Kept', 'Passing'],
    rows,
    `${account} has no data key yet.`,
  );
  if (keys.some((one) => one.createdAt === undefined))
    note('MISSING: values name a key that has no row and cannot be read.');
}

function stateOf({ purpose, keyNumber, createdAt, replacedBy }: KeyUsage, current: AccountKeys['current']): string {
  if (keyNumber === current.get(purpose)) return 'current';
  if (createdAt === undefined) return 'MISSING';
  return replacedBy === undefined ? 'older' : 'replaced';
}
