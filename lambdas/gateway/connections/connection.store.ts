import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { pickPut } from '../authorization/pick.store.ts';
import { CONNECTED_STATUSES, NOT_YET_CONNECTED } from '../authorization/session.store.ts';
import { LISTED_HEALTH_ATTRIBUTES, TABLE } from '../contract.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import { TTL_GRACE_SEC } from '../core/limits.ts';
import { eventFromItem, eventPut, writeTransition } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { cloudProjectOf } from '../integrations/integration.rules.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { num, readable, str } from '../platform/dynamodb/item-reader.ts';
import {
  connectionItemKey,
  connectionPk,
  EVENT_SK_PREFIX,
  grantKey,
  sessionItemKey,
  unconfirmedOfSk,
} from '../platform/dynamodb/keys.ts';
import { isProviderId } from '../providers/provider.rules.ts';
import { releaseLease, storeTokens, takeLease } from '../tokens/lease.store.ts';
import type { PendingRevocation } from '../tokens/ports.ts';
import { revocationToItem } from '../tokens/revocation.store.ts';
import type { Connection, RefreshLease } from './connection.rules.ts';
import { connectionFromItem, connectionToItem, factsToItem } from './connection-item.store.ts';
import { countConnections, listConnections, passOverConnections } from './connection-list.store.ts';
import { writeWithSearch } from './connection-search.store.ts';
import { listedFactsOf } from './health.rules.ts';
import { deadPuts } from './listed-rows.store.ts';
import type { AuthorizedSession, ConnectionStore, GrantSharer, LeaseRequest, StoredTokens } from './ports.ts';
import { unconfirmedDelete } from './unconfirmed-grant.store.ts';

/** The transaction's part that writes a connection, fenced by epoch and sequence of the row it replaces. */
function connectionPut(tableName: string, connection: Connection, replacing: Connection | undefined) {
  return {
    Put: {
      TableName: tableName,
      Item: connectionToItem(connection),
      ...(replacing === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: 'epoch = :epoch AND #sequence = :sequence',
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: { ':epoch': replacing.epoch, ':sequence': replacing.sequence },
          }),
    },
  };
}

/**
 * Writes connection, events and the session's end together, so that one session yields at most one connection (CS-1).
 * A session whose connection lacks scopes may write that one connection again.
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
      UpdateExpression: 'SET #status = :connected, #outcome = :outcome, mayAskAgain = :again',
      ...endCondition(session, connection),
    },
  };
  const items = [
    endSession,
    connectionPut(table.tableName, connection, replacing),
    ...(session.unconfirmed === undefined ? [] : [unconfirmedDelete(table.tableName, session.unconfirmed)]),
    ...(session.pick === undefined ? [] : [pickPut(table.tableName, connection, session.pick)]),
    ...events.map((event) => eventPut(table.tableName, event)),
  ];
  const failed = await writeWithSearch(table, connection, replacing, connection, items, connection.updatedAt);
  if (failed === undefined) return 'saved';
  const isOver = failed[0] === true || (session.unconfirmed !== undefined && failed[2] === true);
  return isOver ? 'session_over' : 'conflict';
}

/** A session ends once: with its connection, or with the confirmation of what waits for it. */
function endCondition(session: AuthorizedSession, connection: Connection) {
  const names = { '#status': 'status', '#outcome': 'outcome' };
  const values = { ':connected': 'connected', ':outcome': session.outcome, ':again': session.mayAskAgain };
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

/**
 * Leaves a row without tokens or personal data, its event and, where asked for, the pending revocation: all or nothing
 * (TK-8). False when the row has changed or is deleted already.
 */
export async function deleteConnection(
  table: Table,
  connection: Connection,
  event: LifecycleEvent,
  revocation: PendingRevocation | undefined,
): Promise<boolean> {
  const { tableName } = table;
  const tombstone = {
    Put: {
      TableName: tableName,
      Item: {
        ...connectionToItem({
          ...connection,
          status: 'deleted',
          death: undefined,
          encryptedAccessToken: undefined,
          encryptedRefreshToken: undefined,
          refreshLease: undefined,
          attemptId: undefined,
          attemptHash: undefined,
          lostHash: undefined,
          endUser: undefined,
          tags: {},
          metadata: undefined,
          providerAccount: undefined,
          expiryWarnings: undefined,
          limitWarned: undefined,
          revocationRequested: revocation === undefined ? undefined : true,
          // A refresh in flight holds a lower epoch, so its answer can no longer be stored.
          epoch: connection.epoch + 1,
          sequence: event.sequence,
          updatedAt: event.occurredAt,
        }),
        [TABLE.timeToLive]: Math.floor(Date.parse(event.occurredAt) / 1000) + TTL_GRACE_SEC,
      },
      ConditionExpression: 'epoch = :epoch AND #sequence = :sequence AND #status <> :deleted',
      ExpressionAttributeNames: { '#sequence': 'sequence', '#status': 'status' },
      ExpressionAttributeValues: {
        ':epoch': connection.epoch,
        ':sequence': connection.sequence,
        ':deleted': 'deleted',
      },
    },
  };
  const pending =
    revocation === undefined ? [] : [{ Put: { TableName: tableName, Item: revocationToItem(revocation) } }];
  const items = [tombstone, eventPut(tableName, event), ...pending];
  return (await writeWithSearch(table, connection, connection, undefined, items)) === undefined;
}

/** Connections in the one table. A transition and its event are one transaction; token writes are fenced by the epoch. */
export function connectionStore(table: Table): ConnectionStore {
  const { client, tableName } = table;

  return {
    async read(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: connectionItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : connectionFromItem(Item);
    },

    async save(connection, replacing, event) {
      const items = [connectionPut(tableName, connection, replacing), eventPut(tableName, event)];
      return (await writeWithSearch(table, connection, replacing, connection, items)) === undefined;
    },

    saveAuthorized: (connection, replacing, events, session) =>
      saveAuthorized(table, connection, replacing, events, session),

    takeLease: (known: Connection, request: LeaseRequest) => takeLease(table, known, request),
    storeTokens: (connection: Connection, lease: RefreshLease, tokens: StoredTokens) =>
      storeTokens(table, connection, lease, tokens),
    releaseLease: (connection, lease, next) => releaseLease(table, connection, lease, next),

    markDead: (connection: Connection, lease: RefreshLease, death: GrantDeath, event: LifecycleEvent) =>
      writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: connectionItemKey(connection),
            UpdateExpression:
              'SET #status = :dead, cause = :cause, death = :death, #facts = :facts, #sequence = :sequence, updatedAt = :now ' +
              'REMOVE refreshLease, attemptHash, lostHash, retryAt, dueShard, refreshAt, grantKey, grantClientId',
            ConditionExpression: 'epoch = :epoch AND #status = :active AND #sequence = :before',
            ExpressionAttributeNames: {
              '#status': 'status',
              '#sequence': 'sequence',
              '#facts': LISTED_HEALTH_ATTRIBUTES.facts,
            },
            ExpressionAttributeValues: {
              ':facts': factsToItem({ ...connection, death }),
              ':before': event.sequence - 1,
              ':dead': 'reauthorization_required',
              ':cause': death.cause,
              ':death': death,
              ':sequence': event.sequence,
              ':now': event.occurredAt,
              ':epoch': lease.epoch,
              ':active': 'active',
            },
          },
        },
        event,
        deadPuts(table, connection, death.cause),
      ),

    async noteUse(connection, nowEpochSec, refreshAtEpochSec) {
      // Lists are told of the first use alone: theirs is a copy that costs a write of its own.
      const isFirst = !listedFactsOf(connection).isUsed;
      const used = { ...connection, lastUsedAtEpochSec: nowEpochSec };
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(connection),
            UpdateExpression: `SET lastUsedAtEpochSec = :now, refreshAt = :refreshAt${isFirst ? ', #facts = :facts' : ''}`,
            // A refresh in the meantime has set a later refreshAt of its own: it must not be pulled back.
            ConditionExpression: '#status = :active AND tokenEpoch = :tokenEpoch AND attribute_exists(dueShard)',
            ExpressionAttributeNames: {
              '#status': 'status',
              ...(isFirst ? { '#facts': LISTED_HEALTH_ATTRIBUTES.facts } : {}),
            },
            ExpressionAttributeValues: {
              ...(isFirst ? { ':facts': factsToItem(used) } : {}),
              ':now': nowEpochSec,
              ':refreshAt': refreshAtEpochSec,
              ':active': 'active',
              ':tokenEpoch': connection.tokenEpoch,
            },
          }),
        ),
      );
    },

    async updateDescription(connection, before, event) {
      const write = {
        TableName: tableName,
        Key: connectionItemKey(connection),
        UpdateExpression:
          'SET tags = :tags, updatedAt = :now, #sequence = :next' +
          (connection.endUser === undefined ? '' : ', endUser = :endUser, endUserId = :endUserId') +
          (connection.metadata === undefined ? '' : ', metadata = :metadata'),
        ConditionExpression: '#status <> :deleted AND #sequence = :sequence',
        ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
        ExpressionAttributeValues: {
          ':tags': connection.tags,
          ':now': connection.updatedAt,
          ':next': event.sequence,
          ':sequence': connection.sequence,
          ':deleted': 'deleted',
          ...(connection.endUser === undefined
            ? {}
            : { ':endUser': connection.endUser, ':endUserId': connection.endUser.id }),
          ...(connection.metadata === undefined ? {} : { ':metadata': connection.metadata }),
        },
      };
      const items = [{ Update: write }, eventPut(tableName, event)];
      return (await writeWithSearch(table, connection, before, connection, items)) === undefined;
    },

    setRecording(connection, event) {
      const { callsRecordedUntilEpochSec: until } = connection;
      const isSet = until !== undefined;
      return writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: connectionItemKey(connection),
            UpdateExpression:
              `SET updatedAt = :now, #sequence = :next${isSet ? ', callsRecordedUntilEpochSec = :until' : ''}` +
              (isSet ? '' : ' REMOVE callsRecordedUntilEpochSec'),
            ConditionExpression: '#status <> :deleted AND #sequence = :sequence',
            ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
            ExpressionAttributeValues: {
              ':now': connection.updatedAt,
              ':next': event.sequence,
              ':sequence': connection.sequence,
              ':deleted': 'deleted',
              ...(isSet ? { ':until': until } : {}),
            },
          },
        },
        event,
      );
    },

    delete: (connection, event, revocation) => deleteConnection(table, connection, event, revocation),

    async readRemains(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: connectionItemKey(ref), ConsistentRead: true }),
      );
      if (Item === undefined || Item.status === 'deleted') return undefined;
      const { sequence, provider, encryptedRefreshToken, clientId } = Item;
      return {
        sequence: typeof sequence === 'number' ? sequence : 0,
        grant:
          typeof provider === 'string' &&
          isProviderId(provider) &&
          typeof encryptedRefreshToken === 'string' &&
          typeof clientId === 'string'
            ? { provider, encryptedRefreshToken, clientId }
            : undefined,
      };
    },

    async deleteRemains(ref, event, revocation) {
      const removal = {
        Delete: { TableName: tableName, Key: connectionItemKey(ref), ConditionExpression: 'attribute_exists(pk)' },
      };
      const pending =
        revocation === undefined ? [] : [{ Put: { TableName: tableName, Item: revocationToItem(revocation) } }];
      const items = [removal, eventPut(tableName, event), ...pending];
      return (await writeWithSearch(table, ref, undefined, undefined, items)) === undefined;
    },

    list: (accountId, filter, limit, cursor, order) => listConnections(table, accountId, filter, limit, cursor, order),
    passOver: (accountId, count, cursor, order) => passOverConnections(table, accountId, count, cursor, order),
    count: (accountId, filter) => countConnections(table, accountId, filter),

    async reschedule(connection, refreshAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(connection),
            ...(refreshAtEpochSec === undefined
              ? { UpdateExpression: 'REMOVE dueShard, refreshAt' }
              : { UpdateExpression: 'SET refreshAt = :refreshAt' }),
            ConditionExpression: 'epoch = :epoch AND tokenEpoch = :tokenEpoch',
            ExpressionAttributeValues: {
              ':epoch': connection.epoch,
              ':tokenEpoch': connection.tokenEpoch,
              ...(refreshAtEpochSec === undefined ? {} : { ':refreshAt': refreshAtEpochSec }),
            },
          }),
        ),
      );
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
          accountId: str(item, 'accountId'),
          integrationId: str(item, 'integrationId'),
          connectionId: str(item, 'connectionId'),
          clientId: str(item, 'grantClientId'),
          consentedAtEpochSec: num(item, 'consentedAtEpochSec'),
          unconfirmed: unconfirmedOfSk(str(item, 'sk')),
        }),
        table.onUnreadable,
      ).sort((a, b) => b.consentedAtEpochSec - a.consentedAtEpochSec);
    },

    async events(ref, limit, beforeEventId) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':pk': connectionPk(ref),
            ':first': EVENT_SK_PREFIX,
            // Every event id sorts before `~`; the named one itself is left out below.
            ':last': EVENT_SK_PREFIX + (beforeEventId ?? '~'),
          },
          ScanIndexForward: false,
          Limit: beforeEventId === undefined ? limit : limit + 1,
        }),
      );
      const found = Items.filter(({ sk }) => sk !== EVENT_SK_PREFIX + beforeEventId).slice(0, limit);
      const last = found.length === limit ? found.at(-1) : undefined;
      return {
        events: readable(found, eventFromItem, table.onUnreadable),
        next: last === undefined ? undefined : str(last, 'sk').slice(EVENT_SK_PREFIX.length),
      };
    },
  };
}
