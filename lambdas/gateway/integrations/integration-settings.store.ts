/** Operators' actions on integrations: list, change and delete. Functions for end users and calls do not include them. */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { IntegrationRef } from '../core/identifiers.ts';
import { eventPut, writeTogether, writeTransition } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { readable, type Table } from '../platform/dynamodb/client.ts';
import { accountPk, INTEGRATION_SK_PREFIX, integrationItemKey } from '../platform/dynamodb/keys.ts';
import type { Integration } from './integration.rules.ts';
import { integrationFromItem, integrationToItem } from './integration-item.store.ts';

/** `secretIdOf` of the integration store. */
export async function readSecretId({ client, tableName }: Table, ref: IntegrationRef): Promise<string | undefined> {
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
}

/** `list` of the integration store. */
export async function listIntegrations(
  table: Table,
  accountId: string,
  most: number | undefined,
): Promise<Integration[]> {
  const integrations: Integration[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
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
}

/** `update` of the integration store. */
export function updateIntegration(
  table: Table,
  integration: Integration,
  expectedVersion: number,
  event: LifecycleEvent,
): Promise<boolean> {
  return writeTransition(
    table,
    {
      Put: {
        TableName: table.tableName,
        Item: integrationToItem(integration),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': expectedVersion },
      },
    },
    event,
  );
}

/** `delete` of the integration store. */
export function deleteIntegration(table: Table, ref: IntegrationRef, event: LifecycleEvent): Promise<boolean> {
  return writeTransition(
    table,
    {
      Delete: {
        TableName: table.tableName,
        Key: integrationItemKey(ref),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    event,
  );
}

/** `rename` of the integration store. */
export async function renameIntegration(
  table: Table,
  from: Integration,
  to: Integration,
  event: LifecycleEvent,
): Promise<'renamed' | 'taken' | 'conflict'> {
  const { tableName } = table;
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
}
