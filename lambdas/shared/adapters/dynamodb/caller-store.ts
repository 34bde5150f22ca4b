import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { CallerStore } from '../../ports.ts';
import type { Table } from './client.ts';
import { connectionFromItem } from './connection-item.ts';
import { integrationFromItem } from './integration-item.ts';
import type { Item } from './item-reader.ts';
import { connectionItemKey, type ItemKey, integrationItemKey, secretKeyItemKey } from './keys.ts';
import { secretKeyFromItem } from './secret-key-store.ts';

const ATTEMPTS = 4;

/** The records a call stands on, in one `BatchGetItem`. */
export function callerStore(table: Table): CallerStore {
  return {
    async load({ keyHash, integration, connection }) {
      const keys: ItemKey[] = [];
      if (keyHash !== undefined) keys.push(secretKeyItemKey(keyHash));
      if (integration !== undefined) keys.push(integrationItemKey(integration));
      if (connection !== undefined) keys.push(connectionItemKey(connection));
      const items = await batchGet(table, keys);
      const find = (key: ItemKey) => items.find((item) => item.pk === key.pk && item.sk === key.sk);
      const keyItem = keyHash === undefined ? undefined : find(secretKeyItemKey(keyHash));
      const integrationItem = integration === undefined ? undefined : find(integrationItemKey(integration));
      const connectionItem = connection === undefined ? undefined : find(connectionItemKey(connection));
      return {
        key: keyItem === undefined ? undefined : secretKeyFromItem(keyItem),
        integration: integrationItem === undefined ? undefined : integrationFromItem(integrationItem),
        connection: connectionItem === undefined ? undefined : connectionFromItem(connectionItem),
      };
    },
  };
}

/** A throttled table answers a batch in part: the rest is asked for again, a bounded number of times (F47). */
async function batchGet(table: Table, keys: ItemKey[]): Promise<Item[]> {
  const items: Item[] = [];
  let wanted: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  for (let attempt = 0; wanted.length > 0; attempt++) {
    if (attempt === ATTEMPTS) throw new Error('DynamoDB left part of a batch read unprocessed');
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt * (0.5 + Math.random() / 2)));
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.tableName]: { Keys: wanted } } }),
    );
    items.push(...(Responses?.[table.tableName] ?? []));
    wanted = UnprocessedKeys?.[table.tableName]?.Keys ?? [];
  }
  return items;
}
