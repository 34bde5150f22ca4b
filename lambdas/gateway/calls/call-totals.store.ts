import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { CALLS_REPORT_TIMEOUT_MS, DAY_WINDOW_SEC, RATE_WINDOW_SEC } from '../core/limits.ts';
import { num, type Table } from '../platform/dynamodb/client.ts';
import { callCountItemKey } from '../platform/dynamodb/keys.ts';
import type { CallTotals, CallTotalsReader } from './ports.ts';

/** One item per subject and window, deleted by TTL after it. An answer that was lost may count twice. */
export function callTotals(table: Table): CallTotals {
  return {
    async add(subject, window, calls) {
      const { Attributes } = await table.client.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key: callCountItemKey(subject, window),
          UpdateExpression: `SET #type = :type, ${TABLE.timeToLive} = :gone ADD callCount :calls`,
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ':type': 'call_count',
            ':gone': (window + 2) * (subject.kind.startsWith('day_') ? DAY_WINDOW_SEC : RATE_WINDOW_SEC),
            ':calls': calls,
          },
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: AbortSignal.timeout(CALLS_REPORT_TIMEOUT_MS) },
      );
      return num(Attributes ?? {}, 'callCount');
    },
  };
}

/** Reads them, eventually consistent. */
export function callTotalsReader({ client, tableName: TableName }: Table): CallTotalsReader {
  return {
    async read(subject, window) {
      const { Item } = await client.send(new GetCommand({ TableName, Key: callCountItemKey(subject, window) }));
      return Item === undefined ? 0 : num(Item, 'callCount');
    },
  };
}
