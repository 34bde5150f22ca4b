import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import type { ConnectionRef, IntegrationRef } from '../core/identifiers.ts';
import { CALLS_REPORT_TIMEOUT_MS, CHANGE_COUNT_PARTS, USAGE_RETENTION_SEC } from '../core/limits.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { type Item, readable, str } from '../platform/dynamodb/item-reader.ts';
import { usagePk } from '../platform/dynamodb/keys.ts';
import { addChanges, type ChangeCounts, type ChangeRow, isChangeName } from './change-counts.rules.ts';
import { searchBucketOf } from './index-rows.rules.ts';
import type { ChangeCountReader, ChangeCountWriter } from './ports.ts';

const PREFIX = 'CHANGES#';

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
    Key: { pk: usagePk(accountId, day), sk: PREFIX + encodeURIComponent(integrationId) + part },
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
 * integration has several counters, so that many who change at once seldom wait for each other.
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

/** Adds to an integration's counters of a day; an answer that was lost may count twice. */
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
            ExpressionAttributeValues: { ':pk': usagePk(accountId, day), ':prefix': PREFIX },
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
  const [integrationId = ''] = str(item, 'sk').slice(PREFIX.length).split('#');
  return { day, integrationId: decodeURIComponent(integrationId), counts };
}
