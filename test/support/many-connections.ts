import { BatchGetCommand, BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
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
  type ItemKey,
  listedPk,
  searchBucketItemKey,
  searchCheckItemKey,
} from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import type { TestGateway } from './gateway.ts';
import { changeItem, tableClient } from './table.ts';

type Item = Record<string, unknown>;

/** Rows that one request writes, and reads (DynamoDB, BatchWriteItem and BatchGetItem). */
const AT_ONCE = 25;
const READ_AT_ONCE = 100;

/** Puts rows of any kind into the gateway's table. */
export async function putItems(test: TestGateway, items: readonly Item[]): Promise<void> {
  for (const part of partsOf(items, AT_ONCE)) {
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

/** The parts of the search index that connections are in, with their entries alongside those that are there already. */
async function searchBuckets(test: TestGateway, connections: readonly Connection[]): Promise<Item[]> {
  const places = connections.map((one) => {
    const { shard, bucket } = searchBucketOf(one);
    const key = searchBucketItemKey(one.accountId, shard, bucket);
    return { one, key, name: nameOf(key) };
  });
  const keys = new Map(places.map(({ name, key }) => [name, key]));
  const stored = await readItems(test, [...keys.values()]);
  const buckets = new Map<string, Item>();
  for (const { one, key, name } of places) {
    const known = buckets.get(name) ?? stored.get(name);
    const before = String(known?.entries ?? '');
    const entries = withEntry(before, one, searchEntry(one)) ?? before;
    buckets.set(name, { ...key, type: 'search_bucket', entries, version: Number(known?.version ?? 0) + 1 });
  }
  return [...buckets.values()];
}

/** Rows that are there, by their keys. */
async function readItems(test: TestGateway, keys: readonly ItemKey[]): Promise<Map<string, Item>> {
  const { tableName } = test.gateway;
  const found = new Map<string, Item>();
  for (const Keys of partsOf(keys, READ_AT_ONCE)) {
    const RequestItems = { [tableName]: { Keys, ConsistentRead: true } };
    const { Responses = {}, UnprocessedKeys = {} } = await tableClient(test).send(
      new BatchGetCommand({ RequestItems }),
    );
    if (Object.keys(UnprocessedKeys).length > 0) throw new Error('Rows were not read');
    for (const item of Responses[tableName] ?? []) found.set(nameOf(item), item);
  }
  return found;
}

function nameOf({ pk, sk }: Item | ItemKey): string {
  return `${pk} ${sk}`;
}

function partsOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** Has the connections of the account counted now, whatever was counted before. */
export async function countAgain(test: TestGateway): Promise<void> {
  const { tableName: TableName } = test.gateway;
  await tableClient(test).send(new DeleteCommand({ TableName, Key: censusItemKey('default') }));
  await test.gateway.tick('refresh');
}
