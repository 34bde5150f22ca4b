import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { CALL_LOG_TABLE } from '../core/contract.ts';
import { type ConnectionRef, connectionRefKey, firstUlidOf, timeOfUlid } from '../core/identifiers.ts';
import {
  CALL_LIST_READS_MAX,
  CALL_LOG_CLEARED_AT_ONCE,
  CALL_LOG_CLEARINGS_PER_TICK,
  CALL_LOG_WRITE_TIMEOUT_MS,
  FAILURES_READ_AT_ONCE,
} from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import {
  bool,
  connectionRefFromItem,
  type Item,
  isDone,
  num,
  optionalNum,
  optionalStr,
  readable,
  str,
  type Table,
} from '../platform/dynamodb/client.ts';
import { connectionRefOfPk } from '../platform/dynamodb/keys.ts';
import { type CallRecord, failureOf, isEveryFailure, isWantedFailure } from './call-record.rules.ts';
import type { CallLogClearing, CallLogReader, CallLogWriter } from './ports.ts';
import { dayOf } from './usage.rules.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Partition of a connection's calls. */
function callsPk(ref: ConnectionRef): string {
  return `CALLS#${connectionRefKey(ref)}`;
}

/** Partition of the counts of a connection's rows, by day. */
function countsPk(ref: ConnectionRef): string {
  return `CALLCOUNTS#${connectionRefKey(ref)}`;
}

/** Partition of the connections whose rows have to go. */
const CLEARINGS_PK = 'CLEARINGS';
const CLEARING = 'CLEARING';

function clearingSk(ref: ConnectionRef): string {
  return `${CLEARING}#${connectionRefKey(ref)}`;
}

function requestKey(accountId: string, requestId: string): string {
  return `${encodeURIComponent(accountId)}#${requestId}`;
}

function failureKey(accountId: string, day: string): string {
  return `${encodeURIComponent(accountId)}#${day}`;
}

/** Text of a ULID's length that sorts before every ULID of a moment. */
function placeBefore(ms: number): string {
  return firstUlidOf(ms).padEnd(26, '0');
}

/**
 * Adds rows to the call log.
 *
 * @param table opened for the first row: most processes write none
 */
export function callLogWriter(table: () => Table, retentionDays: number): CallLogWriter {
  let opened: Table | undefined;
  const limit = () => ({ abortSignal: AbortSignal.timeout(CALL_LOG_WRITE_TIMEOUT_MS) });
  return {
    async write(record) {
      opened ??= table();
      const item = toItem(record, retentionDays);
      await opened.client.send(new PutCommand({ TableName: opened.tableName, Item: item }), limit());
    },

    async count(ref, day, calls) {
      opened ??= table();
      const { Attributes = {} } = await opened.client.send(
        new UpdateCommand({
          TableName: opened.tableName,
          Key: { [CALL_LOG_TABLE.partitionKey]: countsPk(ref), [CALL_LOG_TABLE.sortKey]: String(day) },
          UpdateExpression: 'ADD calls :calls SET #ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': CALL_LOG_TABLE.timeToLive },
          ExpressionAttributeValues: { ':calls': calls, ':ttl': (day + 2) * (DAY_MS / 1000) },
          ReturnValues: 'UPDATED_NEW',
        }),
        limit(),
      );
      return num(Attributes, 'calls');
    },
  };
}

/** Reads the call log. Rows past their retention are not returned, whether or not they are deleted yet. */
export function callLogReader(table: Table, clock: Clock, retentionDays: number): CallLogReader {
  const { client, tableName } = table;
  const oldestMs = () => clock.nowMs() - retentionDays * DAY_MS;
  return {
    async list(ref, { statuses, sinceMs }, limit, before) {
      const oldest = firstUlidOf(Math.max(oldestMs(), sinceMs ?? 0));
      // A range whose end comes before its beginning is no query at all: DynamoDB refuses it.
      if (before !== undefined && before < oldest) return { calls: [], next: undefined };
      const calls: CallRecord[] = [];
      let startKey: Item | undefined;
      for (let reads = 0; reads < CALL_LIST_READS_MAX; reads++) {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :before',
            ...(statuses === undefined
              ? {}
              : {
                  FilterExpression: '#status BETWEEN :from AND :to',
                  ExpressionAttributeNames: { '#status': 'status' },
                }),
            ExpressionAttributeValues: {
              ':pk': callsPk(ref),
              ':oldest': oldest,
              // Every id sorts before `~`; the row of `before` itself is removed below.
              ':before': before ?? '~',
              ...(statuses === undefined ? {} : { ':from': statuses.from, ':to': statuses.to }),
            },
            ScanIndexForward: false,
            // One more than needed, because the row of `before` may be among them.
            ...(statuses === undefined ? { Limit: limit - calls.length + 1 } : {}),
            ExclusiveStartKey: startKey,
          }),
        );
        const found = Items.filter(({ sk }) => sk !== before);
        calls.push(...readable(found, fromItem, table.onUnreadable));
        startKey = LastEvaluatedKey;
        if (calls.length > limit) {
          const page = calls.slice(0, limit);
          return { calls: page, next: page.at(-1)?.callId };
        }
        if (startKey === undefined) return { calls, next: undefined };
      }
      return { calls, next: startKey === undefined ? undefined : str(startKey, 'sk') };
    },

    async failures(accountId, filter, limit, before) {
      const oldest = Math.max(oldestMs(), filter.sinceMs ?? 0);
      const untilMs = Math.min(filter.untilMs ?? Number.POSITIVE_INFINITY, clock.nowMs() + DAY_MS);
      const end = placeBefore(untilMs);
      let upTo = before === undefined || before > end ? end : before;
      const calls: CallRecord[] = [];
      for (let reads = 0; reads < CALL_LIST_READS_MAX; reads++) {
        // The row of `upTo` itself is not wanted, so its day is skipped when `upTo` is the day's first moment.
        const dayMs = Math.floor(((timeOfUlid(upTo) ?? 0) - (upTo.endsWith('0'.repeat(16)) ? 1 : 0)) / DAY_MS) * DAY_MS;
        const from = placeBefore(Math.max(dayMs, oldest));
        if (dayMs + DAY_MS <= oldest || from >= upTo) return { calls, next: undefined };
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            IndexName: CALL_LOG_TABLE.failures.name,
            KeyConditionExpression: `${CALL_LOG_TABLE.failures.partitionKey} = :day AND sk BETWEEN :from AND :upTo`,
            ExpressionAttributeValues: {
              ':day': failureKey(accountId, dayOf(dayMs)),
              ':from': from,
              ':upTo': upTo,
            },
            ScanIndexForward: false,
            // One more than the page, to find out whether there is a next one, and one for the row of `upTo`.
            Limit: isEveryFailure(filter)
              ? Math.min(FAILURES_READ_AT_ONCE, limit - calls.length + 2)
              : FAILURES_READ_AT_ONCE,
          }),
        );
        const found = readable(
          Items.filter(({ sk }) => sk !== upTo),
          fromItem,
          table.onUnreadable,
        );
        calls.push(...found.filter((call) => isWantedFailure(call, filter)));
        if (calls.length > limit) {
          const page = calls.slice(0, limit);
          return { calls: page, next: page.at(-1)?.callId };
        }
        upTo = LastEvaluatedKey === undefined ? from : str(LastEvaluatedKey, 'sk');
        if (LastEvaluatedKey === undefined && dayMs <= oldest) return { calls, next: undefined };
      }
      return { calls, next: upTo };
    },

    async find(accountId, requestId) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: CALL_LOG_TABLE.byRequest.name,
          KeyConditionExpression: `${CALL_LOG_TABLE.byRequest.partitionKey} = :key`,
          ExpressionAttributeValues: { ':key': requestKey(accountId, requestId) },
          Limit: 1,
        }),
      );
      const [entry] = Items;
      if (entry === undefined) return undefined;
      const key = { pk: str(entry, 'pk'), sk: str(entry, 'sk') };
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key }));
      if (Item === undefined || key.sk < firstUlidOf(oldestMs())) return undefined;
      return fromItem(Item);
    },

    async noteDeleted(ref) {
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: { pk: CLEARINGS_PK, sk: clearingSk(ref), notedAtMs: clock.nowMs() },
        }),
      );
    },
  };
}

/** Deletes the rows of deleted connections (CL-15). */
export function callLogClearing(table: Table): CallLogClearing {
  const { client, tableName } = table;
  return {
    async pending() {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': CLEARINGS_PK },
          Limit: CALL_LOG_CLEARINGS_PER_TICK,
        }),
      );
      return Items.flatMap((item) => {
        const ref = connectionRefOfPk(str(item, 'sk'), CLEARING);
        return ref === undefined ? [] : [{ ...ref, notedAtMs: num(item, 'notedAtMs') }];
      });
    },

    async clearSome(ref, beforeMs) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND sk < :before',
          ExpressionAttributeValues: { ':pk': callsPk(ref), ':before': firstUlidOf(beforeMs) },
          ProjectionExpression: 'pk, sk',
          Limit: CALL_LOG_CLEARED_AT_ONCE,
        }),
      );
      await Promise.all(
        Items.map(({ pk, sk }) => client.send(new DeleteCommand({ TableName: tableName, Key: { pk, sk } }))),
      );
      return Items.length === CALL_LOG_CLEARED_AT_ONCE;
    },

    async done(clearing) {
      const Key = { pk: CLEARINGS_PK, sk: clearingSk(clearing) };
      await isDone(
        client.send(
          new DeleteCommand({
            TableName: tableName,
            Key,
            // A connection of the same name may have been deleted again meanwhile; its rows are still to clear.
            ConditionExpression: 'notedAtMs = :noted',
            ExpressionAttributeValues: { ':noted': clearing.notedAtMs },
          }),
        ),
      );
    },
  };
}

function toItem(record: CallRecord, retentionDays: number): Record<string, unknown> {
  const { callId, accountId, requestId, ...rest } = record;
  const isFailure = failureOf(record) !== undefined;
  return {
    pk: callsPk(record),
    sk: callId,
    [CALL_LOG_TABLE.byRequest.partitionKey]: requestKey(accountId, requestId),
    [CALL_LOG_TABLE.timeToLive]:
      Math.floor((Date.parse(record.startedAt) + record.totalMs) / 1000) + retentionDays * 86_400,
    ...(isFailure
      ? { [CALL_LOG_TABLE.failures.partitionKey]: failureKey(accountId, dayOf(timeOfUlid(callId) ?? 0)) }
      : {}),
    accountId,
    requestId,
    ...rest,
  };
}

function fromItem(item: Item): CallRecord {
  return {
    callId: str(item, 'sk'),
    ...connectionRefFromItem(item),
    requestId: str(item, 'requestId'),
    startedAt: str(item, 'startedAt'),
    keyId: str(item, 'keyId'),
    method: str(item, 'method'),
    path: str(item, 'path'),
    status: num(item, 'status'),
    gatewayCode: optionalStr(item, 'gatewayCode'),
    reason: optionalStr(item, 'reason'),
    headMs: optionalNum(item, 'headMs'),
    totalMs: num(item, 'totalMs'),
    attempts: num(item, 'attempts'),
    refreshed: bool(item, 'refreshed'),
    bytesIn: num(item, 'bytesIn'),
    bytesOut: num(item, 'bytesOut'),
    complete: bool(item, 'complete'),
    standsFor: num(item, 'standsFor'),
  };
}
