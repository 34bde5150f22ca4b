import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { GatewayError } from '../../core/errors.ts';
import type { Item, Table } from './client.ts';
import type { ItemKey } from './keys.ts';

const ATTEMPTS = 4;
/** DynamoDB's own limit of one call. */
const KEYS_PER_CALL = 100;
/** Calls under way for one question. */
const CALLS_AT_ONCE = 8;

/**
 * Items by their keys, in any order, eventually consistent by default. A throttled table answers a batch in part: the rest is requested
 * again, a bounded number of times (F47).
 *
 * @throws GatewayError `service_unavailable` when part of it stays unprocessed
 */
export async function batchGet(
  table: Table,
  keys: readonly ItemKey[],
  { isConsistent = false }: { readonly isConsistent?: boolean } = {},
): Promise<Item[]> {
  const starts = Array.from({ length: Math.ceil(keys.length / KEYS_PER_CALL) }, (_, call) => call * KEYS_PER_CALL);
  const found: Item[][] = [];
  const readNext = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      found.push(await batchGetOnce(table, keys.slice(start, start + KEYS_PER_CALL), isConsistent));
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, readNext));
  return found.flat();
}

async function batchGetOnce(table: Table, keys: readonly ItemKey[], isConsistent: boolean): Promise<Item[]> {
  const items: Item[] = [];
  let wanted: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  for (let attempt = 0; wanted.length > 0; attempt++) {
    if (attempt === ATTEMPTS) {
      throw new GatewayError('service_unavailable', 'The gateway cannot reach its storage right now. Try again.', {
        retryAfterSec: 1,
      });
    }
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt * (0.5 + Math.random() / 2)));
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.tableName]: { Keys: wanted, ...(isConsistent ? { ConsistentRead: true } : {}) } },
      }),
    );
    items.push(...(Responses?.[table.tableName] ?? []));
    wanted = UnprocessedKeys?.[table.tableName]?.Keys ?? [];
  }
  return items;
}
