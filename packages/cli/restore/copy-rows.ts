import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { EVENT_ITEM_TYPE, RESTORED_EVENT_ITEM_TYPE, TABLE } from '../../../lambdas/gateway/core/contract.ts';
import { writeTogether } from '../../../lambdas/gateway/events/event.store.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import { batchGet } from '../../../lambdas/gateway/platform/dynamodb/batch-get.ts';
import {
  type Item,
  isDone,
  num,
  optionalNum,
  optionalStr,
  str,
  type Table,
} from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { connectionItemKey, connectionRefOfPk, eventListKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { inBatches } from '../table/batches.ts';
import { putMissing, readRow } from './bring-along.ts';
import { readHistory } from './read-history.ts';
import { type Outcome, present, type RestoreContext, restored, skipped } from './restore-context.ts';

const AT_A_TIME = 4;
const ATTEMPTS = 3;

/** Copies missing rows that never change: events, batches, cursors, consents, names. In the given order. */
export async function copyMissing(context: RestoreContext, rows: readonly Item[]): Promise<Outcome[]> {
  const nowEpochSec = epochSecNow(systemClock);
  const isExpired = ({ [TABLE.timeToLive]: at }: Item) => typeof at === 'number' && at <= nowEpochSec;
  const keys = rows.filter((row) => !isExpired(row)).map((row) => ({ pk: str(row, 'pk'), sk: str(row, 'sk') }));
  const here = new Set((await batchGet(context.into, keys)).map(({ pk, sk }) => `${pk} ${sk}`));
  const isHere = ({ pk, sk }: Item) => here.has(`${pk} ${sk}`);
  const missing = rows.filter((row) => !isExpired(row) && !isHere(row));
  const put = new Set<Item>();
  for await (const batch of context.dryRun ? [missing] : inBatches(missing)) {
    const isTogether = context.dryRun || (await putTogether(context.into, batch.map(onRecord)));
    await inParallel(batch, AT_A_TIME, async (row) => {
      if (isTogether || (await putMissing(context.into, onRecord(row)))) put.add(row);
    });
  }
  return rows.map((row) => (isExpired(row) ? skipped('expired') : put.has(row) ? restored() : present()));
}

/** Writes rows none of which is there, in one transaction; false where one is by now, and nothing is written. */
async function putTogether(into: Table, rows: readonly Item[]): Promise<boolean> {
  const puts = rows.map((Item) => ({
    Put: { TableName: into.tableName, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return (await writeTogether(into, puts)) === undefined;
}

/** A restored event: it shows in the account's list, and is not sent to the bus again. */
function onRecord(row: Item): Item {
  if (row.type !== EVENT_ITEM_TYPE) return row;
  const accountId = optionalStr(row, 'accountId') ?? '';
  const list = { [TABLE.indexes.byAccount.partitionKey]: eventListKey(accountId) };
  return { ...list, [TABLE.indexes.byAccount.sortKey]: row.eventId, ...row, type: RESTORED_EVENT_ITEM_TYPE };
}

/** Picked files, where their connection exists. */
export async function copyPicks(
  context: RestoreContext,
  rows: readonly Item[],
  isComing: (pk: string) => boolean,
): Promise<Outcome[]> {
  const refs = rows.flatMap((row) => connectionRefOfPk(str(row, 'pk')) ?? []);
  const keys = new Map(refs.map((ref) => [connectionItemKey(ref).pk, connectionItemKey(ref)]));
  const here = await batchGet(context.into, [...keys.values()]);
  const live = new Set(here.filter(({ status }) => status !== 'deleted').map(({ pk }) => pk));
  const isWanted = ({ pk }: Item) => live.has(pk) || (context.dryRun && isComing(String(pk)));
  const wanted = rows.filter(isWanted);
  const without = rows.slice(wanted.length).map(() => skipped('no_connection'));
  return [...(await copyMissing(context, wanted)), ...without];
}

/** A count that has only begun does not say how far it is. */
function countedUntil(row: Item): number {
  return optionalNum(row, 'countedUntilMs') ?? Number.POSITIVE_INFINITY;
}

/**
 * Progress of the count of calls. Pages that are lost with the table are built again from the log, as far as it goes back: the count
 * begins at the backup's place, and repeated reads leave the same sums.
 */
export async function rewindCount({ into, dryRun }: RestoreContext, row: Item): Promise<Outcome> {
  const here = await readRow(into, row);
  const version = here === undefined ? 0 : num(here, 'version');
  if (here !== undefined && countedUntil(here) <= countedUntil(row)) return present();
  if (dryRun) return restored();
  const isWritten = await isDone(
    into.client.send(
      new PutCommand({
        TableName: into.tableName,
        Item: { ...row, version: version + 1 },
        ConditionExpression: 'attribute_not_exists(pk) OR #version = :version',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': version },
      }),
    ),
  );
  if (!isWritten) throw new Error('The roll-up has written its progress meanwhile. Run the command again.');
  return restored();
}

/**
 * Sums of a day. They only grow: where the table has less than the backup it lost its row and began again, and both belong together.
 *
 * @throws Error when the row keeps changing
 */
export async function bringSums(context: RestoreContext, row: Item): Promise<Outcome> {
  const { into, dryRun } = context;
  const sums = Object.entries(row).filter((entry): entry is [string, number] => {
    const [name, value] = entry;
    return typeof value === 'number' && name !== TABLE.timeToLive;
  });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const here = await readRow(into, row);
    if (here === undefined) {
      if (dryRun || (await putMissing(into, row))) return restored();
      continue;
    }
    const hereOf = (name: string): number => (typeof here[name] === 'number' ? here[name] : 0);
    if (sums.every(([name, value]) => hereOf(name) >= value)) return present();
    if (dryRun) return restored('added');
    const names = Object.fromEntries(sums.map(([name], i) => [`#n${i}`, name]));
    const values = Object.fromEntries(sums.map(([, value], i) => [`:v${i}`, value]));
    const seen = sums.filter(([name]) => here[name] !== undefined);
    const isUnchanged = sums.map(([name], i) =>
      here[name] === undefined ? `attribute_not_exists(#n${i})` : `#n${i} = :s${i}`,
    );
    const done = await isDone(
      into.client.send(
        new UpdateCommand({
          TableName: into.tableName,
          Key: { pk: row.pk, sk: row.sk },
          UpdateExpression: `ADD ${sums.map((_, i) => `#n${i} :v${i}`).join(', ')}`,
          ConditionExpression: isUnchanged.join(' AND '),
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: {
            ...values,
            ...Object.fromEntries(
              sums.flatMap(([name], i) => (seen.some(([one]) => one === name) ? [[`:s${i}`, here[name]]] : [])),
            ),
          },
        }),
      ),
    );
    if (done) return restored('added');
  }
  throw new Error('These sums are being counted up at the moment. Run this again.');
}

/** A revocation that had not reached the provider: the grant must still be ended. */
export async function bringRevocation(context: RestoreContext, row: Item): Promise<Outcome> {
  const { into, dryRun, resealer, runName, spreadSec } = context;
  if ((await readRow(into, row)) !== undefined) return present();
  const ref = connectionRefOfPk(str(row, 'pk'));
  if (ref === undefined) return skipped('unreadable_in_backup');
  const requestedAt = typeof row.requestedAtEpochSec === 'number' ? row.requestedAtEpochSec : 0;
  const { grantRevokedAtEpochSec = 0 } = await readHistory(into, ref, runName);
  if (grantRevokedAtEpochSec >= requestedAt) return skipped('done_here');
  const sealed = str(row, 'encryptedRefreshToken');
  if (resealer.isLost(ref.accountId, sealed)) return skipped('key_differs');
  if (dryRun) return restored();
  const due = {
    encryptedRefreshToken: await resealer.sealed(refreshTokenContext(ref), sealed),
    refreshAt: epochSecNow(systemClock) + spreadSec,
    failureCount: 0,
  };
  return (await putMissing(into, { ...row, ...due })) ? restored() : present();
}
