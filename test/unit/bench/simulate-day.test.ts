import { describe, expect, test } from 'vitest';
import { type DayCounts, multiplied, peakOf, sumOf } from '../../../dev/bench/day/day-counts.ts';
import type { Mix } from '../../../dev/bench/day/mixes.ts';
import { CALLS, populate } from '../../../dev/bench/day/population.ts';
import { classesOf, refreshRules } from '../../../dev/bench/day/refresh-rules.ts';
import { seededRandom } from '../../../dev/bench/day/seeded-random.ts';
import { type Sweepers, simulateDay } from '../../../dev/bench/day/simulate-day.ts';
import { SWEEP_BRAKE_AFTER_FAILURES, SWEEP_CONCURRENCY } from '../../../lambdas/gateway/core/limits.ts';

const CLASSES = 64;
const COUNT = 8_000;
const rules = refreshRules(CLASSES);
const classes = classesOf(COUNT, CLASSES);
const AMPLE: Sweepers = { slices: 1, perSliceMinute: 5_000 };

function day(changes: Partial<Mix>, sweepers: Sweepers = AMPLE, seed = 1): DayCounts {
  const mix: Mix = { name: 'test', title: 'test', shareInUse: 0, hours: 'round the clock', ...changes };
  const random = seededRandom(seed);
  return simulateDay(mix, rules, populate(mix, rules, classes, random), sweepers, random);
}

describe('a simulated day', () => {
  test('refreshes idle connections once in their keep-alive period of 27 to 30 days', () => {
    const refreshed = sumOf(day({}).scheduled);
    expect(refreshed).toBeGreaterThan((COUNT / 30) * 0.85);
    expect(refreshed).toBeLessThan((COUNT / 27) * 1.15);
  });

  test('refreshes a connection in use 30 or 31 times, evenly over the day', () => {
    const { scheduled } = day({ shareInUse: 1 });
    expect(sumOf(scheduled) / COUNT).toBeGreaterThan(29.5);
    expect(sumOf(scheduled) / COUNT).toBeLessThan(31.5);
    expect(peakOf(scheduled).count).toBeLessThan((sumOf(scheduled) / 1_440) * 1.3);
  });

  test('notes six calls of a connection in use, none of which waits while the slices suffice', () => {
    const counts = day({ shareInUse: 0.5, hours: 'working day' });
    expect(sumOf(counts.calls)).toBe((COUNT / 2) * CALLS);
    expect(counts.notes + counts.waitedIdle).toBe((COUNT / 2) * CALLS);
    expect(counts.waitedInUse).toBe(0);
    expect(counts.oldestDueSec).toBeLessThanOrEqual(120);
  });

  test('lets calls wait when the slices do half of what is due', () => {
    const counts = day({ shareInUse: 0.5 }, { slices: 1, perSliceMinute: 44 });
    expect(counts.waitedInUse).toBeGreaterThan(100);
    expect(counts.lastBehindMinute).toBe(1_439);
    expect(counts.oldestDueSec).toBeGreaterThan(1_200);
  });

  test('a simulated day is the same for the same seed and another for another', () => {
    const mix = { shareInUse: 0.1 };
    expect(day(mix)).toEqual(day(mix));
    expect(day(mix, AMPLE, 2).scheduled).not.toEqual(day(mix).scheduled);
  });

  test('F02: renews what was consented in one minute over at least four minutes, and before anyone waits', () => {
    const { scheduled, waitedInUse } = day({ consents: { fromMinute: 540, perMinute: COUNT, count: COUNT } });
    const firstWave = scheduled.slice(540, 540 + 55);
    expect(sumOf(firstWave)).toBe(COUNT);
    expect(Math.max(...firstWave)).toBeLessThan(COUNT * 0.3);
    expect(waitedInUse).toBe(0);
  });
});

test('10 % of the connections with 10 % of the slices stands for all of them', () => {
  const small = { name: 'test', title: 'test', shareInUse: 1, hours: 'round the clock' } as const;
  const random = seededRandom(1);
  const tenth = populate(small, rules, classes.subarray(0, COUNT / 10), random);
  const counts = multiplied(simulateDay(small, rules, tenth, { slices: 1, perSliceMinute: 500 }, random), 10);
  const whole = day(small);
  expect(sumOf(counts.scheduled) / sumOf(whole.scheduled)).toBeCloseTo(1, 1);
  expect(sumOf(counts.calls)).toBe(sumOf(whole.calls));
});

describe('an outage of the token endpoint', () => {
  const outage = { fromMinute: 600, minutes: 60 };
  const counts = day({ shareInUse: 0.5, hours: 'working day', outage });

  test('meets the brake: each run stops after some failures in a row', () => {
    const begun = SWEEP_BRAKE_AFTER_FAILURES + SWEEP_CONCURRENCY - 1;
    const onUse = day({ shareInUse: 0, outage });
    expect(peakOf(onUse.failed).count).toBeLessThanOrEqual(begun);
    expect(sumOf(counts.failed.slice(0, 600))).toBe(0);
    expect(sumOf(counts.failed.slice(660))).toBe(0);
  });

  test('refreshes nothing while it lasts and refuses nobody whose token still works', () => {
    expect(sumOf(counts.scheduled.slice(600, 660))).toBe(0);
    // The oldest token of all has twelve minutes left, less a tick or two.
    expect(counts.refused.findIndex((calls) => calls > 0)).toBeGreaterThanOrEqual(609);
    expect(sumOf(counts.refused.slice(630, 660))).toBeGreaterThan(0);
    expect(sumOf(counts.refused.slice(660))).toBe(0);
  });

  test('an outage of the token endpoint is caught up within ten minutes with ample slices', () => {
    expect(counts.lastBehindMinute).toBeLessThan(670);
  });
});
