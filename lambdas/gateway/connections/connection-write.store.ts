import { GetCommand, QueryCommand, type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { TABLE } from '../core/contract.ts';
import type { ConnectionRef, IntegrationRef } from '../core/identifiers.ts';
import { CALLS_REPORT_TIMEOUT_MS, CHANGE_COUNT_PARTS, TTL_GRACE_SEC, USAGE_RETENTION_SEC } from '../core/limits.ts';
import { eventPut, writeTogether } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { type Item, isConditionFailure, num, readable, str, type Table } from '../platform/dynamodb/client.ts';
import { connectionItemKey, type ItemKey, listedPk, searchBucketItemKey, usagePk } from '../platform/dynamodb/keys.ts';
import { addChanges, type ChangeCounts, type ChangeRow, isChangeName } from './change-counts.rules.ts';
import type { Connection } from './connection.rules.ts';
import { connectionToItem } from './connection-item.store.ts';
import {
  dependentChanges,
  type Happened,
  mayChangeDependents,
  type RowChange,
  type RowCondition,
  rowChangeOf,
} from './connection-write.rules.ts';
import {
  type ListedRow,
  type ListedSubject,
  listedSubject,
  searchBucketOf,
  searchEntry,
  withEntry,
} from './index-rows.rules.ts';
import type { ChangeCountReader, ChangeCountWriter } from './ports.ts';

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One change of a connection. */
export interface ConnectionWrite {
  readonly happened: Happened;
  /** As it was read; undefined where there is no row, or none that can be read. */
  readonly before: Connection | undefined;
  readonly after: Connection;
  readonly events?: readonly LifecycleEvent[];
  /** Determines its rows in lists where the row before cannot be read as a whole. */
  readonly remains?: ListedSubject | undefined;
  /** Other items of the same transaction. */
  readonly others?: readonly TransactItem[];
  /** Time limit of background writes. */
  readonly timeoutMs?: number;
}

/** Whether a write succeeded; otherwise, which conditions of the other items failed. */
export type Written =
  /** `row`: the new row, only after a write of new tokens. */
  | { readonly done: true; readonly row?: Item | undefined }
  /** `row`: the row found, after a write of the row only. */
  | { readonly done: false; readonly others: readonly boolean[]; readonly row?: Item | undefined };

/**
 * Writes a change of a connection: its row, its events, its search entry, its places in lists, its counters and the given items, all or
 * nothing. A change of the row only is one plain write.
 */
export function writeConnection(table: Table, write: ConnectionWrite): Promise<Written> {
  const { happened, before, after, events = [], others = [] } = write;
  const row = rowPart(table, after, happened, rowChangeOf(happened, before, after, events.length > 0));
  if (!mayChangeDependents(happened, before, after)) return writeAlone(table, write, row);
  return writeParts(table, after, write, row, [...others], isGone(after) ? undefined : after);
}

/** Removes an unreadable row, with the dependent rows that its readable parts determine; as `writeConnection`. */
export function forgetConnection(
  table: Table,
  ref: ConnectionRef,
  write: Pick<ConnectionWrite, 'events' | 'remains' | 'others'>,
): Promise<Written> {
  const Key = connectionItemKey(ref);
  const row = { Delete: { TableName: table.tableName, Key, ConditionExpression: 'attribute_exists(pk)' } };
  const whole = { ...write, happened: { kind: 'deleted' } as const, before: undefined };
  return writeParts(table, ref, whole, row, [...(write.others ?? [])], undefined);
}

function isGone({ status }: Connection): boolean {
  return status === 'deleted';
}

/** The row with its events. */
async function writeAlone(
  table: Table,
  { happened, events = [] }: ConnectionWrite,
  row: TransactItem,
): Promise<Written> {
  if (events.length === 0) return writeRow(table, row, happened);
  return outcomeOf(await writeTogether(table, [row, ...events.map((event) => eventPut(table.tableName, event))]), []);
}

async function writeParts(
  table: Table,
  ref: ConnectionRef,
  write: Omit<ConnectionWrite, 'after'>,
  row: TransactItem,
  others: readonly TransactItem[],
  after: Connection | undefined,
): Promise<Written> {
  const { happened, before, events = [], timeoutMs } = write;
  const was = before === undefined ? write.remains : listedSubject(before);
  const changed = dependentChanges(happened, was, after === undefined ? undefined : listedSubject(after));
  const at = events[0]?.occurredAt ?? lastChangeOf(after);
  const parts: TransactItem[] = [
    row,
    ...others,
    ...events.map((event) => eventPut(table.tableName, event)),
    ...changeCountUpdate(table.tableName, ref, at, changed.counts),
    ...listRemovals(table, ref, changed.left, isMarking(happened) ? (at ?? '') : undefined),
    ...listPuts(table, ref, changed.entered),
  ];
  const bounded = timeoutMs === undefined ? undefined : { abortSignal: AbortSignal.timeout(timeoutMs) };
  if (!changed.isSearchChanged) return outcomeOf(await writeTogether(table, parts, bounded), others);
  const entry = after === undefined ? undefined : searchEntry(after);
  for (let attempt = 1; ; attempt++) {
    const bucket = await readBucket(table, ref);
    const entries = withEntry(bucket.entries, ref, entry);
    const put = entries === undefined ? [] : [bucketPut(table, ref, { entries, version: bucket.version }, at)];
    const failed = await writeTogether(table, [...parts, ...put], bounded);
    const isOvertaken = failed?.[parts.length] === true && !failed.slice(0, parts.length).includes(true);
    if (!isOvertaken) return outcomeOf(failed, others);
    if (attempt === ATTEMPTS) throw new Error('A part of the search index is being changed by too many at once');
  }
}

/** ISO 8601; a refresh without an event is no change of `updatedAt`. */
function lastChangeOf(connection: Connection | undefined): string | undefined {
  if (connection === undefined) return undefined;
  const { updatedAt, lastRefreshedAtEpochSec = 0 } = connection;
  return new Date(Math.max(Date.parse(updatedAt), lastRefreshedAtEpochSec * 1000)).toISOString();
}

/** Consecutive faster writers of the same part of the search index that are tolerated. */
const ATTEMPTS = 8;

function outcomeOf(failed: boolean[] | undefined, others: readonly TransactItem[]): Written {
  return failed === undefined ? { done: true } : { done: false, others: failed.slice(1, 1 + others.length) };
}

/** Writes only the row, at the price of one write. */
async function writeRow({ client }: Table, { Update }: TransactItem, { kind }: Happened): Promise<Written> {
  const shown = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  try {
    if (Update === undefined) throw new Error('There is nothing to write');
    const returned = kind === 'refreshed' ? ({ ReturnValues: 'ALL_NEW' } as const) : {};
    const update = { ...Update, Key: Update.Key ?? {}, ...shown, ...returned };
    const { Attributes } = await client.send(new UpdateCommand(update));
    return { done: true, row: Attributes };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return { done: false, others: [], row: rowIn(error) };
  }
}

/** The row that a refused write names. */
export function rowIn(error: unknown): Item | undefined {
  const raw: unknown = error instanceof Error && 'Item' in error ? error.Item : undefined;
  // The document client does not translate items inside errors.
  return typeof raw === 'object' && raw !== null ? unmarshall({ ...raw }) : undefined;
}

function rowPart(table: Table, after: Connection, { kind }: Happened, change: RowChange): TransactItem {
  const { tableName: TableName } = table;
  const Key = connectionItemKey(after);
  const item: Item = connectionToItem(after);
  if (change.attributes === 'all') {
    const gone = Math.floor(Date.parse(after.updatedAt) / 1000) + TTL_GRACE_SEC;
    const Item = kind === 'deleted' ? { ...item, [TABLE.timeToLive]: gone } : item;
    return { Put: { TableName, Item, ...conditionOf(change.conditions) } };
  }
  if (change.attributes === 'none') {
    return { ConditionCheck: { TableName, Key, ...conditionOf(change.conditions) } };
  }
  const sets = change.attributes.filter((name) => item[name] !== undefined);
  const removes = change.attributes.filter((name) => item[name] === undefined);
  const condition = conditionOf(change.conditions);
  const { ExpressionAttributeNames, ExpressionAttributeValues } = condition;
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: [
        sets.length === 0 ? '' : `SET ${sets.map((name) => `#${name} = :${name}`).join(', ')}`,
        removes.length === 0 ? '' : `REMOVE ${removes.map((name) => `#${name}`).join(', ')}`,
      ]
        .join(' ')
        .trim(),
      ...condition,
      ExpressionAttributeNames: {
        ...ExpressionAttributeNames,
        ...Object.fromEntries(change.attributes.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...Object.fromEntries(sets.map((name) => [`:${name}`, item[name]])),
      },
    },
  };
}

/** Conditions as DynamoDB reads them; there is always one. */
function conditionOf(conditions: readonly RowCondition[]) {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const texts = conditions.map((condition) => {
    const [attribute] = condition;
    const name = `#${attribute}`;
    names[name] = attribute;
    if (condition[1] === 'absent') return `attribute_not_exists(${name})`;
    if (condition[1] === 'exists') return `attribute_exists(${name})`;
    const value = `:known_${attribute}`;
    if (condition.length === 4) {
      const [, member, , held] = condition;
      names[`#${member}`] = member;
      values[value] = held;
      return `${name}.#${member} = ${value}`;
    }
    const [, holds, held] = condition;
    values[value] = held;
    const text = `${name} ${holds} ${value}`;
    return holds === '<' ? `(attribute_not_exists(${name}) OR ${text})` : text;
  });
  return {
    ConditionExpression: texts.join(' AND '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

/**
 * The proxy, the callback and the schedule's refreshes have no right to delete: they mark rows that are no longer read for TTL.
 */
function isMarking({ kind }: Happened): boolean {
  return kind === 'saved' || kind === 'refreshed' || kind === 'died' || kind === 'fault_cleared';
}

/** Key of a connection's place in a list. */
export function listedRowKey(accountId: string, { list, place }: ListedRow): ItemKey {
  return { pk: listedPk(accountId, list), sk: place };
}

/** Puts places in lists. @param more attributes of each */
function listPuts(
  table: Table,
  { accountId, integrationId, connectionId }: ConnectionRef,
  rows: readonly ListedRow[],
  more: Readonly<Record<string, unknown>> = {},
): TransactItem[] {
  const item = { type: 'listed', integrationId, connectionId, ...more };
  return rows.map((row) => ({
    Put: { TableName: table.tableName, Item: { ...listedRowKey(accountId, row), ...item } },
  }));
}

/** Removes places in lists. @param leftAt ISO 8601, for a mark; undefined deletes */
function listRemovals(
  table: Table,
  ref: ConnectionRef,
  rows: readonly ListedRow[],
  leftAt: string | undefined,
): TransactItem[] {
  if (leftAt !== undefined) {
    const gone = Math.floor(Date.parse(leftAt) / 1000) + TTL_GRACE_SEC;
    return listPuts(table, ref, rows, { left: true, [TABLE.timeToLive]: gone });
  }
  return rows.map((row) => ({ Delete: { TableName: table.tableName, Key: listedRowKey(ref.accountId, row) } }));
}

/** A part of the search index as it was read. */
interface Bucket {
  readonly entries: string;
  /** Condition of the next write; 0 where there is none yet. */
  readonly version: number;
}

async function readBucket(table: Table, ref: ConnectionRef): Promise<Bucket> {
  const { shard, bucket } = searchBucketOf(ref);
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.tableName,
      Key: searchBucketItemKey(ref.accountId, shard, bucket),
      ConsistentRead: true,
    }),
  );
  return Item === undefined
    ? { entries: '', version: 0 }
    : { entries: str(Item, 'entries'), version: num(Item, 'version') };
}

/** TTL deletes an empty part after a day: until then its version fences writers that read it before. @param at ISO 8601 */
function bucketPut(table: Table, ref: ConnectionRef, { entries, version }: Bucket, at: string | undefined) {
  const isEmpty = entries === '' && at !== undefined;
  const { shard, bucket } = searchBucketOf(ref);
  return {
    Put: {
      TableName: table.tableName,
      Item: {
        ...searchBucketItemKey(ref.accountId, shard, bucket),
        type: 'search_bucket',
        entries,
        version: version + 1,
        ...(isEmpty ? { [TABLE.timeToLive]: Math.floor(Date.parse(at) / 1000) + TTL_GRACE_SEC } : {}),
      },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: '#version = :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': version },
          }),
    },
  };
}

/** Start of the sort keys of counters, one partition a day: how many connections were created, died, recovered and were deleted. */
const COUNTERS = 'CHANGES#';

function counterUpdate(
  TableName: string,
  { accountId, integrationId }: IntegrationRef,
  part: string,
  day: string,
  counts: ChangeCounts,
) {
  const named = Object.entries(counts).filter(([, count]) => count !== 0);
  return {
    TableName,
    Key: { pk: usagePk(accountId, day), sk: COUNTERS + encodeURIComponent(integrationId) + part },
    UpdateExpression: `SET #type = :type, ${TABLE.timeToLive} = :gone ADD ${named.map((_, i) => `#n${i} :n${i}`).join(', ')}`,
    ExpressionAttributeNames: {
      '#type': 'type',
      ...Object.fromEntries(named.map(([name], i) => [`#n${i}`, name])),
    },
    ExpressionAttributeValues: {
      ':type': 'changes',
      ':gone': Math.floor(Date.parse(day) / 1000) + USAGE_RETENTION_SEC,
      ...Object.fromEntries(named.map(([, count], i) => [`:n${i}`, count])),
    },
  };
}

/**
 * The transaction's part that counts a change of a connection on the day of the change; none where nothing is counted. An
 * integration has several counters, so that concurrent changes seldom conflict.
 *
 * @param at ISO 8601
 */
export function changeCountUpdate(
  tableName: string,
  ref: ConnectionRef,
  at: string | undefined,
  counts: ChangeCounts,
): { readonly Update: ReturnType<typeof counterUpdate> }[] {
  if (at === undefined || Object.keys(counts).length === 0) return [];
  const part = searchBucketOf(ref).bucket % CHANGE_COUNT_PARTS;
  return [{ Update: counterUpdate(tableName, ref, `#${part}`, at.slice(0, 10), counts) }];
}

/** Adds to an integration's counters of a day; a lost answer may be counted twice. */
export function changeCountWriter({ client, tableName }: Table): ChangeCountWriter {
  return {
    async add(ref, day, counts) {
      await client.send(new UpdateCommand(counterUpdate(tableName, ref, '', day, counts)), {
        abortSignal: AbortSignal.timeout(CALLS_REPORT_TIMEOUT_MS),
      });
    },
  };
}

/** Reads a day's counters of all integrations. */
export function changeCountReader({ client, tableName, onUnreadable }: Table): ChangeCountReader {
  return {
    async ofDay(accountId, day) {
      const rows: ChangeRow[] = [];
      let startKey: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: { ':pk': usagePk(accountId, day), ':prefix': COUNTERS },
            ConsistentRead: true,
            ExclusiveStartKey: startKey,
          }),
        );
        rows.push(...readable(Items, (item) => rowOf(item, day), onUnreadable));
        startKey = LastEvaluatedKey;
      } while (startKey !== undefined);
      return [...Map.groupBy(rows, ({ integrationId }) => integrationId)].map(([integrationId, parts]) => ({
        day,
        integrationId,
        counts: parts.reduce<ChangeCounts>((sum, { counts }) => addChanges(sum, counts), {}),
      }));
    },
  };
}

function rowOf(item: Item, day: string): ChangeRow {
  const counts: Record<string, number> = {};
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === 'number' && isChangeName(name)) counts[name] = value;
  }
  const [integrationId = ''] = str(item, 'sk').slice(COUNTERS.length).split('#');
  return { day, integrationId: decodeURIComponent(integrationId), counts };
}
