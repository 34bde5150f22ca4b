import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { eventPut, writeTogether, writeTransition } from '../events/event.store.ts';
import {
  bool,
  type Item,
  isDone,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  readable,
  str,
  strings,
  type Table,
} from '../platform/dynamodb/client.ts';
import { accountPk, INTEGRATION_SK_PREFIX, type ItemKey, integrationItemKey } from '../platform/dynamodb/keys.ts';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import type { SuspectedFault } from './client-fault.rules.ts';
import type { ClientFaultMark, Integration } from './integration.rules.ts';
import type { IntegrationStore } from './ports.ts';

/** An integration as its item. */
export function integrationToItem(integration: Integration): Record<string, unknown> {
  return { ...integrationItemKey(integration), type: 'integration', ...integration };
}

/** An item as the integration it stores. */
export function integrationFromItem(item: Item): Integration {
  return {
    accountId: str(item, 'accountId'),
    integrationId: str(item, 'integrationId'),
    provider: oneOf(item, 'provider', PROVIDER_IDS),
    displayName: str(item, 'displayName'),
    publicName: optionalStr(item, 'publicName'),
    credentialsSource: oneOf(item, 'credentialsSource', ['own', 'test'] as const),
    clientId: optionalStr(item, 'clientId'),
    secretId: optionalStr(item, 'secretId'),
    scopes: strings(item, 'scopes'),
    publishingStatus: oneOf(item, 'publishingStatus', ['testing', 'production'] as const),
    audience: oneOf(item, 'audience', ['external', 'internal'] as const),
    mode: oneOf(item, 'mode', ['test', 'live'] as const),
    includeGrantedScopes: bool(item, 'includeGrantedScopes'),
    hostedDomain: optionalStr(item, 'hostedDomain'),
    budget: optionalMap(item, 'budget'),
    clientFault: readFault(optionalMap(item, 'clientFault')),
    clientWorksSinceEpochSec: optionalNum(item, 'clientWorksSinceEpochSec'),
    testingSeenAtEpochSec: optionalNum(item, 'testingSeenAtEpochSec'),
    testingOverAtEpochSec: optionalNum(item, 'testingOverAtEpochSec'),
    suspectedFault: readSuspicion(optionalMap(item, 'suspectedFault')),
    sequence: num(item, 'sequence'),
    version: num(item, 'version'),
    createdAt: str(item, 'createdAt'),
    updatedAt: str(item, 'updatedAt'),
  };
}

function readSuspicion(map: Item | undefined): SuspectedFault | undefined {
  if (map === undefined) return undefined;
  return {
    error: str(map, 'error'),
    sinceEpochSec: num(map, 'sinceEpochSec'),
    connectionIds: strings(map, 'connectionIds'),
    refuted: bool(map, 'refuted'),
  };
}

function readFault(map: Item | undefined): ClientFaultMark | undefined {
  if (map === undefined) return undefined;
  return {
    error: str(map, 'error'),
    sinceEpochSec: num(map, 'sinceEpochSec'),
    retryAtEpochSec: num(map, 'retryAtEpochSec'),
  };
}

/** Puts off the next token call of an integration whose client is refused, without another event; the latest refusal names the error. */
async function moveCoolDown(table: Table, Key: ItemKey, mark: ClientFaultMark): Promise<void> {
  await isDone(
    table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key,
        UpdateExpression: 'SET clientFault.retryAtEpochSec = :retryAt, clientFault.#error = :error',
        ConditionExpression: 'attribute_exists(clientFault) AND clientFault.retryAtEpochSec < :retryAt',
        ExpressionAttributeNames: { '#error': 'error' },
        ExpressionAttributeValues: { ':retryAt': mark.retryAtEpochSec, ':error': mark.error },
      }),
    ),
  );
}

/**
 * Replaces what is suspected of an integration's client, on condition that it is still what was read: its version stays, since
 * nothing an operator set changes. False when another process was faster.
 */
function replaceSuspicion(
  table: Table,
  Key: ItemKey,
  before: SuspectedFault | undefined,
  next: SuspectedFault,
): Promise<boolean> {
  return isDone(
    table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key,
        UpdateExpression: 'SET suspectedFault = :next',
        ConditionExpression:
          before === undefined
            ? 'attribute_exists(pk) AND attribute_not_exists(suspectedFault)'
            : 'suspectedFault.sinceEpochSec = :since AND suspectedFault.#error = :error AND suspectedFault.refuted = :refuted AND size(suspectedFault.connectionIds) = :count',
        ...(before === undefined ? {} : { ExpressionAttributeNames: { '#error': 'error' } }),
        ExpressionAttributeValues: {
          ':next': next,
          ...(before === undefined
            ? {}
            : {
                ':since': before.sinceEpochSec,
                ':error': before.error,
                ':refuted': before.refuted,
                ':count': before.connectionIds.length,
              }),
        },
      }),
    ),
  );
}

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

    async noteClientWorks({ accountId, integrationId, clientId }, nowEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: integrationItemKey({ accountId, integrationId }),
            UpdateExpression: 'SET clientWorksSinceEpochSec = :now',
            // An integration that has got another client meanwhile is told nothing of the former one.
            ConditionExpression:
              clientId === undefined
                ? 'attribute_exists(pk) AND attribute_not_exists(clientWorksSinceEpochSec) AND attribute_not_exists(clientId)'
                : 'attribute_not_exists(clientWorksSinceEpochSec) AND clientId = :client',
            ExpressionAttributeValues: {
              ':now': nowEpochSec,
              ...(clientId === undefined ? {} : { ':client': clientId }),
            },
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
            UpdateExpression:
              'SET #sequence = :sequence, version = version + :one, clientWorksSinceEpochSec = :now REMOVE clientFault',
            ConditionExpression: 'attribute_exists(clientFault) AND #sequence = :before',
            ExpressionAttributeNames: { '#sequence': 'sequence' },
            ExpressionAttributeValues: {
              ':sequence': event.sequence,
              ':before': event.sequence - 1,
              ':one': 1,
              ':now': Math.floor(Date.parse(event.occurredAt) / 1000),
            },
          },
        },
        event,
      );
    },
  };
}
