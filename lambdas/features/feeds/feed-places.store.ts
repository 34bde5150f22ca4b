import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { writeTogether } from '../../gateway/events/event.store.ts';
import type { Item, Table } from '../../gateway/platform/dynamodb/client.ts';
import type { ItemKey } from '../../gateway/platform/dynamodb/keys.ts';
import { feedOfItemKey, plainFeedOfItemKey } from './feed-keys.store.ts';
import type { FeedPlaces } from './ports.ts';

/** Places of feeds at their connections, strongly consistent. */
export function feedPlaces(table: Table): FeedPlaces {
  const { client, tableName: TableName } = table;
  const read = async (Key: ItemKey): Promise<Item | undefined> =>
    (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  return {
    async isOf(connection: ConnectionRef, resource: string, feedId: string) {
      const key = feedOfItemKey(connection, resource);
      const place = await read(key);
      const plain = plainFeedOfItemKey(connection, resource);
      if (place?.feedId === feedId) return true;
      // Up to 0.2.0 the place of a calendar has another key.
      const former = plain === undefined ? undefined : await read(plain);
      if (plain === undefined || former?.feedId !== feedId) return false;
      // After a rollback to 0.2.0 another feed may have this version's place.
      if (place !== undefined) return true;
      const isSame = { ConditionExpression: 'feedId = :feed', ExpressionAttributeValues: { ':feed': feedId } };
      await writeTogether(table, [
        { Put: { TableName, Item: { ...former, ...key }, ConditionExpression: 'attribute_not_exists(pk)' } },
        { Delete: { TableName, Key: plain, ...isSame } },
      ]);
      return true;
    },
  };
}
