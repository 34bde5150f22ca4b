import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../platform/dynamodb/client.ts';
import { eventToItem } from './event-item.store.ts';
import type { AuditTrail } from './ports.ts';

/** Events beside any change: written before the answer they report leaves. */
export function auditTrail(table: Table): AuditTrail {
  return {
    async append(event) {
      // Its id is random: a repeat after a lost reply writes the same item over itself.
      await table.client.send(new PutCommand({ TableName: table.tableName, Item: eventToItem(event) }));
    },
  };
}
