import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, optionalNum, readable, str, type Table } from '../platform/dynamodb/client.ts';
import { usagePk } from '../platform/dynamodb/keys.ts';
import type { UsageQuery, UsageRow, UsageRows } from './ports.ts';
import { USAGE_COUNTERS, type UsageSubject } from './usage.rules.ts';

const part = encodeURIComponent;

/** Reads rows in which versions up to 0.2 counted calls, eventually consistent: TTL deletes the last of them 400 days after an update. */
export function usageRows(table: Table): UsageRows {
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
