import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { CALLS_REPORT_TIMEOUT_MS, USAGE_RETENTION_SEC } from '../core/limits.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { type Item, optionalNum, readable, str } from '../platform/dynamodb/item-reader.ts';
import { type ItemKey, usagePk } from '../platform/dynamodb/keys.ts';
import type { UsageQuery, UsageReader, UsageRow, UsageWriter } from './ports.ts';
import { USAGE_COUNTERS, type UsageSubject } from './usage.rules.ts';

const part = encodeURIComponent;

/** One item per subject and day. */
function usageItemKey(accountId: string, day: string, subject: UsageSubject): ItemKey {
  return { pk: usagePk(accountId, day), sk: subjectSk(subject) };
}

function subjectSk(subject: UsageSubject): string {
  switch (subject.kind) {
    case 'integration':
      return `INTEGRATION#${part(subject.integrationId)}`;
    case 'connection':
      return `CONNECTION#${part(subject.integrationId)}#${part(subject.connectionId)}`;
    case 'key':
      return `KEY#${part(subject.keyId)}`;
  }
}

/** Adds to counters; an answer that was lost may count twice. */
export function usageWriter(table: Table): UsageWriter {
  return {
    async add(accountId, day, subject, counts) {
      const named = USAGE_COUNTERS.filter((name) => (counts[name] ?? 0) > 0);
      await table.client.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key: usageItemKey(accountId, day, subject),
          UpdateExpression: `SET #type = :type, ${TABLE.timeToLive} = :gone ADD ${named.map((name) => `${name} :${name}`).join(', ')}`,
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ':type': 'usage',
            ':gone': Math.floor(Date.parse(day) / 1000) + USAGE_RETENTION_SEC,
            ...Object.fromEntries(named.map((name) => [`:${name}`, counts[name]])),
          },
        }),
        { abortSignal: AbortSignal.timeout(CALLS_REPORT_TIMEOUT_MS) },
      );
    },
  };
}

/** Reads counters, eventually consistent. */
export function usageReader(table: Table): UsageReader {
  return {
    async ofDay(accountId, day, of) {
      const rows: UsageRow[] = [];
      let startKey: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await table.client.send(
          new QueryCommand({
            TableName: table.tableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: { ':pk': usagePk(accountId, day), ':prefix': prefixOf(of) },
            ExclusiveStartKey: startKey,
          }),
        );
        rows.push(...readable(Items, (item) => rowOf(item, day), table.onUnreadable));
        startKey = LastEvaluatedKey;
      } while (startKey !== undefined);
      // The prefix of one connection's id begins those of others, too.
      return of.by === 'connection' && of.connectionId !== undefined
        ? rows.filter(({ subject }) => subject.kind === 'connection' && subject.connectionId === of.connectionId)
        : rows;
    },
  };
}

function prefixOf(of: UsageQuery): string {
  if (of.by !== 'connection') return of.by === 'key' ? 'KEY#' : 'INTEGRATION#';
  return `CONNECTION#${part(of.integrationId)}#${part(of.connectionId ?? '')}`;
}

function rowOf(item: Item, day: string): UsageRow {
  const counts = Object.fromEntries(USAGE_COUNTERS.map((name) => [name, optionalNum(item, name) ?? 0]));
  return { day, subject: subjectOf(str(item, 'sk')), counts };
}

function subjectOf(sk: string): UsageSubject {
  const [kind, first = '', second = ''] = sk.split('#').map(decodeURIComponent);
  if (kind === 'CONNECTION') return { kind: 'connection', integrationId: first, connectionId: second };
  if (kind === 'KEY') return { kind: 'key', keyId: first };
  return { kind: 'integration', integrationId: first };
}
