import { describe, expect, it } from 'vitest';
import { DUE_PARTITIONS, DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { kindsOfShard, readSlice, shardsOf } from '../../../lambdas/refresh/sweep.ts';

describe('slices of the due index (F86)', () => {
  it.each([1, 2, 4, 8, 16, 32, 64])('%d of them hold every shard once', (count) => {
    const shards = Array.from({ length: count }, (_, index) => shardsOf(readSlice({ slice: { index, count } }))).flat();
    expect(shards.sort((a, b) => a - b)).toEqual(Array.from({ length: DUE_SHARDS }, (_, i) => i));
  });

  it('ask four partitions for each shard, which belong to no other', () => {
    const partitions = shardsOf({ index: 0, count: 1 }).flatMap(kindsOfShard);
    const statements = Array.from({ length: DUE_SHARDS }, (_, i) => DUE_PARTITIONS.securityEvents + i);
    const others = Array.from({ length: 3 * DUE_SHARDS }, (_, i) => i);
    expect(partitions.toSorted((a, b) => a - b)).toEqual([...others, ...statements]);
  });

  it('are the whole index where the event names none', () => {
    for (const event of [undefined, null, {}, 'x', { time: 'now' }])
      expect(readSlice(event)).toEqual({ index: 0, count: 1 });
  });

  it.each([
    { index: 0, count: 3 },
    { index: 0, count: 65 },
    { index: 4, count: 4 },
    { index: -1, count: 4 },
    { index: 0, count: 0 },
    { index: 0.5, count: 4 },
    { index: '0', count: 4 },
    { index: 0, count: '4' },
    { index: -2, count: -1 },
    { index: -1, count: -64 },
    { index: 0 },
    {},
    null,
    'all',
  ])('refuse %j', (slice) => {
    expect(() => readSlice({ slice })).toThrow('The slice must be');
  });
});
