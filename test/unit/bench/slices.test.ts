import { describe, expect, test } from 'vitest';
import { costOfDay } from '../../../dev/bench/day/cost-of-day.ts';
import { noCounts } from '../../../dev/bench/day/day-counts.ts';
import { MinuteLists } from '../../../dev/bench/day/minute-lists.ts';
import { refreshRules } from '../../../dev/bench/day/refresh-rules.ts';
import { averageRate, slicesFor } from '../../../dev/bench/day/slices.ts';
import { total } from '../../../packages/cli/costs/cost-model.ts';

describe('the number of slices', () => {
  test('the number of slices is the smallest divisor of 64 with a quarter to spare', () => {
    expect(slicesFor(0, 1_000)).toBe(1);
    expect(slicesFor(800, 1_000)).toBe(1);
    expect(slicesFor(801, 1_000)).toBe(2);
    expect(slicesFor(3_201, 1_000)).toBe(8);
    expect(slicesFor(1e9, 1_000)).toBe(64);
  });

  test('follows from a rate of one refresh in 44 to 48 minutes in use, in 27 to 30 days otherwise', () => {
    const rules = refreshRules(8);
    const inUse = averageRate(rules, 1_000_000, 1_000_000);
    expect(inUse).toBeGreaterThan(1_000_000 / 48.5);
    expect(inUse).toBeLessThan(1_000_000 / 43.5);
    const idle = averageRate(rules, 1_000_000, 0);
    expect(idle).toBeGreaterThan(1_000_000 / (30 * 1_440));
    expect(idle).toBeLessThan(1_000_000 / (27 * 1_440));
  });
});

describe('lists by minute', () => {
  test('lists by minute keep the order of what was added, however much it is', () => {
    const lists = new MinuteLists(3);
    for (let number = 0; number < 1_000; number++) lists.add(1, number);
    expect([...lists.of(1)]).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
    expect([...lists.of(0)]).toEqual([]);
    lists.clear(1);
    expect([...lists.of(1)]).toEqual([]);
  });

  test('forget what lies beyond the day', () => {
    const lists = new MinuteLists(3);
    lists.add(3, 1);
    expect([...lists.of(3)]).toEqual([]);
  });
});

test('a day without a refresh still costs its ticks and its storage', () => {
  const parts = costOfDay(noCounts(), 1_000_000, 1);
  expect(parts).toMatchObject({ Writes: 0, Reads: 0, 'Lambda and logs': 0 });
  expect(total(parts)).toBeGreaterThan(0.09);
  expect(costOfDay(noCounts(), 1_000_000, 2).Ticks).toBeGreaterThan(parts.Ticks ?? Infinity);
});
