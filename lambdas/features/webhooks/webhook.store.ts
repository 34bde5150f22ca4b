import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Whole } from '../../gateway/core/whole.ts';
import { writeTransition } from '../../gateway/events/event.store.ts';
import {
  type Item,
  isConditionFailure,
  isDone,
  num,
  oneOf,
  optionalNum,
  optionalStr,
  readable,
  str,
  strings,
  type Table,
} from '../../gateway/platform/dynamodb/client.ts';
import { accountPk } from '../../gateway/platform/dynamodb/keys.ts';
import { managedByOf } from '../../gateway/platform/dynamodb/managed-by.ts';
import { WEBHOOK_SK_PREFIX, webhookItemKey } from './keys.store.ts';
import type { SecretSeals, WebhookStore } from './ports.ts';
import type { Webhook, WebhookRef } from './webhook.rules.ts';

/** Endpoints of webhooks, in the partition of their account. */
export function webhookStore(table: Table): WebhookStore {
  const { client, tableName } = table;
  const keyOf = ({ accountId, webhookId }: WebhookRef) => webhookItemKey(accountId, webhookId);
  return {
    async list(accountId) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': accountPk(accountId), ':prefix': WEBHOOK_SK_PREFIX },
          ConsistentRead: true,
        }),
      );
      return readable(Items, webhookFromItem, table.onUnreadable);
    },

    async get(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: keyOf(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : webhookFromItem(Item);
    },

    create: (webhook, event) =>
      writeTransition(
        table,
        {
          Put: {
            TableName: tableName,
            Item: { ...keyOf(webhook), type: 'webhook', ...webhook },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        event,
      ),

    change(webhook, change, event) {
      const sets = ['#version = :next', '#updatedAt = :now'];
      const removes: string[] = [];
      const names: Record<string, string> = { '#version': 'version', '#updatedAt': 'updatedAt' };
      const values: Record<string, unknown> = {
        ':next': webhook.version + 1,
        ':seen': webhook.version,
        ':now': event.occurredAt,
      };
      for (const [name, value] of Object.entries(change)) {
        names[`#${name}`] = name;
        if (value === undefined) removes.push(`#${name}`);
        else {
          sets.push(`#${name} = :${name}`);
          values[`:${name}`] = value;
        }
      }
      const removal = removes.length === 0 ? '' : ` REMOVE ${removes.join(', ')}`;
      return writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: keyOf(webhook),
            UpdateExpression: `SET ${sets.join(', ')}${removal}`,
            ConditionExpression: '#version = :seen',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: values,
          },
        },
        event,
      );
    },

    remove: (webhook, event) =>
      writeTransition(
        table,
        {
          Delete: { TableName: tableName, Key: keyOf(webhook), ConditionExpression: 'attribute_exists(pk)' },
        },
        event,
      ),

    async noteSuccess(ref, nowEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(ref),
            UpdateExpression: 'SET lastSuccessAtEpochSec = :now, failuresInARow = :none REMOVE restUntilEpochSec',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':now': nowEpochSec, ':none': 0 },
          }),
        ),
      );
    },

    async noteFailure(ref) {
      try {
        const { Attributes } = await client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(ref),
            UpdateExpression: 'SET failuresInARow = failuresInARow + :one',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':one': 1 },
            ReturnValues: 'ALL_NEW',
          }),
        );
        return Attributes === undefined ? undefined : webhookFromItem(Attributes);
      } catch (error) {
        if (isConditionFailure(error)) return undefined;
        throw error;
      }
    },

    async rest(ref, untilEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(ref),
            UpdateExpression: 'SET restUntilEpochSec = :until',
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(restUntilEpochSec) OR restUntilEpochSec < :until)',
            ExpressionAttributeValues: { ':until': untilEpochSec },
          }),
        ),
      );
    },
  };
}

/** An item as the endpoint it stores. */
function webhookFromItem(item: Item): Whole<Webhook> {
  return {
    accountId: str(item, 'accountId'),
    webhookId: str(item, 'webhookId'),
    url: str(item, 'url'),
    description: optionalStr(item, 'description'),
    types: item.types === undefined ? undefined : strings(item, 'types'),
    integrationIds: item.integrationIds === undefined ? undefined : strings(item, 'integrationIds'),
    status: oneOf(item, 'status', ['unproven', 'enabled', 'disabled'] as const),
    disabledBecause:
      item.disabledBecause === undefined
        ? undefined
        : oneOf(item, 'disabledBecause', ['gone', 'failing', 'requested'] as const),
    disabledAtEpochSec: optionalNum(item, 'disabledAtEpochSec'),
    enabledAtEpochSec: optionalNum(item, 'enabledAtEpochSec'),
    encryptedSecret: str(item, 'encryptedSecret'),
    encryptedPreviousSecret: optionalStr(item, 'encryptedPreviousSecret'),
    previousSecretUntilEpochSec: optionalNum(item, 'previousSecretUntilEpochSec'),
    encryptedEarlierSecret: optionalStr(item, 'encryptedEarlierSecret'),
    earlierSecretUntilEpochSec: optionalNum(item, 'earlierSecretUntilEpochSec'),
    lastSuccessAtEpochSec: optionalNum(item, 'lastSuccessAtEpochSec'),
    failuresInARow: num(item, 'failuresInARow'),
    restUntilEpochSec: optionalNum(item, 'restUntilEpochSec'),
    version: num(item, 'version'),
    managedBy: item.managedBy === undefined ? undefined : managedByOf(item),
    createdAt: str(item, 'createdAt'),
    updatedAt: str(item, 'updatedAt'),
  };
}

/** How the refresh function replaces stored forms of webhooks' secrets. */
export function secretSeals({ client, tableName }: Table): SecretSeals {
  return {
    resealSecrets(webhook, sealed) {
      const names = Object.keys(sealed);
      const change = names.map((name) => `${name} = :${name}`).join(', ');
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: webhookItemKey(webhook.accountId, webhook.webhookId),
            UpdateExpression: `SET ${change}`,
            // A rotation raises the version, and so does every other requested change.
            ConditionExpression: '#version = :seen AND encryptedSecret = :stored',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: {
              ':seen': webhook.version,
              ':stored': webhook.encryptedSecret,
              ...Object.fromEntries(Object.entries(sealed).map(([name, value]) => [`:${name}`, value])),
            },
          }),
        ),
      );
    },
  };
}
