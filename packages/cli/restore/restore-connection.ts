import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionFromItem, remainsOf } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { writeConnection } from '../../../lambdas/gateway/connections/connection-write.store.ts';
import { healthWord } from '../../../lambdas/gateway/connections/health.rules.ts';
import { searchBucketOf } from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { Gate } from '../../../lambdas/gateway/core/gate.ts';
import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import { CHANGE_COUNT_PARTS } from '../../../lambdas/gateway/core/limits.ts';
import { type LifecycleEvent, newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { type Item, optionalStr, readable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { connectionItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { putMissing } from './bring-along.ts';
import { judgeConnection, NO_HISTORY, type RestoreReason } from './judge-connection.ts';
import { readHistory } from './read-history.ts';
import { type Outcome, present, type RestoreContext, restored, skipped } from './restore-context.ts';
import { restoredConnection } from './restored-connection.ts';

const ATTEMPTS = 3;
/** Reasons to leave a connection because the table has it. */
const PRESENT: ReadonlySet<string> = new Set(['same', 'newer_here', 'died_since', 'restored_before']);

/** Writes that change the same counters or the same part of the search index conflict, so they wait for each other here. */
const writing = Array.from({ length: CHANGE_COUNT_PARTS }, () => new Gate(1));

/** Rows that are read for many connections at once. */
export interface KnownRows {
  /** The connection's row in the table, strongly consistent. */
  readonly live: Item | undefined;
  /** The backup's row of tokens that could not be written to the connection. */
  readonly escrow: Item | undefined;
  /** Undefined where it is missing or cannot be read. */
  readonly integration: Integration | undefined;
}

/**
 * Brings one connection back, if it should come back, by one conditional transaction with all that stands alongside
 * it. A row that changes meanwhile is judged again.
 *
 * @throws Error when it keeps changing
 */
export async function restoreConnection(
  context: RestoreContext,
  backup: Connection,
  { live: first, escrow, integration }: KnownRows,
): Promise<Outcome> {
  const { into, wishes, runName, dryRun, spreadSec, resealer } = context;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const live = attempt === 0 ? first : await readLive(into, backup);
    const isLeft = live !== undefined && judgeConnection(backup, live, NO_HISTORY, wishes).kind === 'leave';
    const history = isLeft ? NO_HISTORY : await readHistory(into, backup, runName);
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
    await bringEscrow(context, backup, escrow);
    const { bucket } = searchBucketOf(backup);
    const event = restoredEvent(connection, integration, judgement.reason, runName);
    const isWritten = await writing[bucket % CHANGE_COUNT_PARTS]?.run(() => write(into, connection, live, event));
    if (isWritten === true) return restored(reason);
  }
  throw new Error('The connection is being changed by others at the moment. Run this again.');
}

async function readLive({ client, tableName }: Table, ref: ConnectionRef): Promise<Item | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: connectionItemKey(ref), ConsistentRead: true }),
  );
  return Item;
}

function restoredEvent(
  connection: Connection,
  integration: Integration | undefined,
  reason: RestoreReason,
  runName: string,
): LifecycleEvent {
  const { accountId, integrationId, connectionId, endUser, sequence } = connection;
  return newEvent(systemClock, systemRandom, 'ConnectionRestored', {
    subject: { accountId, integrationId, connectionId },
    sequence,
    endUserId: endUser?.id,
    says: { reason },
    health: healthWord(connection, integration, epochSecNow(systemClock)),
    requestId: runName,
  });
}

async function write(
  table: Table,
  connection: Connection,
  live: Item | undefined,
  event: LifecycleEvent,
): Promise<boolean> {
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

/** A rotated token that could not be written to its row at the time of the backup is newer than the row. */
async function bringEscrow(
  { into, resealer }: RestoreContext,
  backup: Connection,
  escrow: Item | undefined,
): Promise<void> {
  if (escrow === undefined || typeof escrow.epoch !== 'number' || escrow.epoch <= backup.tokenEpoch) return;
  const access = optionalStr(escrow, 'encryptedAccessToken');
  const refresh = optionalStr(escrow, 'encryptedRefreshToken');
  const sealed = {
    ...escrow,
    ...(access === undefined
      ? {}
      : { encryptedAccessToken: await resealer.sealed(accessTokenContext(backup), access) }),
    ...(refresh === undefined
      ? {}
      : { encryptedRefreshToken: await resealer.sealed(refreshTokenContext(backup), refresh) }),
  };
  await putMissing(into, sealed);
}
