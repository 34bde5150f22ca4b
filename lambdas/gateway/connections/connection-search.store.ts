import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import {
  SEARCH_BUCKET_MAX_LENGTH,
  SEARCH_CHECKED_PER_TICK,
  SEARCH_FOUND_MAX,
  SEARCH_READS_AT_ONCE,
  SEARCH_SHARDS,
} from '../core/limits.ts';
import { batchGet } from '../platform/dynamodb/batch-get.ts';
import { num, optionalNum, optionalStr, readable, str, type Table } from '../platform/dynamodb/client.ts';
import {
  connectionItemKey,
  connectionListKey,
  type ItemKey,
  searchBucketItemKey,
  searchCheckItemKey,
  searchShardPk,
} from '../platform/dynamodb/keys.ts';
import type { ConnectionSummary } from './connection.rules.ts';
import { connectionFromItem } from './connection-item.store.ts';
import { summaryFromItem } from './connection-list.store.ts';
import { listedRowKey, writeConnection } from './connection-write.store.ts';
import {
  entriesWith,
  type FoundConnection,
  firstLines,
  hasEntry,
  listedRowsOf,
  placedLines,
  refOfLine,
  SEARCH_FOLD,
  searchBucketOf,
  searchForms,
  searchWords,
} from './index-rows.rules.ts';
import type { ConnectionSearch, ListedConnection, SearchUpkeep } from './ports.ts';

/**
 * Searches by reading all of the account's buckets, several calls at a time: DynamoDB compares, so a bucket without a match only costs
 * read units.
 */
export function connectionSearch(table: Table): ConnectionSearch {
  return {
    async find(accountId, typed, integrationIds) {
      const words = searchWords(typed);
      const forms = searchForms(typed);
      const found: FoundConnection[] = [];
      const shards = Array.from({ length: SEARCH_SHARDS }, (_, shard) => shard);
      let complete = true;
      const readShards = async () => {
        for (let shard = shards.shift(); shard !== undefined; shard = shards.shift()) {
          for await (const entries of matchingBuckets(table, accountId, shard, forms)) {
            for (const one of entriesWith(entries, words)) {
              if (integrationIds?.includes(one.integrationId) !== false) found.push(one);
            }
            if (entries.length + SEARCH_ENTRY_ROOM > SEARCH_BUCKET_MAX_LENGTH) complete = false;
            if (found.length >= SEARCH_FOUND_MAX) {
              complete = false;
              return;
            }
          }
        }
      };
      await Promise.all(Array.from({ length: SEARCH_READS_AT_ONCE }, readShards));
      return { found: found.slice(0, SEARCH_FOUND_MAX), complete };
    },

    async inOrder(accountId, order) {
      const first = firstLines(order);
      await eachBucket(table, accountId, order.integrationIds, (entries) => {
        for (const line of placedLines(entries, order.integrationIds)) first.take(line);
      });
      return first.end().flatMap(({ key, place }) => {
        const ref = refOfLine(key);
        return ref === undefined ? [] : [{ ...ref, place }];
      });
    },

    async count(accountId, integrationIds) {
      let count = 0;
      await eachBucket(table, accountId, integrationIds, (entries) => {
        for (const _ of placedLines(entries, integrationIds)) count++;
      });
      return count;
    },

    async summaries(refs) {
      // DynamoDB refuses a batch that names a key twice.
      const once = new Map(refs.map((ref) => [connectionRefKey(ref), ref]));
      const items = await batchGet(table, [...once.values()].map(connectionItemKey));
      const listed = readable(
        items.filter((item) => item[TABLE.indexes.byAccount.partitionKey] !== undefined),
        (item): ListedConnection => ({
          ...summaryFromItem(item),
          lastUsedAtEpochSec: optionalNum(item, 'lastUsedAtEpochSec'),
        }),
        table.onUnreadable,
      );
      const byKey = new Map(listed.map((one) => [connectionRefKey(one), one]));
      return [...once.keys()].flatMap((key) => byKey.get(key) ?? []);
    },
  };
}

/** Reads every bucket of an account that has a connection of the integrations, in no order. @param integrationIds undefined = all */
async function eachBucket(
  table: Table,
  accountId: string,
  integrationIds: readonly string[] | undefined,
  take: (entries: string) => void,
): Promise<void> {
  // An integration with few connections is in few buckets, and DynamoDB sends no others.
  const forms = integrationIds?.length === 1 ? integrationIds.map((id) => [`#${encodeURIComponent(id)}#`]) : [];
  const shards = Array.from({ length: SEARCH_SHARDS }, (_, shard) => shard);
  const readShards = async () => {
    for (let shard = shards.shift(); shard !== undefined; shard = shards.shift()) {
      for await (const entries of matchingBuckets(table, accountId, shard, forms)) take(entries);
    }
  };
  await Promise.all(Array.from({ length: SEARCH_READS_AT_ONCE }, readShards));
}

/** A bucket closer to its limit than this may have rejected an entry. */
const SEARCH_ENTRY_ROOM = 2_000;

/** The texts of a partition's buckets that contain every word in one of its forms; all of them without a word. */
async function* matchingBuckets(table: Table, accountId: string, shard: number, forms: readonly string[][]) {
  const values = forms.flatMap((ofWord, i) => ofWord.map((form, j) => [`:word${i}_${j}`, form] as const));
  const conditions = forms.map(
    (ofWord, i) => `(${ofWord.map((_, j) => `contains(entries, :word${i}_${j})`).join(' OR ')})`,
  );
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        KeyConditionExpression: 'pk = :pk',
        ...(conditions.length === 0 ? {} : { FilterExpression: conditions.join(' AND ') }),
        ProjectionExpression: 'entries',
        ExpressionAttributeValues: {
          ':pk': searchShardPk(accountId, shard),
          ...Object.fromEntries(values),
        },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const item of page.Items ?? []) yield str(item, 'entries');
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

/** Walks an account's list and adds missing entries of the search index and of the lists by integration, end user and so on. */
export function searchUpkeep(table: Table): SearchUpkeep {
  const { client, tableName } = table;
  const { byAccount } = TABLE.indexes;
  return {
    async read(accountId) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: searchCheckItemKey(accountId), ConsistentRead: true }),
      );
      if (Item === undefined) return undefined;
      return {
        position: optionalStr(Item, 'position'),
        walkedAtEpochSec: num(Item, 'walkedAtEpochSec'),
        lists: Item.lists === 'complete' || Item.lists === 'begun' ? Item.lists : undefined,
        isFolded: Item.fold === SEARCH_FOLD,
      };
    },

    async goOn(accountId, walk, nowEpochSec) {
      const position = walk?.position;
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: byAccount.name,
          KeyConditionExpression: `${byAccount.partitionKey} = :account${position === undefined ? '' : ` AND ${byAccount.sortKey} > :position`}`,
          ExpressionAttributeValues: {
            ':account': connectionListKey(accountId),
            ...(position === undefined ? {} : { ':position': position }),
          },
          Limit: SEARCH_CHECKED_PER_TICK,
        }),
      );
      const added = await addMissing(table, accountId, readable(Items, summaryFromItem, table.onUnreadable));
      const next = LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, byAccount.sortKey);
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: {
            ...searchCheckItemKey(accountId),
            type: 'search_walk',
            position: next,
            walkedAtEpochSec: nowEpochSec,
            lists: next === undefined ? 'complete' : (walk?.lists ?? 'begun'),
            fold: SEARCH_FOLD,
          },
        }),
      );
      return { added, isEnd: next === undefined };
    },
  };
}

async function addMissing(table: Table, accountId: string, summaries: readonly ConnectionSummary[]): Promise<number> {
  const lacksEntry = await lackingEntry(table, accountId, summaries);
  const lacksRows = await lackingRows(table, summaries);
  let added = 0;
  const missing = summaries.filter((one) => lacksEntry.has(one) || lacksRows.has(one));
  const addNext = async () => {
    for (let one = missing.pop(); one !== undefined; one = missing.pop()) if (await addListed(table, one)) added++;
  };
  await Promise.all(Array.from({ length: SEARCH_READS_AT_ONCE }, addNext));
  return added;
}

/** Connections of a page without an entry in the search index, or with one that an earlier version folded. */
async function lackingEntry(table: Table, accountId: string, summaries: readonly ConnectionSummary[]) {
  const keys = new Map(
    summaries.map((one) => {
      const { shard, bucket } = searchBucketOf(one);
      const key = searchBucketItemKey(accountId, shard, bucket);
      return [`${key.pk} ${key.sk}`, key];
    }),
  );
  const buckets = new Map(
    (await batchGet(table, [...keys.values()])).map((item) => [`${item.pk} ${item.sk}`, str(item, 'entries')]),
  );
  return new Set(
    summaries.filter((one) => {
      const { shard, bucket } = searchBucketOf(one);
      const { pk, sk } = searchBucketItemKey(accountId, shard, bucket);
      return !hasEntry(buckets.get(`${pk} ${sk}`) ?? '', one);
    }),
  );
}

/** Connections of a page that are missing in their lists: checked by the row that all have, and the row of one that does not work. */
async function lackingRows(table: Table, summaries: readonly ConnectionSummary[]) {
  const keyOf = ({ pk, sk }: ItemKey) => `${pk} ${sk}`;
  const telling = (one: ConnectionSummary) =>
    listedRowsOf(one).filter(({ list }) => ['INTEGRATION', 'DEAD', 'DEAD_ACCOUNT', 'FAILING'].includes(list.kind));
  const keysOf = new Map(summaries.map((one) => [one, telling(one).map((row) => listedRowKey(one.accountId, row))]));
  const found = await batchGet(table, [...keysOf.values()].flat());
  const present = found.filter(({ left }) => left === undefined);
  const known = new Set(present.map((item) => keyOf({ pk: str(item, 'pk'), sk: str(item, 'sk') })));
  return new Set(summaries.filter((one) => keysOf.get(one)?.some((key) => !known.has(keyOf(key)))));
}

/** Concurrent changes of a connection that are tolerated; the next walk handles one that changes more often. */
const ATTEMPTS = 3;

/** Adds the current state of a connection to the search index and its lists; after a concurrent change it is read again. */
async function addListed(table: Table, ref: ConnectionRef): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.tableName, Key: connectionItemKey(ref), ConsistentRead: true }),
    );
    const [after] = Item === undefined ? [] : readable([Item], connectionFromItem, table.onUnreadable);
    if (after === undefined || after.status === 'deleted') return false;
    if ((await writeConnection(table, { happened: { kind: 'listed' }, before: undefined, after })).done) return true;
  }
  return false;
}
