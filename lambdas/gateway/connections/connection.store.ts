import { isDeepStrictEqual } from 'node:util';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { LISTED_HEALTH_ATTRIBUTES, TABLE } from '../core/contract.ts';
import { type ConnectionRef, cloudProjectOf } from '../core/identifiers.ts';
import { CALLS_REPORT_TIMEOUT_MS, LEASE_CLOCK_TOLERANCE_SEC } from '../core/limits.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import {
  connectionRefFromItem,
  type Item,
  isConditionFailure,
  isDone,
  num,
  readable,
  str,
  type Table,
} from '../platform/dynamodb/client.ts';
import { connectionItemKey, grantKey, sessionItemKey, unconfirmedOfSk } from '../platform/dynamodb/keys.ts';
import { isProviderId } from '../providers/provider.rules.ts';
import { CONNECTED_STATUSES, NOT_YET_CONNECTED, pickPut } from './authorized-session.store.ts';
import type { Connection, LeaseRelease, RefreshLease } from './connection.rules.ts';
import { connectionFromItem, factsFromItem, factsToItem, remainsOf } from './connection-item.store.ts';
import { countConnections, listConnections, listEvents, passOverConnections } from './connection-list.store.ts';
import { tombstone, withDeath, withExplainedDeath, withRefusal, withTokens } from './connection-write.rules.ts';
import { forgetConnection, rowIn, type TransactItem, writeConnection } from './connection-write.store.ts';
import { revocationToItem } from './due.store.ts';
import { isUsed, listedFactsOf, useAt } from './health.rules.ts';
import type {
  AuthorizedSession,
  CallFaultStore,
  ConnectionStore,
  GrantSharer,
  LeaseRequest,
  LeaseResult,
  PendingRevocation,
} from './ports.ts';
import { unconfirmedDelete } from './unconfirmed-grant.store.ts';

/**
 * Writes connection, events and the session's end together, so that one session yields at most one connection (CS-1). A session whose
 * connection lacks scopes may write that connection again.
 */
export async function saveAuthorized(
  table: Table,
  connection: Connection,
  replacing: Connection | undefined,
  events: readonly LifecycleEvent[],
  session: AuthorizedSession,
): Promise<'saved' | 'session_over' | 'conflict'> {
  const endSession = {
    Update: {
      TableName: table.tableName,
      Key: sessionItemKey(session.sessionHash),
      // From now on the connection names its owner, as long as it exists.
      UpdateExpression:
        'SET #status = :connected, #outcome = :outcome, mayAskAgain = :again, tags = :untagged REMOVE endUser',
      ...endCondition(session, connection),
    },
  };
  const written = await writeConnection(table, {
    happened: { kind: 'saved' },
    before: replacing,
    after: connection,
    events,
    others: [
      endSession,
      ...(session.unconfirmed === undefined ? [] : [unconfirmedDelete(table.tableName, session.unconfirmed)]),
      ...(session.pick === undefined ? [] : [pickPut(table.tableName, connection, session.pick)]),
    ],
  });
  if (written.done) return 'saved';
  const [isSessionOver, isNoLongerUnconfirmed] = written.others;
  const isOver = isSessionOver === true || (session.unconfirmed !== undefined && isNoLongerUnconfirmed === true);
  return isOver ? 'session_over' : 'conflict';
}

/** A session ends once: with its connection, or with the confirmation of its grant. */
function endCondition(session: AuthorizedSession, connection: Connection) {
  const names = { '#status': 'status', '#outcome': 'outcome' };
  const values = {
    ':connected': 'connected',
    ':outcome': session.outcome,
    ':again': session.mayAskAgain,
    ':untagged': {},
  };
  if (session.unconfirmed !== undefined) {
    return {
      ConditionExpression: 'attribute_exists(pk) AND #status = :waiting',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':waiting': CONNECTED_STATUSES[':waiting'] },
    };
  }
  return {
    ConditionExpression: `attribute_exists(pk) AND ((${NOT_YET_CONNECTED}) OR (mayAskAgain = :true AND #outcome.connectionId = :connection))`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ...values,
      ...CONNECTED_STATUSES,
      ':true': true,
      ':connection': connection.connectionId,
    },
  };
}

/** The revocation to send to the provider when its connection ends. */
function pendingPuts(tableName: string, revocation: PendingRevocation | undefined): TransactItem[] {
  return revocation === undefined ? [] : [{ Put: { TableName: tableName, Item: revocationToItem(revocation) } }];
}

async function readItem({ client, tableName }: Table, ref: ConnectionRef): Promise<Item | undefined> {
  const Key = connectionItemKey(ref);
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
  return Item;
}

/** Connections in the one table. A transition and its event are one transaction; token writes are fenced by the epoch. */
export function connectionStore(table: Table): ConnectionStore {
  const { client, tableName } = table;

  return {
    async read(ref) {
      const item = await readItem(table, ref);
      return item === undefined ? undefined : connectionFromItem(item);
    },

    async save(after, before, event) {
      return (await writeConnection(table, { happened: { kind: 'saved' }, before, after, events: [event] })).done;
    },

    saveAuthorized: (connection, replacing, events, session) =>
      saveAuthorized(table, connection, replacing, events, session),

    takeLease: (known: Connection, request: LeaseRequest) => takeLease(table, known, request),
    releaseLease: (connection, lease, next) => releaseLease(table, connection, lease, next),

    async storeTokens(before, lease, tokens, events = []) {
      const [first] = events;
      const renewed = withTokens(before, lease, tokens);
      const numbered = { sequence: before.sequence + events.length, updatedAt: first?.occurredAt ?? before.updatedAt };
      const after = { ...renewed, ...numbered };
      const written = await writeConnection(table, { happened: { kind: 'refreshed', lease }, before, after, events });
      if (written.done) {
        if (events.length === 0) await refreshLists(table, before, written.row);
        return true;
      }
      // A retry after a lost reply fails because of its own success: the row then has this lease's epoch as its token epoch.
      const row = written.row ?? (events.length === 0 ? await readItem(table, before) : undefined);
      return row?.status === 'active' && row.tokenEpoch === lease.epoch;
    },

    async reportRefusal(before, lease, next, event) {
      const after = withRefusal(before, next, event);
      const happened = { kind: 'refused', lease, answered: next.answered } as const;
      return (await writeConnection(table, { happened, before, after, events: [event] })).done;
    },

    async markDead(before, lease, death, event) {
      const after = withDeath(before, death, event);
      return (await writeConnection(table, { happened: { kind: 'died', lease }, before, after, events: [event] })).done;
    },

    async explainDeath(before, death, event) {
      const after = withExplainedDeath(before, death, event);
      const events = event === undefined ? [] : [event];
      return (await writeConnection(table, { happened: { kind: 'explained' }, before, after, events })).done;
    },

    async dropAccessToken(before) {
      const after = { ...before, accessTokenExpiresAtEpochSec: 0 };
      await writeConnection(table, { happened: { kind: 'token_dropped' }, before, after });
    },

    async noteUse(known, nowEpochSec, refreshAtEpochSec) {
      const note = (before: Connection, due: number | undefined) => {
        const after = { ...before, lastUsedAtEpochSec: useAt(before, nowEpochSec), refreshAtEpochSec: due };
        return writeConnection(table, { happened: { kind: 'used' }, before, after });
      };
      const written = await note(known, refreshAtEpochSec);
      if (written.done || isUsed(known) || written.row === undefined) return;
      // Health follows from the first use: after a concurrent refresh or warning it is recorded on the current row.
      const [current] = readable([written.row], connectionFromItem, table.onUnreadable);
      const isSame = current?.numericId === known.numericId && current.status === 'active';
      if (current !== undefined && isSame && !isUsed(current)) await note(current, current.refreshAtEpochSec);
    },

    async updateDescription(connection, before, event) {
      const after = { ...connection, sequence: event.sequence };
      return (await writeConnection(table, { happened: { kind: 'described' }, before, after, events: [event] })).done;
    },

    async setRecording(before, event) {
      const happened = { kind: 'recording_changed' } as const;
      const after = { ...before, sequence: event.sequence };
      return (await writeConnection(table, { happened, before, after, events: [event] })).done;
    },

    async warn(before, warning, event) {
      const given = warning.kind === 'expiry' ? { expiryWarnings: warning.number } : { limitWarned: true };
      const happened = { kind: 'warned', of: warning.kind } as const;
      const after = { ...before, ...given, sequence: event.sequence };
      return (await writeConnection(table, { happened, before, after, events: [event] })).done;
    },

    async delete(before, event, revocation) {
      const after = tombstone(before, event, revocation !== undefined);
      const others = pendingPuts(tableName, revocation);
      const write = { happened: { kind: 'deleted' }, before, after, events: [event], others } as const;
      return (await writeConnection(table, write)).done;
    },

    async readRemains(ref) {
      const item = await readItem(table, ref);
      if (item === undefined || item.status === 'deleted') return undefined;
      const { sequence, provider, encryptedRefreshToken, clientId } = item;
      return {
        sequence: typeof sequence === 'number' ? sequence : 0,
        listed: remainsOf(item),
        grant:
          typeof provider === 'string' &&
          isProviderId(provider) &&
          typeof encryptedRefreshToken === 'string' &&
          typeof clientId === 'string'
            ? { provider, encryptedRefreshToken, clientId }
            : undefined,
      };
    },

    async deleteRemains(ref, { listed }, event, revocation) {
      const others = pendingPuts(tableName, revocation);
      return (await forgetConnection(table, ref, { remains: listed, events: [event], others })).done;
    },

    list: (accountId, filter, limit, cursor, order) => listConnections(table, accountId, filter, limit, cursor, order),
    passOver: (accountId, count, cursor, order) => passOverConnections(table, accountId, count, cursor, order),
    count: (accountId, filter) => countConnections(table, accountId, filter),

    async reschedule(before, refreshAtEpochSec) {
      await writeConnection(table, {
        happened: { kind: 'rescheduled' },
        before,
        after: { ...before, refreshAtEpochSec },
      });
    },

    async noteGrantEnded(ref, endedAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(ref),
            UpdateExpression: 'SET grantEndedAtEpochSec = :ended',
            ConditionExpression: '#status = :active AND consentedAtEpochSec <= :ended',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':ended': endedAtEpochSec, ':active': 'active' },
          }),
        ),
      );
    },

    async sharingGrant(clientId, subject, limit) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: TABLE.indexes.byGrant.name,
          KeyConditionExpression: 'grantKey = :grant',
          ExpressionAttributeValues: { ':grant': grantKey(cloudProjectOf(clientId), subject) },
          Limit: limit,
        }),
      );
      return readable(
        Items,
        (item): GrantSharer => ({
          ...connectionRefFromItem(item),
          clientId: str(item, 'grantClientId'),
          consentedAtEpochSec: num(item, 'consentedAtEpochSec'),
          unconfirmed: unconfirmedOfSk(str(item, 'sk')),
        }),
        table.onUnreadable,
      ).sort((a, b) => b.consentedAtEpochSec - a.consentedAtEpochSec);
    },

    events: (ref, limit, beforeEventId) => listEvents(table, ref, limit, beforeEventId),
  };
}

/** Marks connections whose calls the provider refuses, and removes the mark. Each at most once, in the background. */
export function callFaults(table: Table): CallFaultStore {
  const timeoutMs = CALLS_REPORT_TIMEOUT_MS;
  return {
    async mark(before, callFault) {
      await writeConnection(table, {
        happened: { kind: 'fault_marked' },
        // This process may have read the row while it had an earlier mark.
        before: { ...before, callFault: undefined },
        after: { ...before, callFault },
        timeoutMs,
      });
    },
    async clear(connection, clearedAt) {
      // This process may have marked it after it read the row.
      const callFault = connection.callFault ?? { status: 0, reason: undefined, sinceEpochSec: 0 };
      const after = { ...connection, callFault: undefined, updatedAt: clearedAt };
      const before = { ...connection, callFault };
      await writeConnection(table, { happened: { kind: 'fault_cleared' }, before, after, timeoutMs });
    },
  };
}

/**
 * Writes a connection's facts in lists again where its first use or a warning came during the refresh. A failure here is repaired by
 * the next refresh.
 *
 * @param shown the row after the write; undefined where the write was one of several items, which returns none
 */
async function refreshLists(table: Table, ref: ConnectionRef, shown: Item | undefined): Promise<void> {
  try {
    const row = shown ?? (await readItem(table, ref));
    if (row === undefined) return;
    const connection = connectionFromItem(row);
    if (isDeepStrictEqual(factsFromItem(row), listedFactsOf(connection))) return;
    await writeConnection(table, { happened: { kind: 'facts_listed' }, before: connection, after: connection });
  } catch {
    // The tokens are written, which is all that the caller needs.
  }
}

/** Step 1 of the protocol in `lease.ts`: takes the lease by one conditional write. A lost reply shows as a refusal whose row carries our own `attemptId`. */
export async function takeLease(table: Table, known: Connection, request: LeaseRequest): Promise<LeaseResult> {
  const lease: RefreshLease = {
    owner: request.owner,
    epoch: known.epoch + 1,
    expiresAtEpochSec: request.expiresAtEpochSec,
  };
  // An attempt that never closed may have used up its token: its hash explains a later death.
  const lostHash = known.attemptHash ?? known.lostHash;
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(known),
        UpdateExpression: `SET refreshLease = :lease, epoch = :next, attemptId = :attempt, attemptHash = :hash${
          lostHash === undefined ? '' : ', lostHash = :lost'
        }${request.afterRefusal === true ? ', forcedRefreshAtEpochSec = :now' : ''}`,
        ConditionExpression:
          // Writing tokens leaves the epoch unchanged, so the token epoch shows whether the refresh token read is still the row's.
          `#status IN (:active${request.evenIfDead ? ', :dead' : ''}) AND epoch = :epoch AND tokenEpoch = :tokenEpoch ` +
          // A death that erases the token leaves it unchanged, too (RI-16).
          'AND attribute_exists(encryptedRefreshToken) ' +
          'AND (attribute_not_exists(refreshLease) OR refreshLease.expiresAtEpochSec <= :now ' +
          // A holder whose clock was a day ahead must not hold the connection for a day (F28); the epoch fences it.
          'OR refreshLease.expiresAtEpochSec > :impossible) ' +
          // So does returning a lease: an attempt that was closed meanwhile must not be called lost.
          (known.attemptHash === undefined ? 'AND attribute_not_exists(attemptHash)' : 'AND attemptHash = :open'),
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':lease': lease,
          ':next': lease.epoch,
          ':attempt': request.attemptId,
          ':hash': request.attemptHash,
          ':active': 'active',
          ...(request.evenIfDead ? { ':dead': 'reauthorization_required' } : {}),
          ':epoch': known.epoch,
          ':tokenEpoch': known.tokenEpoch,
          ':now': request.nowEpochSec,
          ':impossible': request.expiresAtEpochSec + LEASE_CLOCK_TOLERANCE_SEC,
          ...(known.attemptHash === undefined ? {} : { ':open': known.attemptHash }),
          ...(lostHash === undefined ? {} : { ':lost': lostHash }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { taken: true, lease, lostHash };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const current = storedItem(error);
    if (current?.attemptId === request.attemptId && current.refreshLease !== undefined) {
      return { taken: true, lease: current.refreshLease, lostHash: current.lostHash };
    }
    return { taken: false, current };
  }
}

/** Returns the lease on condition that it is still this one; a later owner's lease is never touched. */
export async function releaseLease(
  table: Table,
  connection: Connection,
  lease: RefreshLease,
  next: LeaseRelease,
): Promise<void> {
  const { retryAtEpochSec: due, refusal } = next;
  // Lists contain the error by which the provider currently refuses.
  const isReported = refusal?.toldAtEpochSec !== undefined;
  const sets = [
    'failureCount = :failures',
    ...(due === undefined ? [] : ['retryAt = :retryAt']),
    // A dead connection is not due; it was refreshed by hand. One without a person never is.
    ...(due === undefined || connection.status !== 'active' || connection.delegated === true
      ? []
      : ['refreshAt = :retryAt']),
    ...(refusal === undefined ? [] : ['refreshRefusal = :refusal']),
    ...(isReported ? [`${LISTED_HEALTH_ATTRIBUTES.facts} = :facts`] : []),
  ];
  const removed = [
    'refreshLease',
    ...(next.answered ? ['attemptHash'] : []),
    ...(due === undefined ? ['retryAt'] : []),
  ];
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(connection),
        UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removed.join(', ')}`,
        ConditionExpression: 'epoch = :epoch AND refreshLease.#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':failures': next.failureCount,
          ':epoch': lease.epoch,
          ':owner': lease.owner,
          ...(due === undefined ? {} : { ':retryAt': due }),
          ...(refusal === undefined ? {} : { ':refusal': refusal }),
          ...(isReported ? { ':facts': factsToItem({ ...connection, refreshRefusal: refusal }) } : {}),
        },
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}

function storedItem(error: unknown): Connection | undefined {
  const row = rowIn(error);
  return row === undefined ? undefined : connectionFromItem(row);
}
