import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { LISTED_HEALTH_ATTRIBUTES, TABLE } from '../core/contract.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { eventFromItem } from '../events/event.store.ts';
import { batchGet } from '../platform/dynamodb/batch-get.ts';
import {
  connectionRefFromItem,
  type Item,
  num,
  type OnUnreadable,
  oneOf,
  optionalMap,
  optionalStr,
  readable,
  str,
  stringMap,
  type Table,
} from '../platform/dynamodb/client.ts';
import {
  connectionItemKey,
  connectionListKey,
  connectionRefOfPk,
  EVENT_SK_PREFIX,
  eventPk,
  formerEventPk,
} from '../platform/dynamodb/keys.ts';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import {
  type ConnectionFilter,
  type ConnectionStatus,
  type ConnectionSummary,
  END_USER_TAG,
} from './connection.rules.ts';
import { factsFromItem, listedCallFault, readEndUser } from './connection-item.store.ts';
import type { ConnectionPage, EventPage, ListOrder } from './ports.ts';

/** Index pages read for one answer: a filter with few matches returns a short page and a cursor instead of reading without end. */
const PAGES_PER_ANSWER = 5;
/** Index pages of 1 MB counted for one answer: about 2,000 connections. */
const PAGES_PER_COUNT = 2;

/**
 * One page of an account's connections. The cursor is the sort position inside the account's own partition, so a forged one reaches
 * nothing else (AK-10).
 */
export async function listConnections(
  table: Table,
  accountId: string,
  filter: ConnectionFilter,
  limit: number,
  cursor: string | undefined,
  order: ListOrder = 'newest',
): Promise<ConnectionPage> {
  const { expression, names, values } = filterExpression(filter);
  const connections: ConnectionSummary[] = [];
  const unreadable: ConnectionRef[] = [];
  const onUnreadable: OnUnreadable = (item, error) => {
    table.onUnreadable(item, error);
    const ref = connectionRefOfPk(String(item.pk));
    if (ref !== undefined) unreadable.push(ref);
  };
  const ended = (page: ConnectionPage) => withFacts(table, page);
  let position = cursor;
  for (let page = 0; page < PAGES_PER_ANSWER; page++) {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        IndexName: TABLE.indexes.byAccount.name,
        KeyConditionExpression: `accountListKey = :account${position === undefined ? '' : ` AND listSortKey ${behind(order)} :position`}`,
        ...(expression === '' ? {} : { FilterExpression: expression }),
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: {
          ':account': connectionListKey(accountId),
          ...(position === undefined ? {} : { ':position': position }),
          ...values,
        },
        ScanIndexForward: order === 'oldest',
        Limit: expression === '' ? limit - connections.length + 1 : 1000,
      }),
    );
    for (const item of Items) {
      if (connections.length === limit) return ended({ connections, unreadable, next: connections.at(-1)?.position });
      connections.push(...readable([item], summaryFromItem, onUnreadable));
    }
    if (LastEvaluatedKey === undefined) return ended({ connections, unreadable, next: undefined });
    position = str(LastEvaluatedKey, TABLE.indexes.byAccount.sortKey);
  }
  return ended({ connections, unreadable, next: position });
}

/** Reads connections whose health facts are missing from the index, a hundred at a time. */
async function withFacts(table: Table, page: ConnectionPage): Promise<ConnectionPage> {
  const unknown = page.connections.filter(({ facts }) => facts === undefined);
  if (unknown.length === 0) return page;
  const items = await batchGet(table, unknown.map(connectionItemKey));
  const read = readable(items, (item) => [String(item.pk), factsFromItem(item)] as const, table.onUnreadable);
  const known = new Map(read);
  const connections = page.connections.map((one) =>
    one.facts === undefined ? { ...one, facts: known.get(connectionItemKey(one).pk) } : one,
  );
  return { ...page, connections };
}

/** Skips connections without reading them: an answer contains only the place reached. */
export async function passOverConnections(
  table: Table,
  accountId: string,
  count: number,
  cursor: string | undefined,
  order: ListOrder,
): Promise<{ readonly next: string | undefined }> {
  let position = cursor;
  for (let left = count; left > 0; ) {
    const { Count = 0, LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        IndexName: TABLE.indexes.byAccount.name,
        Select: 'COUNT',
        KeyConditionExpression: `accountListKey = :account${position === undefined ? '' : ` AND listSortKey ${behind(order)} :position`}`,
        ExpressionAttributeValues: {
          ':account': connectionListKey(accountId),
          ...(position === undefined ? {} : { ':position': position }),
        },
        ScanIndexForward: order === 'oldest',
        Limit: left,
      }),
    );
    if (LastEvaluatedKey === undefined) return { next: undefined };
    left -= Count;
    position = str(LastEvaluatedKey, TABLE.indexes.byAccount.sortKey);
  }
  return { next: position };
}

function behind(order: ListOrder): '<' | '>' {
  return order === 'newest' ? '<' : '>';
}

/** Counts a list, up to a few index pages. */
export async function countConnections(
  table: Table,
  accountId: string,
  filter: ConnectionFilter,
): Promise<{ readonly total: number; readonly complete: boolean }> {
  const { expression, names, values } = filterExpression(filter);
  let total = 0;
  let start: Record<string, unknown> | undefined;
  for (let page = 0; page < PAGES_PER_COUNT; page++) {
    const { Count = 0, LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        IndexName: TABLE.indexes.byAccount.name,
        Select: 'COUNT',
        KeyConditionExpression: 'accountListKey = :account',
        ...(expression === '' ? {} : { FilterExpression: expression }),
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: { ':account': connectionListKey(accountId), ...values },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    total += Count;
    start = LastEvaluatedKey;
    if (start === undefined) return { total, complete: true };
  }
  return { total, complete: false };
}

function filterExpression(filter: ConnectionFilter) {
  const conditions: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const equal = (attribute: string, value: string | undefined) => {
    if (value === undefined) return;
    names[`#${attribute}`] = attribute;
    values[`:${attribute}`] = value;
    conditions.push(`#${attribute} = :${attribute}`);
  };
  equal('status', filter.status);
  if (filter.isFailing === true) {
    names['#callFault'] = LISTED_HEALTH_ATTRIBUTES.callFault;
    conditions.push('attribute_exists(#callFault)');
  }
  equal('cause', filter.cause);
  if (filter.endUserId !== undefined) {
    Object.assign(names, { '#endUserId': 'endUserId', '#tags': 'tags', '#endUserTag': END_USER_TAG });
    values[':endUserId'] = filter.endUserId;
    conditions.push(
      '(#endUserId = :endUserId OR (attribute_not_exists(#endUserId) AND #tags.#endUserTag = :endUserId))',
    );
  }
  equal('connectionId', filter.connectionId);
  if (filter.integrationIds !== undefined && filter.integrationIds.length > 0) {
    const placeholders = filter.integrationIds.map((id, i) => {
      values[`:integration${i}`] = id;
      return `:integration${i}`;
    });
    conditions.push(`integrationId IN (${placeholders.join(', ')})`);
  }
  if (filter.organizationId !== undefined) {
    names['#endUser'] = 'endUser';
    names['#organization'] = 'organization';
    names['#id'] = 'id';
    values[':organizationId'] = filter.organizationId;
    conditions.push('#endUser.#organization.#id = :organizationId');
  }
  for (const [i, [key, value]] of Object.entries(filter.tags ?? {}).entries()) {
    names['#tags'] = 'tags';
    names[`#tag${i}`] = key;
    values[`:tag${i}`] = value;
    conditions.push(`#tags.#tag${i} = :tag${i}`);
  }
  return { expression: conditions.join(' AND '), names, values };
}

/** What a list shows of a connection's item, or of its entry in the index of lists. */
export function summaryFromItem(item: Item): ConnectionSummary {
  const account = optionalMap(item, 'providerAccount');
  return {
    ...connectionRefFromItem(item),
    provider: oneOf(item, 'provider', PROVIDER_IDS),
    status: oneOf<ConnectionStatus>(item, 'status', ['active', 'reauthorization_required', 'deleted']),
    cause: optionalStr(item, 'cause'),
    callFault: listedCallFault(item),
    facts: factsFromItem(item),
    numericId: num(item, 'numericId'),
    endUser: readEndUser(optionalMap(item, 'endUser')),
    tags: stringMap(item, 'tags'),
    metadata: optionalMap(item, 'metadata'),
    providerAccount:
      account === undefined
        ? undefined
        : { subject: str(account, 'subject'), email: optionalStr(account, 'email') ?? null },
    createdAt: str(item, 'createdAt'),
    position: str(item, TABLE.indexes.byAccount.sortKey),
  };
}

/** One page of a connection's timeline, newest first; `next` is the id of the last event where there may be more. */
export async function listEvents(
  table: Table,
  ref: ConnectionRef,
  limit: number,
  beforeEventId: string | undefined,
): Promise<EventPage> {
  const inPartition = async (pk: string): Promise<Item[]> => {
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': pk,
          ':first': EVENT_SK_PREFIX,
          // Every event id sorts before `~`; the named event itself is removed below.
          ':last': EVENT_SK_PREFIX + (beforeEventId ?? '~'),
        },
        ScanIndexForward: false,
        Limit: beforeEventId === undefined ? limit : limit + 1,
      }),
    );
    return Items;
  };
  const pages = await Promise.all([eventPk(ref), formerEventPk(ref)].map(inPartition));
  const Items = pages.flat().sort((a, b) => (str(a, 'sk') < str(b, 'sk') ? 1 : -1));
  const found = Items.filter(({ sk }) => sk !== EVENT_SK_PREFIX + beforeEventId).slice(0, limit);
  const last = found.length === limit ? found.at(-1) : undefined;
  return {
    events: readable(found, eventFromItem, table.onUnreadable),
    next: last === undefined ? undefined : str(last, 'sk').slice(EVENT_SK_PREFIX.length),
  };
}
