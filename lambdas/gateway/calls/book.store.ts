import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readKeyUses } from '../keys/key-uses.store.ts';
import { type Item, num, optionalMap, optionalNum, readable, str, type Table } from '../platform/dynamodb/client.ts';
import {
  BOOK_CURSOR_KEY,
  BOOK_GAP_SK_PREFIX,
  BOOK_HOURS_SK_PREFIX,
  BOOK_PK,
  lastUsesItemKey,
} from '../platform/dynamodb/keys.ts';
import type { BookReader, ComparedHour } from './ports.ts';

/** Reads the progress that the roll-up has stored, eventually consistent. */
export function bookReader(table: Table): BookReader {
  const { client, tableName, onUnreadable } = table;

  async function between(from: string, to: string): Promise<Item[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': BOOK_PK, ':from': from, ':to': to },
      }),
    );
    return Items;
  }

  return {
    async state() {
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: BOOK_CURSOR_KEY }));
      const countedUntilMs = Item === undefined ? undefined : optionalNum(Item, 'countedUntilMs');
      // Versions up to 0.2 store no second time: they write the pages of hours and days before they mark the calls as counted.
      return { countedUntilMs, foldedUntilMs: (Item && optionalNum(Item, 'foldedUntilMs')) ?? countedUntilMs };
    },

    async compared(firstDay, lastDay) {
      const items = await between(BOOK_HOURS_SK_PREFIX + firstDay, BOOK_HOURS_SK_PREFIX + lastDay);
      return readable(items, hoursOf, onUnreadable).flat();
    },

    async gaps() {
      const items = await between(BOOK_GAP_SK_PREFIX, `${BOOK_GAP_SK_PREFIX}~`);
      return readable(items, (item) => ({ fromMs: num(item, 'fromMs'), toMs: num(item, 'toMs') }), onUnreadable);
    },

    async lastUses(accountId) {
      const [{ Item = {} }, uses] = await Promise.all([
        client.send(new GetCommand({ TableName: tableName, Key: lastUsesItemKey(accountId) })),
        readKeyUses(table, accountId),
      ]);
      for (const [key, atEpochSec] of lastUsesOf(Item)) uses.set(key, Math.max(uses.get(key) ?? 0, atEpochSec));
      return uses;
    },
  };
}

/** Last uses out of their item: keys by the start of their digest. */
export function lastUsesOf(item: Item): ReadonlyMap<string, number> {
  const uses = optionalMap(item, 'uses') ?? {};
  return new Map(Object.keys(uses).map((key) => [key, num(uses, key)]));
}

/** Compared hours of a day out of their item: hour of the day -> invocations and lines. */
export function hoursOf(item: Item): ComparedHour[] {
  const day = str(item, 'sk').slice(BOOK_HOURS_SK_PREFIX.length);
  const hours = optionalMap(item, 'hours') ?? {};
  return Object.keys(hours).map((hour) => {
    const both = optionalMap(hours, hour) ?? {};
    return {
      startMs: Date.parse(`${day}T${hour}:00:00Z`),
      invocations: num(both, 'invocations'),
      lines: num(both, 'lines'),
    };
  });
}
