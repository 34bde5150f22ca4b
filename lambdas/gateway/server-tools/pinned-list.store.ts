import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { writeTransition } from '../events/event.store.ts';
import { type Item, isDone, num, str, type Table } from '../platform/dynamodb/client.ts';
import { serverToolsItemKey } from '../platform/dynamodb/keys.ts';
import type { PinnedList, PinnedTool } from './pins.rules.ts';
import type { PinnedListStore } from './ports.ts';

/** Pinned lists of tools: one item for each account, provider and endpoint. */
export function pinnedListStore(table: Table): PinnedListStore {
  return {
    async read(ref) {
      const { Item } = await table.client.send(
        new GetCommand({ TableName: table.tableName, Key: serverToolsItemKey(ref) }),
      );
      return Item === undefined ? undefined : pinnedListFromItem(Item);
    },
    write(ref, { tools, fetchedAtEpochSec, version }, before, event) {
      const put = {
        TableName: table.tableName,
        Item: {
          ...serverToolsItemKey(ref),
          type: 'server_tools',
          ...ref,
          tools: JSON.stringify(tools),
          fetchedAtEpochSec,
          version,
        },
        ...(before === undefined
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'version = :before', ExpressionAttributeValues: { ':before': before } }),
      };
      return event === undefined
        ? isDone(table.client.send(new PutCommand(put)))
        : writeTransition(table, { Put: put }, event);
    },
  };
}

/** An item as the list it stores. The gateway wrote it: what it holds was read from a server by `readToolList`. */
function pinnedListFromItem(item: Item): PinnedList {
  const tools: readonly PinnedTool[] = JSON.parse(str(item, 'tools'));
  return { tools, fetchedAtEpochSec: num(item, 'fetchedAtEpochSec'), version: num(item, 'version') };
}
