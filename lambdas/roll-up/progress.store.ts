import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { hoursOf, lastUsesOf } from '../gateway/calls/book.store.ts';
import type { ComparedHour, LastUses } from '../gateway/calls/ports.ts';
import { FIRST_ACCOUNT_ID, TABLE } from '../gateway/core/contract.ts';
import { USAGE_RETENTION_SEC } from '../gateway/core/limits.ts';
import { isDone, num, str, type Table } from '../gateway/platform/dynamodb/client.ts';
import {
  accountPk,
  BOOK_CURSOR_KEY,
  BOOK_GAP_SK_PREFIX,
  BOOK_HOURS_SK_PREFIX,
  BOOK_PK,
  DATA_KEY_SK_PREFIX,
  type ItemKey,
  lastUsesItemKey,
} from '../gateway/platform/dynamodb/keys.ts';
import type { ProgressStore } from './ports.ts';
import type { Progress } from './windows.rules.ts';

/** The roll-up's state between ticks, as one item; members for readers are separate attributes. */
export function progressStore({ client, tableName }: Table): ProgressStore {
  const get = async (key: ItemKey) => {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
    return Item;
  };
  const put = (item: Record<string, unknown>) => client.send(new PutCommand({ TableName: tableName, Item: item }));
  const goneAfter = (ms: number) => Math.floor(ms / 1000) + USAGE_RETENTION_SEC;

  return {
    async read() {
      const item = await get(BOOK_CURSOR_KEY);
      if (item === undefined) return undefined;
      // Only this function writes it, in its own form with a version.
      const progress: Omit<Progress, 'version'> = JSON.parse(str(item, 'progress'));
      return { ...progress, version: num(item, 'version') };
    },

    async callsSince() {
      // No connection, and therefore no call, is older than the account's first data key.
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': accountPk(FIRST_ACCOUNT_ID), ':prefix': DATA_KEY_SK_PREFIX },
        }),
      );
      return Items.length === 0 ? undefined : Math.min(...Items.map((item) => Date.parse(str(item, 'createdAt'))));
    },

    write({ version, ...progress }, forReaders, afterVersion) {
      return isDone(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: {
              ...BOOK_CURSOR_KEY,
              type: 'book_cursor',
              version,
              ...forReaders,
              progress: JSON.stringify(progress),
            },
            ConditionExpression: 'attribute_not_exists(pk) OR #version = :after',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':after': afterVersion },
          }),
        ),
      );
    },

    async noteCompared(hours) {
      const byDay = Map.groupBy(hours, ({ startMs }) => new Date(startMs).toISOString().slice(0, 10));
      const news: ComparedHour[] = [];
      for (const [day, own] of byDay) {
        const key = { pk: BOOK_PK, sk: BOOK_HOURS_SK_PREFIX + day };
        const item = await get(key);
        const known: readonly ComparedHour[] = item === undefined ? [] : hoursOf(item);
        const knownStarts = new Set(known.map(({ startMs }) => startMs));
        news.push(...own.filter(({ startMs }) => !knownStarts.has(startMs)));
        const all = [...known, ...own].map(({ startMs, invocations, lines }) => [
          new Date(startMs).toISOString().slice(11, 13),
          { invocations, lines },
        ]);
        await put({
          ...key,
          type: 'book_hours',
          hours: Object.fromEntries(all),
          [TABLE.timeToLive]: goneAfter(Date.parse(day)),
        });
      }
      return news;
    },

    async noteGap({ fromMs, toMs }) {
      await put({
        pk: BOOK_PK,
        sk: BOOK_GAP_SK_PREFIX + new Date(fromMs).toISOString(),
        type: 'book_gap',
        fromMs,
        toMs,
        [TABLE.timeToLive]: goneAfter(toMs),
      });
    },

    async lastUses(accountId) {
      const item = await get(lastUsesItemKey(accountId));
      return item === undefined ? new Map<string, number>() : lastUsesOf(item);
    },

    async writeLastUses(accountId, uses: LastUses) {
      await put({ ...lastUsesItemKey(accountId), type: 'last_uses', uses: Object.fromEntries(uses) });
    },
  };
}
