import { describe, expect, it } from 'vitest';
import { batchBefore, batchesAfter, lastDroppedBatch } from '../../../../lambdas/features/feeds/feed.rules.ts';
import { FEED_BATCHES_KEPT } from '../../../../lambdas/features/feeds/limits.rules.ts';

const LEAP = { from: 42, to: 1_042 };

describe('numbers of a feed that came back from a backup', () => {
  it.each([
    [1_050, 1_050, 0],
    [1_050, 1_049, 1],
    [1_050, 1_042, 8],
    [1_050, 1_041, 9],
    [1_050, 500, 9],
    [1_050, 42, 9],
    [1_050, 40, 11],
    [1_042, 42, 1],
  ])(
    'numbers of a feed that came back from a backup of the last batch %i, a consumer at %i has %i unread',
    (sequence, after, unread) => {
      expect(batchesAfter({ sequence, leap: LEAP }, after)).toBe(unread);
    },
  );

  it.each([
    [1_050, 8, 1_042],
    [1_050, 9, 42],
    [1_050, 10, 41],
    [1_042, 1, 42],
    [42, 2, 40],
  ])('counting back from batch %i by %i batches leads to %i', (sequence, count, before) => {
    expect(batchBefore({ leap: LEAP }, sequence, count)).toBe(before);
  });

  it('ten thousand batches are kept, whatever their numbers are', () => {
    expect(lastDroppedBatch({ sequence: 1_042, leap: LEAP })).toBe(0);
    const many = { from: 20_000, to: 10_020_000 };
    expect(lastDroppedBatch({ sequence: many.to, leap: many })).toBe(many.from - FEED_BATCHES_KEPT + 1);
    expect(lastDroppedBatch({ sequence: many.to + FEED_BATCHES_KEPT, leap: many })).toBe(many.to);
    expect(lastDroppedBatch({ sequence: 15_000, leap: undefined })).toBe(5_000);
  });
});
