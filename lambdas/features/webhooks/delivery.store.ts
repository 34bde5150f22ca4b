import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DUE_SHARDS, EVENT_ITEM_TYPE, RESTORED_EVENT_ITEM_TYPE, TABLE } from '../../gateway/core/contract.ts';
import { eventDetail } from '../../gateway/events/lifecycle-event.rules.ts';
import { batchGet } from '../../gateway/platform/dynamodb/batch-get.ts';
import {
  type Item,
  isDone,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  readable,
  str,
  type Table,
  UnreadableItemError,
} from '../../gateway/platform/dynamodb/client.ts';
import { eventListKey } from '../../gateway/platform/dynamodb/keys.ts';
import type { Attempt, Delivery, DeliveryRef } from './delivery.rules.ts';
import { DELIVERY_SK_PREFIX, deliveryItemKey, deliveryOfKey, deliveryPk } from './keys.store.ts';
import { DELIVERY_ATTEMPTS_KEPT, DELIVERY_RETENTION_SEC } from './limits.rules.ts';
import type { DeliveryStore, EventHistory } from './ports.ts';
import { messageBody, type WebhookEvent, type WebhookRef } from './webhook.rules.ts';

/** The first partition of the due index that holds deliveries. */
const FIRST_SHARD = 5 * DUE_SHARDS;
/** Pages of the log read for one response: a filter with few matches returns a short page instead of reading without end. */
const PAGES_PER_ANSWER = 5;

/** Every partition of the due index that holds deliveries. */
export const DELIVERY_SHARDS: readonly number[] = Array.from({ length: DUE_SHARDS }, (_, i) => FIRST_SHARD + i);

/**
 * The partition of an endpoint's due deliveries: all of one endpoint in the same, so that one that never answers occupies at most 1/64
 * of the index. Endpoints have random ids, whose last characters spread evenly.
 */
function deliveryShard({ webhookId }: WebhookRef): number {
  let sum = 0;
  for (const character of webhookId) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return FIRST_SHARD + (sum % DUE_SHARDS);
}

/** Deliveries: the queue of pending ones and the log of attempted ones. */
export function deliveryStore(table: Table): DeliveryStore {
  const { client, tableName } = table;
  const keyOf = ({ accountId, webhookId, eventId }: DeliveryRef) => deliveryItemKey(accountId, webhookId, eventId);

  return {
    put: (delivery) =>
      isDone(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: toItem(delivery),
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      ),

    requeue(delivery) {
      const { pk, sk, attempts, ...attributes } = toItem(delivery);
      const entries = Object.entries(attributes);
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: { pk, sk },
            UpdateExpression: `SET ${[...entries.map(([name]) => `#${name} = :${name}`), 'attempts = if_not_exists(attempts, :none)'].join(', ')}`,
            ConditionExpression: 'attribute_not_exists(pk) OR #state <> :before',
            ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
            ExpressionAttributeValues: {
              ...Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
              ':none': attempts,
              ':before': 'pending',
            },
          }),
        ),
      );
    },

    async get(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: keyOf(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : deliveryFromItem(Item);
    },

    async duePage(shard, untilEpochSec, limit, after) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: TABLE.indexes.due.name,
          KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
          ExpressionAttributeValues: { ':shard': shard, ':until': untilEpochSec },
          Limit: limit,
          ExclusiveStartKey: after,
        }),
      );
      const refs = Items.flatMap((item) => deliveryOfKey({ pk: str(item, 'pk'), sk: str(item, 'sk') }) ?? []);
      return { refs, next: LastEvaluatedKey };
    },

    claim: (delivery, untilEpochSec) =>
      isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(delivery),
            UpdateExpression: 'SET refreshAt = :until',
            ConditionExpression: '#state = :pending AND refreshAt = :seen',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: {
              ':until': untilEpochSec,
              ':seen': delivery.dueAtEpochSec,
              ':pending': 'pending',
            },
          }),
        ),
      ),

    async move(delivery, state, dueAtEpochSec) {
      const due = dueParts(delivery, dueAtEpochSec);
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(delivery),
            UpdateExpression: `SET ${['#state = :state', ...due.sets].join(', ')}${due.removes}`,
            ConditionExpression: '#state = :before AND refreshAt = :seen',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: {
              ':state': state,
              ':before': delivery.state,
              ':seen': delivery.dueAtEpochSec,
              ...due.values,
            },
          }),
        ),
      );
    },

    async settle(claimed, attempt, state, dueAtEpochSec) {
      const due = dueParts(claimed, dueAtEpochSec);
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: keyOf(claimed),
            UpdateExpression: `SET ${['#state = :state', 'tries = :tries', 'attempts = :attempts', ...due.sets].join(', ')}${due.removes}`,
            // Another process that took it over after the claim had expired settles it.
            ConditionExpression: 'refreshAt = :claimed',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: {
              ':state': state,
              ':tries': claimed.tries + 1,
              ':attempts': [...claimed.attempts, attempt].slice(-DELIVERY_ATTEMPTS_KEPT).map(attemptToMap),
              ':claimed': claimed.dueAtEpochSec,
              ...due.values,
            },
          }),
        ),
      );
    },

    async list(ref, limit, before, state) {
      const deliveries: Delivery[] = [];
      let position = before;
      for (let page = 0; page < PAGES_PER_ANSWER; page++) {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
            ...(state === undefined
              ? {}
              : { FilterExpression: '#state = :state', ExpressionAttributeNames: { '#state': 'state' } }),
            ExpressionAttributeValues: {
              ':pk': deliveryPk(ref.accountId, ref.webhookId),
              ':first': DELIVERY_SK_PREFIX,
              ':last': `${DELIVERY_SK_PREFIX}${position ?? '~'}`,
              ...(state === undefined ? {} : { ':state': state }),
            },
            ScanIndexForward: false,
            // One more for the end of the page, one for the position itself, which is skipped.
            Limit: state === undefined ? limit - deliveries.length + 2 : 250,
          }),
        );
        for (const delivery of readable(Items, deliveryFromItem, table.onUnreadable)) {
          if (delivery.eventId === position) continue;
          if (deliveries.length === limit) return { deliveries, next: deliveries.at(-1)?.eventId };
          deliveries.push(delivery);
        }
        if (LastEvaluatedKey === undefined) return { deliveries, next: undefined };
        position = str(LastEvaluatedKey, 'sk').slice(DELIVERY_SK_PREFIX.length);
      }
      return { deliveries, next: position };
    },
  };
}

function dueParts(ref: WebhookRef, dueAtEpochSec: number | undefined) {
  return dueAtEpochSec === undefined
    ? { sets: [], removes: ' REMOVE refreshAt, dueShard', values: {} }
    : {
        sets: ['refreshAt = :due', 'dueShard = :shard'],
        removes: '',
        values: { ':due': dueAtEpochSec, ':shard': deliveryShard(ref) },
      };
}

function toItem(delivery: Delivery): Record<string, unknown> {
  const { dueAtEpochSec, attempts, ...rest } = delivery;
  return {
    ...deliveryItemKey(delivery.accountId, delivery.webhookId, delivery.eventId),
    type: 'webhook_delivery',
    ...rest,
    attempts: attempts.map(attemptToMap),
    ...(dueAtEpochSec === undefined ? {} : { refreshAt: dueAtEpochSec, dueShard: deliveryShard(delivery) }),
    expiresAtEpochSec: delivery.createdAtEpochSec + DELIVERY_RETENTION_SEC,
  };
}

/** Only the logged members. */
function attemptToMap({ atEpochSec, durationMs, status, error, excerpt }: Attempt): Record<string, unknown> {
  return { atEpochSec, durationMs, status, error, excerpt };
}

/** An item as the delivery it stores. */
function deliveryFromItem(item: Item): Delivery {
  return {
    accountId: str(item, 'accountId'),
    webhookId: str(item, 'webhookId'),
    eventId: str(item, 'eventId'),
    eventType: str(item, 'eventType'),
    integrationId: str(item, 'integrationId'),
    body: str(item, 'body'),
    state: oneOf(item, 'state', ['pending', 'delivered', 'failed', 'waiting'] as const),
    tries: num(item, 'tries'),
    attempts: attemptsOf(item),
    dueAtEpochSec: optionalNum(item, 'refreshAt'),
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
  };
}

function attemptsOf(item: Item): Attempt[] {
  if (!Array.isArray(item.attempts)) throw new UnreadableItemError('attempts');
  return item.attempts.map((one: unknown) => {
    const map = optionalMap({ one }, 'one') ?? {};
    return {
      atEpochSec: num(map, 'atEpochSec'),
      durationMs: num(map, 'durationMs'),
      status: optionalNum(map, 'status'),
      error: optionalStr(map, 'error'),
      excerpt: optionalStr(map, 'excerpt'),
    };
  });
}

/** An account's events by time, as messages. */
export function eventHistory(table: Table): EventHistory {
  return {
    async page(accountId, from, to, limit) {
      const { Items = [], LastEvaluatedKey } = await table.client.send(
        new QueryCommand({
          TableName: table.tableName,
          IndexName: TABLE.indexes.byAccount.name,
          KeyConditionExpression: 'accountListKey = :list AND listSortKey BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':list': eventListKey(accountId), ':from': from, ':to': to },
          Limit: limit,
        }),
      );
      const items = await batchGet(
        table,
        Items.map((item) => ({ pk: str(item, 'pk'), sk: str(item, 'sk') })),
      );
      // Batches of feeds that are only pulled are stored there, too, but never sent to the bus.
      const onTheBus = items.filter(({ type }) => type === EVENT_ITEM_TYPE || type === RESTORED_EVENT_ITEM_TYPE);
      const events = readable(onTheBus, eventOfItem, table.onUnreadable);
      return {
        events: events.sort((a, b) => (a.eventId < b.eventId ? -1 : 1)),
        next: LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, TABLE.indexes.byAccount.sortKey),
      };
    },
  };
}

/** The message of a stored event, byte for byte the one sent through the bus. */
function eventOfItem(item: Item): WebhookEvent {
  const eventType = str(item, 'eventType');
  return {
    accountId: str(item, 'accountId'),
    eventId: str(item, 'eventId'),
    eventType,
    integrationId: str(item, 'integrationId'),
    body: messageBody(
      eventType,
      str(item, 'occurredAt'),
      eventDetail(eventType, (name) => optionalStr(item, name)),
    ),
  };
}
