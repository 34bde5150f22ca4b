import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedCache } from '../core/bounded-cache.ts';
import { keyIdOf } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, USE_NOTE_INTERVAL_SEC } from '../core/limits.ts';
import { num, type Table } from '../platform/dynamodb/client.ts';
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
  return {
    async noteUse(key, nowEpochSec) {
      const nowMs = nowEpochSec * 1000;
      if (noted.get(key.keyHash, nowMs) !== undefined) return;
      await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: keyUsesItemKey(key.accountId),
          UpdateExpression: 'SET #type = :type, #use = :now',
          ExpressionAttributeNames: { '#type': 'type', '#use': PREFIX + keyIdOf(key) },
          ExpressionAttributeValues: { ':type': 'key_uses', ':now': nowEpochSec },
        }),
      );
      noted.set(key.keyHash, true, nowMs + USE_NOTE_INTERVAL_SEC * 1000);
    },
  };
}

/** The noted uses of an account's keys, by the start of their digests. */
export async function readKeyUses({ client, tableName }: Table, accountId: string): Promise<Map<string, number>> {
  const { Item = {} } = await client.send(new GetCommand({ TableName: tableName, Key: keyUsesItemKey(accountId) }));
  const names = Object.keys(Item).filter((name) => name.startsWith(PREFIX));
  return new Map(names.map((name) => [name.slice(PREFIX.length), num(Item, name)]));
}
