import { BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../lambdas/gateway/connections/connection-item.store.ts';
import {
  listedRowsOf,
  listedSubject,
  searchBucketOf,
  searchEntry,
  withEntry,
} from '../../lambdas/gateway/connections/index-rows.rules.ts';
import {
  censusItemKey,
  listedPk,
  searchBucketItemKey,
  searchCheckItemKey,
} from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import type { TestGateway } from './gateway.ts';
import { changeItem, readItem, tableClient } from './table.ts';

type Item = Record<string, unknown>;

/** Rows that one request writes (DynamoDB, BatchWriteItem). */
const AT_ONCE = 25;

/** Puts rows of any kind into the gateway's table. */
export async function putItems(test: TestGateway, items: readonly Item[]): Promise<void> {
  const parts = Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, i) =>
    items.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
  for (const part of parts) {
    const RequestItems = { [test.gateway.tableName]: part.map((one) => ({ PutRequest: { Item: one } })) };
    const { UnprocessedItems = {} } = await tableClient(test).send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('Rows were not written');
  }
}

/** Puts connections into the gateway's table with their places in lists and their search entries, and has all of the account counted. */
export async function putConnections(test: TestGateway, connections: readonly Connection[]): Promise<void> {
  const listed = connections.flatMap((one) =>
    listedRowsOf(listedSubject(one)).map(({ list, place }) => ({
      pk: listedPk(one.accountId, list),
      sk: place,
      type: 'listed',
      integrationId: one.integrationId,
      connectionId: one.connectionId,
    })),
  );
  const searched = await searchBuckets(test, connections);
  await putItems(test, [...connections.map(connectionToItem), ...listed, ...searched]);
  await changeItem(test, searchCheckItemKey('default'), { lists: 'complete' });
  await countAgain(test);
}

/** The parts of the search index that connections are in, with their entries beside those that are there already. */
async function searchBuckets(test: TestGateway, connections: readonly Connection[]): Promise<Item[]> {
  const buckets = new Map<string, Item>();
  for (const one of connections) {
    const { shard, bucket } = searchBucketOf(one);
    const key = searchBucketItemKey(one.accountId, shard, bucket);
    const name = `${key.pk} ${key.sk}`;
    const known = buckets.get(name) ?? (await readItem(test, key));
    const before = String(known?.entries ?? '');
    const entries = withEntry(before, one, searchEntry(one)) ?? before;
    buckets.set(name, { ...key, type: 'search_bucket', entries, version: Number(known?.version ?? 0) + 1 });
  }
  return [...buckets.values()];
}

/** Has the connections of the account counted now, whatever was counted before. */
export async function countAgain(test: TestGateway): Promise<void> {
  const { tableName: TableName } = test.gateway;
  await tableClient(test).send(new DeleteCommand({ TableName, Key: censusItemKey('default') }));
  await test.gateway.tick('refresh');
}
