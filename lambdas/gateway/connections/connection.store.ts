import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../contract.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import { eventFromItem, eventPut, writeTogether, writeTransition } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { cloudProjectOf } from '../integrations/integration.rules.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { num, readable, str } from '../platform/dynamodb/item-reader.ts';
import { connectionItemKey, connectionPk, EVENT_SK_PREFIX, grantKey } from '../platform/dynamodb/keys.ts';
import { releaseLease, storeTokens, takeLease } from '../tokens/lease.store.ts';
import { revocationToItem } from '../tokens/revocation.store.ts';
import type { Connection, RefreshLease } from './connection.rules.ts';
import { connectionFromItem } from './connection-item.store.ts';
import { listConnections } from './connection-list.store.ts';
import { deleteConnection } from './delete-connection.store.ts';
import type { ConnectionStore, GrantSharer, LeaseRequest, StoredTokens } from './ports.ts';
import { connectionPut, saveAuthorized } from './save-connection.store.ts';

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

    save: (connection, replacing, event) =>
      writeTransition(table, connectionPut(tableName, connection, replacing), event),

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
              'SET #status = :dead, cause = :cause, death = :death, #sequence = :sequence, updatedAt = :now ' +
              'REMOVE refreshLease, attemptHash, lostHash, retryAt, dueShard, refreshAt, grantKey, grantClientId',
            ConditionExpression: 'epoch = :epoch AND #status = :active AND #sequence = :before',
            ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
            ExpressionAttributeValues: {
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
      ),

    async noteUse(connection, nowEpochSec, refreshAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(connection),
            UpdateExpression: 'SET lastUsedAtEpochSec = :now, refreshAt = :refreshAt',
            // A refresh in the meantime has set a later refreshAt of its own: it must not be pulled back.
            ConditionExpression: '#status = :active AND tokenEpoch = :tokenEpoch AND attribute_exists(dueShard)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':now': nowEpochSec,
              ':refreshAt': refreshAtEpochSec,
              ':active': 'active',
              ':tokenEpoch': connection.tokenEpoch,
            },
          }),
        ),
      );
    },

    async updateDescription(connection, event) {
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
          ':next': event === undefined ? connection.sequence : event.sequence,
          ':sequence': connection.sequence,
          ':deleted': 'deleted',
          ...(connection.endUser === undefined
            ? {}
            : { ':endUser': connection.endUser, ':endUserId': connection.endUser.id }),
          ...(connection.metadata === undefined ? {} : { ':metadata': connection.metadata }),
        },
      };
      if (event !== undefined) return writeTransition(table, { Update: write }, event);
      return isDone(client.send(new UpdateCommand(write)));
    },

    delete: (connection, event, revocation) => deleteConnection(table, connection, event, revocation),

    async readRemains(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: connectionItemKey(ref), ConsistentRead: true }),
      );
      if (Item === undefined || Item.status === 'deleted') return undefined;
      const { sequence, encryptedRefreshToken, clientId } = Item;
      return {
        sequence: typeof sequence === 'number' ? sequence : 0,
        grant:
          typeof encryptedRefreshToken === 'string' && typeof clientId === 'string'
            ? { encryptedRefreshToken, clientId }
            : undefined,
      };
    },

    async deleteRemains(ref, event, revocation) {
      const removal = {
        Delete: { TableName: tableName, Key: connectionItemKey(ref), ConditionExpression: 'attribute_exists(pk)' },
      };
      const pending =
        revocation === undefined ? [] : [{ Put: { TableName: tableName, Item: revocationToItem(revocation) } }];
      return (await writeTogether(table, [removal, eventPut(tableName, event), ...pending])) === undefined;
    },

    list: (accountId, filter, limit, cursor) => listConnections(table, accountId, filter, limit, cursor),

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
