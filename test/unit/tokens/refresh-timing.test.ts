import { describe, expect, it } from 'vitest';
import { refreshTiming } from '../../../lambdas/gateway/tokens/freshness.rules.ts';

describe('the parts of a refresh', () => {
  it('fit into the lease: calls in two thirds, writes in nine tenths, and a caller waits a little longer', () => {
    expect(refreshTiming(30)).toEqual({
      leaseSec: 30,
      callTimeoutMs: 8_000,
      callBudgetMs: 20_000,
      writeBudgetMs: 27_000,
      waitMs: 32_000,
    });
    expect(refreshTiming()).toEqual(refreshTiming(30));
  });

  it('are shorter with a short lease, one call being a third of it', () => {
    expect(refreshTiming(10)).toEqual({
      leaseSec: 10,
      callTimeoutMs: 3_333,
      callBudgetMs: 6_666,
      writeBudgetMs: 9_000,
      waitMs: 12_000,
    });
  });
});
