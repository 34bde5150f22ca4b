import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeTransition } from '../events/event.store.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { type ItemKey, integrationItemKey } from '../platform/dynamodb/keys.ts';
import type { SuspectedFault } from './client-fault.rules.ts';
import type { ClientFaultMark } from './integration.rules.ts';
import { integrationFromItem, integrationToItem } from './integration-item.store.ts';
import {
  deleteIntegration,
  listIntegrations,
  readSecretId,
  renameIntegration,
  updateIntegration,
} from './integration-settings.store.ts';
import type { IntegrationStore } from './ports.ts';

/** Postpones the next token call of an integration whose client is refused, without another event; the latest refusal's error is stored. */
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
 * Replaces the suspicion about an integration's client, if it is still the one that was read. The version stays, because no operator's
 * setting changes. False when another process was faster.
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

/** Integrations in the one table, alongside their account. */
export function integrationStore(table: Table): IntegrationStore {
  const { client, tableName } = table;
  return {
    async get(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: integrationItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : integrationFromItem(Item);
    },

    secretIdOf: (ref) => readSecretId(table, ref),
    list: (accountId, most) => listIntegrations(table, accountId, most),
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
    update: (integration, expectedVersion, event) => updateIntegration(table, integration, expectedVersion, event),
    delete: (ref, event) => deleteIntegration(table, ref, event),
    rename: (from, to, event) => renameIntegration(table, from, to, event),

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
            // An integration that has another client now gets no mark about the former one.
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
