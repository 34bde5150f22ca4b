import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { DATA_KEY_CACHE_MS, DATA_KEY_ROTATION_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { SEALED_FIELDS } from '../../../lambdas/gateway/core/sealed-fields.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { periodOfKey } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import type { AccountKeys, KeyName } from './read-usage.ts';

/** Beyond the time a process may keep a key in memory: clocks differ, and a write may be under way. */
const GRACE_MS = 3_600_000;
/** Values in other tables from the key's week are deleted by then. */
const KEPT_ELSEWHERE_MS =
  Math.max(...Object.values(SEALED_FIELDS).map((field) => ('keptElsewhereSec' in field ? field.keptElsewhereSec : 0))) *
  1000;

/**
 * Removes a data key that nothing is encrypted under. A value that names it afterwards cannot be read (CR-5).
 *
 * @throws CommandProblem while values are under it, or while a process may still write with it
 */
export async function retireDataKey(
  table: Table,
  { keys }: AccountKeys,
  options: KeyName & { readonly accountId: string; readonly nowMs: number },
): Promise<void> {
  const { accountId, purpose, keyNumber, nowMs } = options;
  const key = keys.find((one) => one.purpose === purpose && one.keyNumber === keyNumber);
  if (key?.createdAt === undefined)
    throw new CommandProblem(`The account ${accountId} has no data key ${keyNumber} for ${purpose}.`);
  const unusedMs = (periodOfKey(keyNumber) + 1) * DATA_KEY_ROTATION_SEC * 1000 + DATA_KEY_CACHE_MS + GRACE_MS;
  const freeMs = unusedMs + KEPT_ELSEWHERE_MS;
  if (nowMs < freeMs) {
    const reason =
      nowMs < unusedMs
        ? 'belongs to this week: the functions look it up to find the one that replaced it'
        : 'may still encrypt waiting approvals and changes in the journal, which are in tables of their own';
    throw new CommandProblem(
      `Key ${keyNumber} ${reason}. Retire it after ${new Date(freeMs).toISOString()}.`,
      EXIT.refused,
    );
  }
  const values = key.live + key.dead + key.kept + key.passing;
  if (values > 0) {
    throw new CommandProblem(
      `${values} items are under key ${keyNumber} (${key.live} live, ${key.dead} that need a new authorization, ` +
        `${key.kept} webhooks, feeds and client secrets, ${key.passing} passing ones). rewrite moves the live ones; have the dead ones authorized ` +
        'again or delete them; rotate the secrets of the webhooks twice and those of the clients once, and create the feeds again.',
      EXIT.refused,
    );
  }
  await table.client.send(
    new DeleteCommand({ TableName: table.tableName, Key: dataKeyItemKey({ accountId, purpose }, keyNumber) }),
  );
}
