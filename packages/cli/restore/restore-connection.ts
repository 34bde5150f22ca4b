import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionFromItem, remainsOf } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { writeConnection } from '../../../lambdas/gateway/connections/connection-write.store.ts';
import { healthWord } from '../../../lambdas/gateway/connections/health.rules.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { integrationFromItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import {
  type Item,
  isConditionFailure,
  optionalStr,
  readable,
  type Table,
} from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import {
  connectionItemKey,
  escrowItemKey,
  integrationItemKey,
} from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { judgeConnection, type RestoreReason } from './judge-connection.ts';
import { readHistory } from './read-history.ts';
import { type Outcome, present, type RestoreContext, restored, skipped } from './restore-context.ts';
import { restoredConnection } from './restored-connection.ts';

const ATTEMPTS = 3;
/** Reasons to leave a connection because the table has it. */
const PRESENT: ReadonlySet<string> = new Set(['same', 'newer_here', 'died_since', 'restored_before']);

/**
 * Brings one connection back, if it should come back, by one conditional transaction with all that stands alongside
 * it. A row that changes meanwhile is judged again.
 *
 * @throws Error when it keeps changing
 */
export async function restoreConnection(context: RestoreContext, backup: Connection): Promise<Outcome> {
  const { into, wishes, runName, dryRun, spreadSec, resealer } = context;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { Item: live } = await into.client.send(
      new GetCommand({ TableName: into.tableName, Key: connectionItemKey(backup), ConsistentRead: true }),
    );
    const history = await readHistory(into, backup, runName);
    const judgement = judgeConnection(backup, live, history, wishes);
    const { reason } = judgement;
    if (judgement.kind === 'leave') return PRESENT.has(reason) ? present(reason) : skipped(reason);
    const sealed = backup.encryptedRefreshToken;
    if (resealer.isLost(backup.accountId, sealed)) return skipped('key_differs');
    if (dryRun) return restored(reason);
    const nowMs = systemClock.nowMs();
    const now = { epochSec: Math.floor(nowMs / 1000), iso: new Date(nowMs).toISOString() };
    const connection = {
      ...restoredConnection(backup, live, history.lastSequence, now, spreadSec),
      encryptedRefreshToken:
        sealed === undefined ? undefined : await resealer.sealed(refreshTokenContext(backup), sealed),
    };
    await bringEscrow(context, backup);
    if (await write(into, connection, live, judgement.reason, runName)) return restored(reason);
  }
  throw new Error('The connection is being changed by others at the moment. Run this again.');
}

async function write(
  table: Table,
  connection: Connection,
  live: Item | undefined,
  reason: RestoreReason,
  runName: string,
): Promise<boolean> {
  const { accountId, integrationId, connectionId, endUser, sequence } = connection;
  const event = newEvent(systemClock, systemRandom, 'ConnectionRestored', {
    subject: { accountId, integrationId, connectionId },
    sequence,
    endUserId: endUser?.id,
    says: { reason },
    health: healthWord(connection, await integrationOf(table, connection), epochSecNow(systemClock)),
    requestId: runName,
  });
  const [before] = live === undefined ? [] : readable([live], connectionFromItem, () => {});
  const written = await writeConnection(table, {
    happened: { kind: 'restored', over: live },
    before,
    after: connection,
    events: [event],
    remains: live === undefined ? undefined : remainsOf(live),
  });
  return written.done;
}

/** The connection's integration as far as its health follows from it; undefined where it is missing or cannot be read. */
async function integrationOf(table: Table, { accountId, integrationId }: Connection): Promise<Integration | undefined> {
  const Key = integrationItemKey({ accountId, integrationId });
  const { Item } = await table.client.send(new GetCommand({ TableName: table.tableName, Key }));
  return readable(Item === undefined ? [] : [Item], integrationFromItem, () => {})[0];
}

/** A rotated token that could not be written to its row at the time of the backup is newer than the row. */
async function bringEscrow({ from, into, resealer }: RestoreContext, backup: Connection): Promise<void> {
  const Key = escrowItemKey(backup);
  const { Item } = await from.client.send(new GetCommand({ TableName: from.tableName, Key, ConsistentRead: true }));
  if (Item === undefined || typeof Item.epoch !== 'number' || Item.epoch <= backup.tokenEpoch) return;
  const access = optionalStr(Item, 'encryptedAccessToken');
  const refresh = optionalStr(Item, 'encryptedRefreshToken');
  const sealed = {
    ...Item,
    ...(access === undefined
      ? {}
      : { encryptedAccessToken: await resealer.sealed(accessTokenContext(backup), access) }),
    ...(refresh === undefined
      ? {}
      : { encryptedRefreshToken: await resealer.sealed(refreshTokenContext(backup), refresh) }),
  };
  try {
    await into.client.send(
      new PutCommand({ TableName: into.tableName, Item: sealed, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
