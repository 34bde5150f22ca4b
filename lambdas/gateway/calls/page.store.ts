import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import {
  CONNECTION_PAGE_RETENTION_SEC,
  HOUR_PAGE_RETENTION_SEC,
  MINUTE_PAGE_RETENTION_SEC,
  PAGE_WRITE_UNITS_PER_SEC,
  USAGE_RETENTION_SEC,
} from '../core/limits.ts';
import { type Item, isDone, num, readable, str, type Table, UnreadableItemError } from '../platform/dynamodb/client.ts';
import { pagePk } from '../platform/dynamodb/keys.ts';
import {
  decodeEntries,
  encodeEntries,
  LEVEL_MS,
  type PageEntry,
  type PageLevel,
  type PagePart,
  type PageParts,
  type PageTime,
  partsOf,
  placeOf,
  shardOf,
  startAt,
  startOf,
} from './page.rules.ts';
import type { PageHead, PageReader, PageStore } from './ports.ts';

const HEAD = 'SUM#';
const CONNECTIONS = 'CONNECTION#';

/** Sort key of a page's item: its place, and for items other than the head their number and count. */
function partSk(place: string, part: Pick<PagePart, 'of' | 'shard'>, shards: number): string {
  if (part.of === 'head') return HEAD + place;
  return `${part.of === 'sums' ? HEAD : CONNECTIONS}${place}#${shards}#${part.shard}`;
}

/**
 * Reads pages.
 *
 * @param consistent @default false
 */
export function pageReader(table: Table, consistent = false): PageReader {
  const { client, tableName, onUnreadable } = table;

  async function query(pk: string, from: string, to: string): Promise<Item[]> {
    const items: Item[] = [];
    let startKey: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
          ConsistentRead: consistent,
          ExclusiveStartKey: startKey,
        }),
      );
      items.push(...Items);
      startKey = LastEvaluatedKey;
    } while (startKey !== undefined);
    return items;
  }

  const shardAt: PageReader['shard'] = async (accountId, level, { startMs, connectionShards }, shard) => {
    const { partition, place } = placeOf({ level, startMs });
    const sk = partSk(place, { of: 'connections', shard }, connectionShards);
    const key = { pk: pagePk(accountId, level, partition), sk };
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: consistent }));
    const [item] = Item === undefined ? [] : readable([Item], itemOf, onUnreadable);
    return item?.entries ?? [];
  };

  return {
    async heads(accountId, level, fromMs, toMs) {
      const ranges = new Map<string, { first: string; last: string }>();
      for (let ms = startOf(level, fromMs); ms < toMs; ms += LEVEL_MS[level]) {
        const { partition, place } = placeOf({ level, startMs: ms });
        const known = ranges.get(partition);
        if (known === undefined) ranges.set(partition, { first: place, last: place });
        else known.last = place;
      }
      const read = await Promise.all(
        [...ranges].map(async ([partition, { first, last }]) => {
          // A page's own items continue its place with characters below `~`.
          const items = await query(pagePk(accountId, level, partition), HEAD + first, `${HEAD + last}~`);
          return headsOf(readable(items, itemOf, onUnreadable), level, partition);
        }),
      );
      return read.flat().sort((a, b) => a.startMs - b.startMs);
    },

    async connections(accountId, level, head, one) {
      const isWanted = ({ kind, ids }: PageEntry): boolean =>
        kind === 'connection' && (one === undefined || (ids[0] === one.integrationId && ids[1] === one.connectionId));
      const { connectionShards: shards, startMs } = head;
      if (shards === 0) return head.entries.filter(isWanted);
      const { partition, place } = placeOf({ level, startMs });
      const pk = pagePk(accountId, level, partition);
      const prefix = `${CONNECTIONS}${place}#${shards}#`;
      if (one === undefined) {
        const items = await query(pk, prefix, `${prefix}~`);
        return readable(items, itemOf, onUnreadable).flatMap(({ entries }) => entries);
      }
      const shard = shardOf([one.integrationId, one.connectionId], shards);
      return (await shardAt(accountId, level, head, shard)).filter(isWanted);
    },

    shard: shardAt,
  };
}

/**
 * Reads and writes pages, strongly consistent, so that a page written just before is part of the next sum.
 *
 * @param pause waits so many milliseconds
 */
export function pageStore(table: Table, pause: (ms: number) => Promise<void>): PageStore {
  const { client, tableName } = table;

  async function linesOf(pk: string, place: string): Promise<number> {
    const { Item } = await client.send(
      new GetCommand({ TableName: tableName, Key: { pk, sk: HEAD + place }, ConsistentRead: true }),
    );
    return Item === undefined ? 0 : num(Item, 'lines');
  }

  /** @returns false where the item is already one of a page with more lines */
  async function put(accountId: string, time: PageTime, part: PagePart, counts: PageParts, lines: number) {
    const { partition, place } = placeOf(time);
    const shards = part.of === 'sums' ? counts.sumShards : counts.connectionShards;
    const entries = encodeEntries(part.entries);
    const isWritten = await isDone(
      client.send(
        new PutCommand({
          TableName: tableName,
          Item: {
            pk: pagePk(accountId, time.level, partition),
            sk: partSk(place, part, shards),
            type: 'usage_page',
            lines,
            entries,
            ...(part.of === 'head' ? counts : {}),
            [TABLE.timeToLive]: Math.floor(time.startMs / 1000) + retentionSec(time, part),
          },
          // Another tick may have read more lines meanwhile.
          ConditionExpression: 'attribute_not_exists(#lines) OR #lines <= :lines',
          ExpressionAttributeNames: { '#lines': 'lines' },
          ExpressionAttributeValues: { ':lines': lines },
        }),
      ),
    );
    const units = Math.ceil((entries.length + 200) / 1024);
    // Many small pages are written per second; a pause of under a few milliseconds is not worth a timer.
    if (isWritten && units > 4) await pause((1000 * units) / PAGE_WRITE_UNITS_PER_SEC);
    return isWritten;
  }

  return {
    ...pageReader(table, true),

    async write(accountId, time, page) {
      const { partition, place } = placeOf(time);
      const pk = pagePk(accountId, time.level, partition);
      const before = await linesOf(pk, place);
      if (before >= page.lines) return before;
      const { counts, parts } = partsOf(page, time.level);
      for (const part of parts) {
        if (!(await put(accountId, time, part, counts, page.lines))) return await linesOf(pk, place);
      }
      return before;
    },

    writeShard(accountId, time, { shards, shard, lines, entries }) {
      const part = { of: 'connections', shard, entries } as const;
      return put(accountId, time, part, { sumShards: 0, connectionShards: shards }, lines);
    },

    async writeHead(accountId, time, page, connectionShards) {
      const { counts, parts } = partsOf(page, time.level);
      for (const part of parts) {
        if (!(await put(accountId, time, part, { ...counts, connectionShards }, page.lines))) return false;
      }
      return true;
    },
  };
}

function retentionSec({ level }: PageTime, { of }: PagePart): number {
  if (level === 'minute') return MINUTE_PAGE_RETENTION_SEC;
  if (level === 'hour') return HOUR_PAGE_RETENTION_SEC;
  return of === 'connections' ? CONNECTION_PAGE_RETENTION_SEC : USAGE_RETENTION_SEC;
}

interface PageItem {
  readonly place: string;
  /** Of how many items this is one; undefined for the head. */
  readonly shards: number | undefined;
  readonly lines: number;
  readonly entries: readonly PageEntry[];
  readonly sumShards: number;
  readonly connectionShards: number;
}

function itemOf(item: Item): PageItem {
  const [, place = '', shards] = str(item, 'sk').split('#');
  const entries = decodeEntries(str(item, 'entries'));
  if (entries === undefined) throw new UnreadableItemError('entries');
  const isHead = shards === undefined;
  return {
    place,
    shards: isHead ? undefined : Number(shards),
    lines: num(item, 'lines'),
    entries,
    sumShards: isHead ? num(item, 'sumShards') : 0,
    connectionShards: isHead ? num(item, 'connectionShards') : 0,
  };
}

function headsOf(items: readonly PageItem[], level: PageLevel, partition: string): PageHead[] {
  return items
    .filter(({ shards }) => shards === undefined)
    .map(({ place, lines, entries, sumShards, connectionShards }) => {
      const more = items.filter((one) => one.place === place && one.shards === sumShards && sumShards > 0);
      return {
        startMs: startAt(level, partition, place),
        lines,
        entries: [...entries, ...more.flatMap((one) => one.entries)],
        connectionShards,
      };
    });
}
