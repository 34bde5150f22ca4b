import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../contract.ts';
import { CALLS_REPORT_TIMEOUT_MS, USAGE_RETENTION_SEC } from '../core/limits.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { type Item, readable, str } from '../platform/dynamodb/item-reader.ts';
import { usagePk } from '../platform/dynamodb/keys.ts';
import { type ChangeRow, isChangeName } from './change-counts.rules.ts';
import type { ChangeCountReader, ChangeCountWriter } from './ports.ts';

const PREFIX = 'CHANGES#';

/** Adds to an integration's counters of a day; an answer that was lost may count twice. */
export function changeCountWriter({ client, tableName }: Table): ChangeCountWriter {
  return {
    async add({ accountId, integrationId }, day, counts) {
      const named = Object.entries(counts).filter(([, count]) => count !== 0);
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: { pk: usagePk(accountId, day), sk: PREFIX + encodeURIComponent(integrationId) },
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
        }),
        { abortSignal: AbortSignal.timeout(CALLS_REPORT_TIMEOUT_MS) },
      );
    },
  };
}

/** Reads a day's counters of all integrations: one item each. */
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
            ExpressionAttributeValues: { ':pk': usagePk(accountId, day), ':prefix': PREFIX },
            ConsistentRead: true,
            ExclusiveStartKey: startKey,
          }),
        );
        rows.push(...readable(Items, (item) => rowOf(item, day), onUnreadable));
        startKey = LastEvaluatedKey;
      } while (startKey !== undefined);
      return rows;
    },
  };
}

function rowOf(item: Item, day: string): ChangeRow {
  const counts: Record<string, number> = {};
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === 'number' && isChangeName(name)) counts[name] = value;
  }
  return { day, integrationId: decodeURIComponent(str(item, 'sk').slice(PREFIX.length)), counts };
}
