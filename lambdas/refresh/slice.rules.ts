import { DUE_SHARDS } from '../gateway/core/contract.ts';

/** One of N equal parts of the due index, as the schedule's input names it. */
export interface Slice {
  readonly index: number;
  readonly count: number;
}

/**
 * Reads `{"slice": {"index": i, "count": N}}`; an event without it means the whole index.
 *
 * @throws Error for a slice that would leave shards out
 */
export function readSlice(event: unknown): Slice {
  const slice = member(event, 'slice');
  if (slice === undefined) return { index: 0, count: 1 };
  const index = member(slice, 'index');
  const count = member(slice, 'count');
  const valid =
    typeof index === 'number' &&
    typeof count === 'number' &&
    Number.isInteger(index) &&
    Number.isInteger(count) &&
    count >= 1 &&
    DUE_SHARDS % count === 0 &&
    index >= 0 &&
    index < count;
  if (!valid)
    throw new Error(`The slice must be {index, count} with index below count and count a divisor of ${DUE_SHARDS}.`);
  return { index, count };
}

/** The shards of a slice. */
export function shardsOf(slice: Slice): number[] {
  const perSlice = DUE_SHARDS / slice.count;
  return Array.from({ length: perSlice }, (_, i) => slice.index * perSlice + i);
}

/** Partitions of the due index that a sweep asks for a shard: refreshes, grants to be ended, escrowed tokens. */
export function kindsOfShard(shard: number): number[] {
  return [shard, DUE_SHARDS + shard, 2 * DUE_SHARDS + shard];
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? Object.entries(value).find(([k]) => k === name)?.[1]
    : undefined;
}
