import { expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { type LifecycleEventType, newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { connection } from '../support/connection.ts';

const NOW_MS = Date.parse('2027-03-01T00:00:00.000Z');

test('a part of the search index without entries leaves after a day, and one that is filled again stays', async () => {
  const memory = new MemoryTable();
  const store = connectionStore(memory.table);
  let random = 0;
  const chance = { bytes: (length: number) => new Uint8Array(length).fill(++random), number: () => 0.5 };
  const event = (type: LifecycleEventType, sequence: number) =>
    newEvent({ nowMs: () => NOW_MS }, chance, type, { subject: connection(), sequence, requestId: 'r' });
  const buckets = () =>
    memory.ofType('search_bucket').map(({ entries, expiresAtEpochSec }) => [entries !== '', expiresAtEpochSec]);

  const made = connection({ sequence: 1 });
  await store.save(made, undefined, event('ConnectionCreated', 1));
  expect(buckets()).toEqual([[true, undefined]]);
  await store.delete(made, event('ConnectionDeleted', 2), undefined);
  expect(buckets()).toEqual([[false, NOW_MS / 1000 + 86_400]]);
  const deleted = await store.read(made);
  const again = connection({ sequence: 3, epoch: made.epoch + 2 });
  expect(await store.save(again, deleted, event('ConnectionCreated', 3))).toBe(true);
  expect(buckets()).toEqual([[true, undefined]]);
});
