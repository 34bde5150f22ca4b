import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedCache } from '../core/bounded-cache.ts';
import { storedDayUseOf } from '../core/budget.ts';
import { TABLE } from '../core/contract.ts';
import { CACHE_MAX_ENTRIES, KEY_CACHE_MS, TTL_GRACE_SEC } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { dayUseItemKey } from '../platform/dynamodb/keys.ts';
import { type DayUse, readDayUse, storedDayUse } from './day-use.rules.ts';
import type { DayUseReader, DayUseWriter } from './ports.ts';

/** Writes how full an account's day is: one item, always of the newest day. */
export function dayUseWriter({ client, tableName }: Table): DayUseWriter {
  return {
    async write(accountId, use) {
      await client.send(
        new PutCommand({
          TableName: tableName,
          Item: {
            ...dayUseItemKey(accountId),
            type: 'day_use',
            ...storedDayUse(use),
            [TABLE.timeToLive]: Math.floor(use.untilMs / 1000) + TTL_GRACE_SEC,
          },
        }),
      );
    },
  };
}

/** Reads it, eventually consistent, and caches it as long as keys are cached: it is minutes old anyway. */
export function dayUseReader({ client, tableName }: Table, clock: Clock): DayUseReader {
  const known = new BoundedCache<{ readonly use: DayUse | undefined }>(CACHE_MAX_ENTRIES);
  return {
    async read(accountId) {
      const nowMs = clock.nowMs();
      const remembered = known.get(accountId, nowMs);
      if (remembered !== undefined) return remembered.use;
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: dayUseItemKey(accountId) }));
      const use = readDayUse(storedDayUseOf(Item), nowMs);
      known.set(accountId, { use }, nowMs + KEY_CACHE_MS);
      return use;
    },
  };
}
