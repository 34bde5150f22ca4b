import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ConnectionStore } from '../../ports.ts';
import type { Table } from './client.ts';
import { connectionFromItem } from './connection-item.ts';
import { connectionItemKey } from './keys.ts';

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
