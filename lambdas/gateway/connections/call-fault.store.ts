import { LISTED_HEALTH_ATTRIBUTES } from '../contract.ts';
import { CALLS_REPORT_TIMEOUT_MS } from '../core/limits.ts';
import { writeTogether } from '../events/event.store.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { connectionItemKey } from '../platform/dynamodb/keys.ts';
import type { Connection } from './connection.rules.ts';
import { failingPuts, failingRemovals } from './listed-rows.store.ts';
import type { CallFaultStore } from './ports.ts';

/** Marks connections whose calls the provider refuses, and takes the mark away. Once each, beside a call. */
export function callFaults(table: Table): CallFaultStore {
  const bounded = () => ({ abortSignal: AbortSignal.timeout(CALLS_REPORT_TIMEOUT_MS) });
  const of = (connection: Connection) => ({ TableName: table.tableName, Key: connectionItemKey(connection) });
  const names = { '#status': 'status', '#listed': LISTED_HEALTH_ATTRIBUTES.callFault };
  return {
    async mark(connection, fault) {
      const mark = {
        Update: {
          ...of(connection),
          UpdateExpression: 'SET callFault = :fault, #listed = :fault',
          ConditionExpression: '#status = :active AND attribute_not_exists(callFault)',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':fault': fault, ':active': 'active' },
        },
      };
      await writeTogether(table, [mark, ...failingPuts(table, connection)], bounded());
    },
    async clear(connection, clearedAt) {
      const removal = {
        Update: {
          ...of(connection),
          UpdateExpression: 'REMOVE callFault, #listed',
          ConditionExpression: '#status = :active',
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ':active': 'active' },
        },
      };
      await writeTogether(table, [removal, ...failingRemovals(table, connection, clearedAt)], bounded());
    },
  };
}
