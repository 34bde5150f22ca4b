import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedCache } from '../core/bounded-cache.ts';
import { keyIdOf } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, USAGE_RETENTION_SEC, USE_NOTE_INTERVAL_SEC } from '../core/limits.ts';
import { type Item, isDone, num, type Table } from '../platform/dynamodb/client.ts';
import { keyUsesItemKey } from '../platform/dynamodb/keys.ts';
import type { SecretKeyStore } from './ports.ts';

/** Before the id of a key, in the name of the attribute with its last use. */
const PREFIX = 'use_';

/**
 * Notes uses of keys for a function that may not write their rows: an item for each account, with an attribute for each key. The row of a
 * key does not show these uses, so a process remembers what it has noted.
 */
export function keyUseNotes({ client, tableName }: Table): Pick<SecretKeyStore, 'noteUse'> {
  const noted = new BoundedCache<true>(CACHE_MAX_ENTRIES);

  /** Removes the oldest use if nothing counts it any more: keys come and go for years, and an item has a size. */
  const forget = async (accountId: string, item: Item, untilEpochSec: number): Promise<void> => {
    const [oldest] = usesOf(item).sort(([, a], [, b]) => a - b);
    if (oldest === undefined || oldest[1] > untilEpochSec) return;
    await isDone(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: keyUsesItemKey(accountId),
          UpdateExpression: 'REMOVE #use',
          // Another process may have noted a use meanwhile.
          ConditionExpression: '#use <= :until',
          ExpressionAttributeNames: { '#use': PREFIX + oldest[0] },
          ExpressionAttributeValues: { ':until': untilEpochSec },
        }),
      ),
    );
  };

  return {
    async noteUse(key, nowEpochSec) {
      const nowMs = nowEpochSec * 1000;
      if (noted.get(key.keyHash, nowMs) !== undefined) return;
      const { Attributes = {} } = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: keyUsesItemKey(key.accountId),
          UpdateExpression: 'SET #type = :type, #use = :now',
          ReturnValues: 'ALL_NEW',
          ExpressionAttributeNames: { '#type': 'type', '#use': PREFIX + keyIdOf(key) },
          ExpressionAttributeValues: { ':type': 'key_uses', ':now': nowEpochSec },
        }),
      );
      noted.set(key.keyHash, true, nowMs + USE_NOTE_INTERVAL_SEC * 1000);
      await forget(key.accountId, Attributes, nowEpochSec - USAGE_RETENTION_SEC);
    },
  };
}

/** The noted uses of an account's keys, by the start of their digests. */
export async function readKeyUses({ client, tableName }: Table, accountId: string): Promise<Map<string, number>> {
  const { Item = {} } = await client.send(new GetCommand({ TableName: tableName, Key: keyUsesItemKey(accountId) }));
  return new Map(usesOf(Item));
}

/** Uses by the start of the digest of their key. */
function usesOf(item: Item): [string, number][] {
  const names = Object.keys(item).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => [name.slice(PREFIX.length), num(item, name)]);
}
