import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { connectionFromItem } from '../gateway/connections/connection-item.store.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import type { Table } from '../gateway/platform/dynamodb/client.ts';
import { connectionItemKey } from '../gateway/platform/dynamodb/keys.ts';

/** Reads connections, strongly consistent, for functions that never write one. */
export function connectionReader({ client, tableName }: Table): Pick<ConnectionStore, 'read'> {
  return {
    async read(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: connectionItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : connectionFromItem(Item);
    },
  };
}
