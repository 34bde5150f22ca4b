import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { eventPut } from '../events/event-item.store.ts';
import { writeTogether, writeTransition } from '../events/transition.store.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { readable } from '../platform/dynamodb/item-reader.ts';
import { accountPk, INTEGRATION_SK_PREFIX, integrationItemKey } from '../platform/dynamodb/keys.ts';
import type { Integration } from './integration.rules.ts';
import { moveCoolDown, replaceSuspicion } from './integration-cool-down.store.ts';
import { integrationFromItem, integrationToItem } from './integration-item.store.ts';
import type { IntegrationStore } from './ports.ts';

/** Integrations in the one table, beside their account. */
export function integrationStore(table: Table): IntegrationStore {
  const { client, tableName } = table;
  return {
    async get(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: integrationItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : integrationFromItem(Item);
    },

    async secretIdOf(ref) {
      const { Item } = await client.send(
        new GetCommand({
          TableName: tableName,
          Key: integrationItemKey(ref),
          ProjectionExpression: 'secretId',
          ConsistentRead: true,
        }),
      );
      const secretId: unknown = Item?.secretId;
      return typeof secretId === 'string' ? secretId : undefined;
    },

    async list(accountId, most) {
      const integrations: Integration[] = [];
      let startKey: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: { ':pk': accountPk(accountId), ':prefix': INTEGRATION_SK_PREFIX },
            ExclusiveStartKey: startKey,
            ...(most === undefined ? {} : { Limit: most - integrations.length }),
          }),
        );
        integrations.push(...readable(Items, integrationFromItem, table.onUnreadable));
        startKey = LastEvaluatedKey;
      } while (startKey !== undefined && integrations.length < (most ?? Number.POSITIVE_INFINITY));
      return integrations.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },

    create: (integration, event) =>
      writeTransition(
        table,
        {
          Put: {
            TableName: tableName,
            Item: integrationToItem(integration),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        event,
      ),

    update: (integration, expectedVersion, event) =>
      writeTransition(
        table,
        {
          Put: {
            TableName: tableName,
            Item: integrationToItem(integration),
            ConditionExpression: 'version = :version',
            ExpressionAttributeValues: { ':version': expectedVersion },
          },
        },
        event,
      ),

    delete: (ref, event) =>
      writeTransition(
        table,
        {
          Delete: {
            TableName: tableName,
            Key: integrationItemKey(ref),
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        event,
      ),

    async rename(from, to, event) {
      const failed = await writeTogether(table, [
        { Put: { TableName: tableName, Item: integrationToItem(to), ConditionExpression: 'attribute_not_exists(pk)' } },
        {
          Delete: {
            TableName: tableName,
            Key: integrationItemKey(from),
            ConditionExpression: 'version = :version',
            ExpressionAttributeValues: { ':version': from.version },
          },
        },
        eventPut(tableName, event),
      ]);
      if (failed === undefined) return 'renamed';
      return failed[0] === true ? 'taken' : 'conflict';
    },

    async markClientFault(ref, mark, event) {
      const Key = integrationItemKey(ref);
      const first = await writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key,
            UpdateExpression: 'SET clientFault = :mark, #sequence = :sequence, version = version + :one',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(clientFault) AND #sequence = :before',
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: {
              ':mark': mark,
              ':sequence': event.sequence,
              ':before': event.sequence - 1,
              ':one': 1,
            },
          },
        },
        event,
      );
      if (!first) await moveCoolDown(table, Key, mark);
    },

    noteSuspicion: (ref, before, next) => replaceSuspicion(table, integrationItemKey(ref), before, next),

    async noteTesting(ref, what, consentedAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: integrationItemKey(ref),
            UpdateExpression: 'SET #at = :at',
            ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(#at) OR #at < :at)',
            ExpressionAttributeNames: { '#at': what === 'seen' ? 'testingSeenAtEpochSec' : 'testingOverAtEpochSec' },
            ExpressionAttributeValues: { ':at': consentedAtEpochSec },
          }),
        ),
      );
    },

    async clearClientFault(ref, event) {
      await writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: integrationItemKey(ref),
            UpdateExpression: 'SET #sequence = :sequence, version = version + :one REMOVE clientFault',
            ConditionExpression: 'attribute_exists(clientFault) AND #sequence = :before',
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: { ':sequence': event.sequence, ':before': event.sequence - 1, ':one': 1 },
          },
        },
        event,
      );
    },
  };
}
