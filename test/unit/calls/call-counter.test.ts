import { describe, expect, it, test } from 'vitest';
import { secondsLeft, windowOf } from '../../../lambdas/gateway/calls/admission.ts';
import {
  CACHE_MAX_ENTRIES,
  MIN_CALLS_TO_REPORT,
  UNREPORTED_CALLS_MAX_MS,
  UNREPORTED_CALLS_MAX_SHARE,
} from '../../../lambdas/gateway/core/limits.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { callCounters, MINUTE_MS, START_MS } from './support.ts';

describe('calls counted by one process', () => {
  it('calls counted by one process are counted apart for every subject', () => {
    const { process } = callCounters(2);
    const one = process();
    expect(['a', 'a', 'a', 'b', 'b', 'b'].map((id) => one.call(id))).toEqual([true, true, false, true, true, false]);
  });

  it('calls counted by one process begin again with the next minute, and when the clock has gone back into another one', () => {
    const { process, clock } = callCounters(1);
    const one = process();
    expect([one.call('a'), one.call('a')]).toEqual([true, false]);
    clock.ms += MINUTE_MS;
    expect([one.call('a'), one.call('a')]).toEqual([true, false]);
    clock.ms += 60 * MINUTE_MS;
    expect(one.call('a')).toBe(true);
    clock.ms -= 60 * MINUTE_MS;
    expect(one.call('a')).toBe(true);
  });

  it('calls counted by one process are not limited, not remembered and not reported with the limit 0', async () => {
    const { process, totals } = callCounters(0);
    const one = process();
    for (let i = 0; i < 1000; i++) expect(one.call('a')).toBe(true);
    expect(totals.reports).toEqual([]);
  });

  it('calls counted by one process are remembered for a bounded number of subjects, the oldest leaving first', () => {
    const { process } = callCounters(1);
    const one = process();
    for (let i = 0; i <= CACHE_MAX_ENTRIES; i++) one.call(`subject ${i}`);
    expect(one.call(`subject ${CACHE_MAX_ENTRIES}`)).toBe(false);
    expect(one.call('subject 0')).toBe(true);
  });
});

test('a window is a minute, with whole seconds left of it, at least one', () => {
  expect(windowOf(START_MS - 1) + 1).toBe(windowOf(START_MS));
  expect(windowOf(START_MS + 59_999)).toBe(windowOf(START_MS));
  expect([0, 999, 1_000, 59_999].map((ms) => secondsLeft(START_MS + ms))).toEqual([60, 60, 59, 1]);
});

describe('telling the table', () => {
  const most = 30_000;
  const step = most * UNREPORTED_CALLS_MAX_SHARE;

  it('telling the table does not happen for fewer calls than 2 % of what is left', async () => {
    const { process, totals } = callCounters(most);
    const one = process();
    for (let i = 0; i < step - 1; i++) one.call('a');
    expect(totals.reports).toEqual([]);
    one.call('a');
    await one.counter.pending();
    expect(totals.reports.map(({ calls }) => calls)).toEqual([step]);
  });

  it('happens for every fiftieth of what is left, and for every call near the limit', async () => {
    const { process, totals } = callCounters(1_000);
    const one = process();
    for (let i = 0; i < 1_000; i++) await one.settled('a');
    let left = 1_000;
    for (const { calls } of totals.reports) {
      expect(calls).toBe(Math.max(1, Math.floor(left / 50)));
      left -= calls;
    }
    expect(left).toBe(0);
  });

  it('happens after ten seconds, but never for a quiet key', async () => {
    const { process, totals, clock } = callCounters(most);
    const one = process();
    for (let i = 0; i < MIN_CALLS_TO_REPORT - 2; i++) one.call('a');
    clock.ms = START_MS + UNREPORTED_CALLS_MAX_MS;
    one.call('a');
    await one.counter.pending();
    expect(totals.reports).toEqual([]);
    one.call('a');
    await one.counter.pending();
    expect(totals.reports.map(({ calls }) => calls)).toEqual([MIN_CALLS_TO_REPORT]);
  });

  it('counts the ten seconds from the first call after a report, not from the report', async () => {
    const { process, totals, clock } = callCounters(most);
    const one = process();
    for (let i = 0; i < step; i++) one.call('a');
    await one.counter.pending();
    clock.ms += UNREPORTED_CALLS_MAX_MS;
    for (let i = 0; i < MIN_CALLS_TO_REPORT; i++) one.call('a');
    await one.counter.pending();
    expect(totals.reports.map(({ calls }) => calls)).toEqual([step]);
  });

  it('teaches a process of the calls of the others', async () => {
    const { process } = callCounters(100);
    const [one, other] = [process(), process()];
    for (let i = 0; i < 60; i++) await one.settled('a');
    for (let i = 0; i < 39; i++) expect(await other.settled('a')).toBe(true);
    expect(await other.settled('a')).toBe(true);
    expect(await other.settled('a')).toBe(false);
  });

  it('telling the table that fails fails no call, is not repeated at once and counts no call twice', async () => {
    const totals = memoryCallTotals();
    let fails = true;
    const { process, clock, logged } = callCounters(10, {
      ...totals,
      add: async (...given) => {
        const total = await totals.add(...given);
        if (fails) throw new Error('no answer');
        return total;
      },
    });
    const one = process();
    for (let i = 0; i < 5; i++) expect(await one.settled('a')).toBe(true);
    expect(totals.reports.map(({ calls }) => calls)).toEqual([1]);
    expect(logged).toEqual([['calls could not be counted', { count: 1, outcome: 'Error' }]]);
    fails = false;
    clock.ms += UNREPORTED_CALLS_MAX_MS;
    for (let i = 0; i < 5; i++) expect(await one.settled('a')).toBe(true);
    expect(await one.settled('a')).toBe(false);
    expect(totals.reports.reduce((sum, { calls }) => sum + calls, 0)).toBe(10);
  });

  it('telling the table that always fails leaves the limit of one process as it is', async () => {
    const { process, logged } = callCounters(10, { add: () => Promise.reject('no error object') });
    const one = process();
    for (let i = 0; i < 10; i++) expect(await one.settled('a')).toBe(true);
    expect(await one.settled('a')).toBe(false);
    expect(logged[0]).toEqual(['calls could not be counted', { count: 1, outcome: 'unknown' }]);
  });
});
