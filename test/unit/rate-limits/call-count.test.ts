import { describe, expect, it } from 'vitest';
import { MIN_CALLS_TO_REPORT, UNREPORTED_CALLS_MAX_MS } from '../../../lambdas/gateway/core/limits.ts';
import {
  admit,
  emptyCount,
  secondsLeft,
  shouldReport,
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
      reported: 0,
      unreported: 0,
      unreportedSinceMs: START_MS,
      reportNotBeforeMs: 0,
    });
  });

  it('has room up to the limit, reported and unreported calls together', () => {
    const known = count({ reported: 3, unreported: 1 });
    expect(admit(known, 5, START_MS)).toBe(true);
    expect(admit(known, 5, START_MS)).toBe(false);
    expect(known.unreported).toBe(2);
  });

  it('remembers since when calls are unreported, from the first of them', () => {
    const known = count();
    admit(known, 5, START_MS + 100);
    admit(known, 5, START_MS + 200);
    expect(known.unreportedSinceMs).toBe(START_MS + 100);
  });
});

describe('the table gets a report', () => {
  it('of a fiftieth of what is left', () => {
    expect(shouldReport(count({ unreported: 19 }), 1_000, START_MS)).toBe(false);
    expect(shouldReport(count({ unreported: 20 }), 1_000, START_MS)).toBe(true);
    expect(shouldReport(count({ reported: 500, unreported: 10 }), 1_000, START_MS)).toBe(true);
    expect(shouldReport(count({ reported: 500, unreported: 9 }), 1_000, START_MS)).toBe(false);
  });

  it('of every call near the limit, and of none where there was none', () => {
    expect(shouldReport(count({ reported: 990, unreported: 1 }), 1_000, START_MS)).toBe(true);
    expect(shouldReport(count({ reported: 990 }), 1_000, START_MS)).toBe(false);
  });

  it('of what is old and more than a little', () => {
    const old = START_MS + UNREPORTED_CALLS_MAX_MS;
    expect(shouldReport(count({ unreported: MIN_CALLS_TO_REPORT }), 100_000, old)).toBe(true);
    expect(shouldReport(count({ unreported: MIN_CALLS_TO_REPORT }), 100_000, old - 1)).toBe(false);
    expect(shouldReport(count({ unreported: MIN_CALLS_TO_REPORT - 1 }), 100_000, old)).toBe(false);
  });

  it('of nothing before it may be reported again', () => {
    const known = count({ unreported: 500, reportNotBeforeMs: START_MS + 1 });
    expect(shouldReport(known, 1_000, START_MS)).toBe(false);
    expect(shouldReport(known, 1_000, START_MS + 1)).toBe(true);
  });
});
