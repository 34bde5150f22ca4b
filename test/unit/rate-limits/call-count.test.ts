import { describe, expect, it } from 'vitest';
import { CALLS_UNTOLD_MS, CALLS_WORTH_TELLING } from '../../../lambdas/gateway/core/limits.ts';
import {
  admit,
  emptyCount,
  isWorthTelling,
  secondsLeft,
  windowOf,
} from '../../../lambdas/gateway/rate-limits/call-admission.ts';

/** The first moment of a minute. */
const START_MS = 1_800_000_000_000;
const count = (changes: Partial<ReturnType<typeof emptyCount>> = {}) => ({ ...emptyCount(START_MS), ...changes });

describe('a window of calls', () => {
  it('is a minute, with whole seconds left of it, at least one', () => {
    expect(windowOf(START_MS - 1) + 1).toBe(windowOf(START_MS));
    expect(windowOf(START_MS + 59_999)).toBe(windowOf(START_MS));
    expect([0, 999, 1_000, 59_999].map((ms) => secondsLeft(START_MS + ms))).toEqual([60, 60, 59, 1]);
  });

  it('begins without a call', () => {
    expect(emptyCount(START_MS)).toEqual({
      window: START_MS / 60_000,
      told: 0,
      untold: 0,
      untoldSinceMs: START_MS,
      tellNotBeforeMs: 0,
    });
  });

  it('has room up to the limit, told and untold calls together', () => {
    const known = count({ told: 3, untold: 1 });
    expect(admit(known, 5, START_MS)).toBe(true);
    expect(admit(known, 5, START_MS)).toBe(false);
    expect(known.untold).toBe(2);
  });

  it('remembers since when calls are untold, from the first of them', () => {
    const known = count();
    admit(known, 5, START_MS + 100);
    admit(known, 5, START_MS + 200);
    expect(known.untoldSinceMs).toBe(START_MS + 100);
  });
});

describe('the table is told', () => {
  it('of a fiftieth of what is left', () => {
    expect(isWorthTelling(count({ untold: 19 }), 1_000, START_MS)).toBe(false);
    expect(isWorthTelling(count({ untold: 20 }), 1_000, START_MS)).toBe(true);
    expect(isWorthTelling(count({ told: 500, untold: 10 }), 1_000, START_MS)).toBe(true);
    expect(isWorthTelling(count({ told: 500, untold: 9 }), 1_000, START_MS)).toBe(false);
  });

  it('of every call near the limit, and of none where there was none', () => {
    expect(isWorthTelling(count({ told: 990, untold: 1 }), 1_000, START_MS)).toBe(true);
    expect(isWorthTelling(count({ told: 990 }), 1_000, START_MS)).toBe(false);
  });

  it('of what is old and more than a little', () => {
    const old = START_MS + CALLS_UNTOLD_MS;
    expect(isWorthTelling(count({ untold: CALLS_WORTH_TELLING }), 100_000, old)).toBe(true);
    expect(isWorthTelling(count({ untold: CALLS_WORTH_TELLING }), 100_000, old - 1)).toBe(false);
    expect(isWorthTelling(count({ untold: CALLS_WORTH_TELLING - 1 }), 100_000, old)).toBe(false);
  });

  it('of nothing before it may be told again', () => {
    const known = count({ untold: 500, tellNotBeforeMs: START_MS + 1 });
    expect(isWorthTelling(known, 1_000, START_MS)).toBe(false);
    expect(isWorthTelling(known, 1_000, START_MS + 1)).toBe(true);
  });
});
