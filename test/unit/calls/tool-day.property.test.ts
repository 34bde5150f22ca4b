import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotaDay } from '../../../lambdas/gateway/calls/quota.rules.ts';
import { partFor, providerDayMs, sharesOf, type ToolDay } from '../../../lambdas/gateway/calls/tool-day.rules.ts';
import { drawn } from '../../support/draws.ts';

/** A day at one MCP server, asked by keys in some order. */
class Day {
  readonly used = new Map<number, number>();
  readonly #own = new Map<number, number>();
  #common = 0;
  total = 0;
  readonly #day: ToolDay;

  constructor(day: ToolDay) {
    this.#day = day;
  }

  ask(key: number): boolean {
    const part = partFor(this.#day, { own: this.#own.get(key) ?? 0, common: this.#common, total: this.total });
    if (part === undefined) return false;
    if (part === 'own') this.#own.set(key, (this.#own.get(key) ?? 0) + 1);
    else this.#common += 1;
    this.used.set(key, (this.used.get(key) ?? 0) + 1);
    this.total += 1;
    return true;
  }
}

test('GA-25: of 20 keys that share a day of 5,000, one that takes all it gets leaves the share of each other key', () => {
  const day = new Day({ perDay: 5_000, keys: 20 });
  for (let i = 0; i < 6_000; i += 1) day.ask(0);
  expect(day.used.get(0)).toBe(2_625);
  for (let key = 1; key < 20; key += 1) {
    for (let i = 0; i < 125; i += 1) expect(day.ask(key)).toBe(true);
    expect(day.ask(key)).toBe(false);
  }
  expect(day.total).toBe(5_000);
});

test('GA-25: no key is kept from its share by others, whatever the order of requests, and no more are sent than a day has', {
  tags: ['drawn'],
}, () => {
  const days = fc.record({ perDay: fc.integer({ min: 1, max: 300 }), keys: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(days, fc.array(fc.nat(19), { maxLength: 400 }), fc.nat(19), fc.nat(400), (of, order, greedy, at) => {
      const day = new Day(of);
      const { own, common } = sharesOf(of);
      expect(own * of.keys + common).toBe(of.perDay);
      const asked = order.map((key) => key % of.keys);
      const all = [...asked.slice(0, at), ...Array(400).fill(greedy % of.keys), ...asked.slice(at)];
      for (const key of all) {
        const before = day.used.get(key) ?? 0;
        const passed = day.ask(key);
        if (before < own) expect(passed).toBe(true);
      }
      expect(day.total).toBeLessThanOrEqual(of.perDay);
    }),
    { numRuns: drawn(200) },
  );
});

test('GA-25: the day ends at midnight Pacific Time, also where it has 23 or 25 hours', () => {
  for (const date of ['2026-03-07', '2026-03-08', '2026-11-01', '2026-11-30']) {
    const { startMs, endMs } = quotaDay(Date.parse(`${date}T20:00:00Z`));
    const dayAt = (ms: number) => new Date(providerDayMs(ms)).toISOString().slice(0, 10);
    expect([startMs, startMs + 1, endMs - 1].map(dayAt)).toEqual([date, date, date]);
    expect(dayAt(endMs)).not.toBe(date);
  }
});

test('GA-25: time passes in the last hour of a day of 25 hours, and counts are still reported by their age', () => {
  const { startMs, endMs } = quotaDay(Date.parse('2026-11-01T20:00:00Z'));
  expect(endMs - startMs).toBe(25 * 3_600_000);
  for (let ms = startMs; ms < endMs; ms += 3_600_000) {
    const passed = providerDayMs(ms + 60_000) - providerDayMs(ms);
    expect(passed).toBeGreaterThanOrEqual(57_000);
    expect(passed).toBeLessThanOrEqual(60_000);
  }
});
