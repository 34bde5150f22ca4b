import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';

/** A transaction takes 100 rows and 4 MB (Amazon DynamoDB Developer Guide, "Service, account, and table quotas"). */
const ROWS_PER_BATCH = 100;
const BYTES_PER_BATCH = 3_000_000;

/** Rows in their order, as many together as one transaction takes. */
export async function* inBatches(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (batch.length === ROWS_PER_BATCH || (batch.length > 0 && bytes + size > BYTES_PER_BATCH)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
