import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { EVENT_ITEM_TYPE, TABLE } from '../core/contract.ts';
import { firstUlidOf } from '../core/identifiers.ts';
import { EVENT_RETENTION_SEC } from '../core/limits.ts';
import { batchGet } from '../platform/dynamodb/batch-get.ts';
import {
  cancelledConditions,
  type Item,
  num,
  oneOf,
  optionalStr,
  readable,
  str,
  type Table,
  type TransactItem,
} from '../platform/dynamodb/client.ts';
import { accountPk, auditWalkItemKey, EVENT_SK_PREFIX, eventListKey, eventPk } from '../platform/dynamodb/keys.ts';
import type { AuditWalk } from './audit-walk.rules.ts';
import {
  eventDetail,
  LIFECYCLE_EVENT_TYPES,
  type LifecycleEvent,
  OPERATOR_EVENT_TYPES,
  objectAttributes,
  objectBy,
  type StoredEvent,
  saidAttributes,
  saidBy,
} from './lifecycle-event.rules.ts';
import type { AuditList, AuditTrail } from './ports.ts';

/** An event as its item: outbox and audit trail in one. Every attribute sent to the bus is a string. */
export function eventToItem(event: LifecycleEvent): Record<string, unknown> {
  const { subject } = event;
  return {
    pk: eventPk(subject),
    sk: EVENT_SK_PREFIX + event.eventId,
    type: EVENT_ITEM_TYPE,
    eventId: event.eventId,
    eventType: event.eventType,
    sequence: String(event.sequence),
    occurredAt: event.occurredAt,
    accountId: subject.accountId,
    integrationId: 'integrationId' in subject ? subject.integrationId : '',
    connectionId: 'connectionId' in subject ? subject.connectionId : '',
    endUserId: event.endUserId ?? '',
    cause: event.cause ?? '',
    remedy: event.remedy ?? '',
    requestId: event.requestId,
    actor: event.actor ?? '',
    health: event.health ?? '',
    ...(OPERATOR_EVENT_TYPES.has(event.eventType)
      ? {}
      : { accountListKey: eventListKey(subject.accountId), listSortKey: event.eventId }),
    ...saidAttributes(event.says ?? {}),
    ...objectAttributes(event.about ?? {}),
    expiresAtEpochSec: Math.floor(Date.parse(event.occurredAt) / 1000) + EVENT_RETENTION_SEC,
  };
}

/** The transaction's part that writes an event; its id makes a repeat visible. */
export function eventPut(tableName: string, event: LifecycleEvent) {
  return {
    Put: { TableName: tableName, Item: eventToItem(event), ConditionExpression: 'attribute_not_exists(pk)' },
  };
}

/** An item as the event it stores. */
export function eventFromItem(item: Item): StoredEvent {
  const attribute = (name: string) => optionalStr(item, name);
  const eventType = oneOf(item, 'eventType', LIFECYCLE_EVENT_TYPES);
  const accountId = str(item, 'accountId');
  const integrationId = str(item, 'integrationId');
  const connectionId = str(item, 'connectionId');
  return {
    eventId: str(item, 'eventId'),
    eventType,
    sequence: Number(str(item, 'sequence')),
    occurredAt: str(item, 'occurredAt'),
    subject:
      connectionId !== ''
        ? { accountId, integrationId, connectionId }
        : integrationId !== ''
          ? { accountId, integrationId }
          : { accountId },
    endUserId: emptyToUndefined(optionalStr(item, 'endUserId')),
    cause: emptyToUndefined(optionalStr(item, 'cause')),
    remedy: emptyToUndefined(optionalStr(item, 'remedy')),
    says: saidBy(eventType, attribute),
    health: emptyToUndefined(optionalStr(item, 'health')),
    requestId: optionalStr(item, 'requestId') ?? '',
    actor: emptyToUndefined(optionalStr(item, 'actor')),
    about: objectBy(attribute),
    detail: eventDetail(eventType, attribute),
  };
}

function emptyToUndefined(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

const ATTEMPTS = 5;

/**
 * Writes several items, all or none. Undefined when written; else which conditions failed, by position. A conflict
 * with another transaction is retried under the same client token, so a lost reply cannot write twice (F79, F80).
 *
 * @param bounded time limit of a background write
 */
export async function writeTogether(
  table: Table,
  items: TransactItem[],
  bounded?: { readonly abortSignal: AbortSignal },
): Promise<boolean[] | undefined> {
  const extra = table.extraWrite?.();
  if (extra === undefined) return writeAll(table, items, bounded);
  let failed: boolean[] | undefined;
  try {
    failed = await writeAll(table, [...items, extra.item], bounded);
  } catch (error) {
    extra.ended('unknown');
    throw error;
  }
  extra.ended(failed === undefined ? 'written' : 'not_written');
  if (failed?.at(-1) === true) throw extra.refusal();
  return failed?.slice(0, -1);
}

async function writeAll(
  table: Table,
  items: TransactItem[],
  bounded: { readonly abortSignal: AbortSignal } | undefined,
): Promise<boolean[] | undefined> {
  const ClientRequestToken = randomUUID();
  for (let attempt = 0; ; attempt++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken }), bounded);
      return undefined;
    } catch (error) {
      const conditions = cancelledConditions(error);
      if (conditions !== undefined) return conditions;
      const cancelled = error instanceof Error && error.name === 'TransactionCanceledException';
      if (!cancelled || attempt + 1 === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** attempt * (0.5 + Math.random() / 2)));
    }
  }
}

/**
 * Writes a change and the event that reports it, both or neither. False when the change's condition did not hold.
 *
 * @param others what else is written with them
 */
export async function writeTransition(
  table: Table,
  change: TransactItem,
  event: LifecycleEvent,
  others: readonly TransactItem[] = [],
): Promise<boolean> {
  return (await writeTogether(table, [change, eventPut(table.tableName, event), ...others])) === undefined;
}

/** Writes new items of accounts with their events. */
export function newItemWriter(table: Table) {
  const { tableName: TableName } = table;
  return {
    putNew(accountId: string, sk: string, attributes: Record<string, unknown>, event: LifecycleEvent) {
      const Item = { pk: accountPk(accountId), sk, ...attributes };
      return writeTransition(
        table,
        { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
        event,
      );
    },
  };
}

/** What happened in an account, newest first, eventually consistent. */
export function auditList(table: Table): AuditList {
  return {
    walk: (accountId) => readAuditWalk(table, accountId),

    async page(accountId, { sinceMs, untilMs, before }, limit) {
      const first = firstUlidOf(sinceMs ?? 0);
      const end = untilMs === undefined ? '~' : firstUlidOf(untilMs);
      const last = before !== undefined && before < end ? before : end;
      // A range whose end comes before its beginning is no query at all: DynamoDB refuses it.
      if (last < first) return { events: [], next: undefined };
      const { Items = [], LastEvaluatedKey } = await table.client.send(
        new QueryCommand({
          TableName: table.tableName,
          IndexName: TABLE.indexes.byAccount.name,
          KeyConditionExpression: 'accountListKey = :list AND listSortKey BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':list': eventListKey(accountId),
            ':first': first,
            ':last': last,
          },
          ScanIndexForward: false,
          // The event of `before` may be among them.
          Limit: limit + 1,
        }),
      );
      const keys = Items.map((item) => ({ pk: str(item, 'pk'), sk: str(item, 'sk') }));
      const others = keys.filter(({ sk }) => sk !== EVENT_SK_PREFIX + (before ?? ''));
      const items = await batchGet(table, others);
      const events = readable(items, eventFromItem, table.onUnreadable).sort((a, b) =>
        a.eventId < b.eventId ? 1 : -1,
      );
      const oldest = others.at(-1)?.sk.slice(EVENT_SK_PREFIX.length);
      return { events, next: LastEvaluatedKey === undefined ? undefined : oldest };
    },
  };
}

/** Progress of listing events of an earlier version; undefined before the first tick. */
export async function readAuditWalk({ client, tableName }: Table, accountId: string): Promise<AuditWalk | undefined> {
  const Key = auditWalkItemKey(accountId);
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  return {
    phase: oneOf(Item, 'phase', ['account', 'connections', 'complete'] as const),
    position: optionalStr(Item, 'position'),
    sinceMs: num(Item, 'sinceMs'),
    found: num(Item, 'found'),
  };
}

/** Events outside any change: written before the response that they report leaves. */
export function auditTrail(table: Table): AuditTrail {
  return {
    async append(event) {
      // Its id is random: a retry after a lost reply overwrites the same item.
      await table.client.send(new PutCommand({ TableName: table.tableName, Item: eventToItem(event) }));
    },
  };
}
