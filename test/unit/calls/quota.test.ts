import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORECAST_DAYS, forecastNeedsFrom, forecastOf, quotaDay } from '../../../lambdas/gateway/calls/quota.rules.ts';

const HOUR = 3_600_000;

describe('the day of Google’s quotas', () => {
  it.each([
    ['2026-03-01T07:59:59.999Z', '2026-02-28', '2026-02-28T08:00:00.000Z', 24],
    ['2026-03-01T08:00:00Z', '2026-03-01', '2026-03-01T08:00:00.000Z', 24],
    ['2026-03-08T23:00:00Z', '2026-03-08', '2026-03-08T08:00:00.000Z', 23],
    ['2026-07-01T06:59:59Z', '2026-06-30', '2026-06-30T07:00:00.000Z', 24],
    ['2026-11-01T12:00:00Z', '2026-11-01', '2026-11-01T07:00:00.000Z', 25],
  ])(
    'PC-3: the day of Google’s quotas of %s is %s, from midnight Pacific Time, also where clocks change',
    (at, date, start, hours) => {
      const day = quotaDay(Date.parse(at));
      expect(day).toEqual({ date, startMs: Date.parse(start), endMs: Date.parse(start) + hours * HOUR });
    },
  );

  it('PC-3: follows the one before without a gap', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2036-01-01') }), (ms) => {
        const { startMs, endMs } = quotaDay(ms);
        expect(startMs <= ms && ms < endMs).toBe(true);
        expect(quotaDay(endMs).startMs).toBe(endMs);
        expect(quotaDay(startMs - 1).endMs).toBe(startMs);
      }),
    );
  });
});

/** What a business takes in an hour: little at night and on weekends, most around noon, polls all the time, each hour by chance. */
function officeHour(chance: (hourMs: number) => number, growthPerWeek: number) {
  const first = Date.parse('2026-05-01T07:00:00Z');
  return (hourMs: number): number => {
    const local = new Date(hourMs - 7 * HOUR);
    const isWeekend = local.getUTCDay() % 6 === 0;
    const daytime = Math.max(0, Math.sin(((local.getUTCHours() - 6) / 14) * Math.PI));
    const level = growthPerWeek ** ((hourMs - first) / (7 * 24 * HOUR));
    return Math.round(level * (20_000 + (isWeekend ? 15_000 : 400_000) * daytime) * (1 + 0.1 * chance(hourMs)));
  };
}

/** -1 to 1, the same for the same hour. */
function chanceOf(seed: number) {
  return (hourMs: number): number => {
    let x = Math.imul(hourMs / HOUR + seed * 7919, 0x9e3779b1);
    x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
    return (((x ^ (x >>> 13)) >>> 0) / 0xffffffff) * 2 - 1;
  };
}

describe('the forecast of a day', () => {
  it('PC-25: the forecast of a day is within 10 % at every half hour of a simulated week, weekend and growth included', () => {
    let worst = 0;
    for (let seed = 0; seed < 20; seed++) {
      const taken = officeHour(chanceOf(seed), 1.02);
      const begin = quotaDay(Date.parse('2026-06-08T12:00:00Z')).startMs;
      for (let ms = begin; ms < begin + 7 * 24 * HOUR; ms += HOUR / 2) {
        const { startMs, endMs } = quotaDay(ms);
        let truth = 0;
        for (let hourMs = startMs; hourMs < endMs; hourMs += HOUR) truth += taken(hourMs);
        const known = (hourMs: number) =>
          hourMs + HOUR <= ms ? taken(hourMs) : hourMs < ms ? (taken(hourMs) * (ms - hourMs)) / HOUR : 0;
        worst = Math.max(worst, Math.abs(forecastOf(known, ms).atEnd / truth - 1));
      }
    }
    expect(worst).toBeLessThan(0.1);
  });

  it('PC-25: needs no hour before those it says, and takes nothing from hours to come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') }),
        fc.integer({ min: 0, max: 1_000 }),
        (ms, seed) => {
          const taken = officeHour(chanceOf(seed), 1);
          const asked: number[] = [];
          forecastOf((hourMs) => {
            asked.push(hourMs);
            return taken(hourMs);
          }, ms);
          expect(Math.min(...asked)).toBeGreaterThanOrEqual(forecastNeedsFrom(ms));
          expect(Math.max(...asked)).toBeLessThan(quotaDay(ms).endMs);
        },
      ),
    );
  });

  it('PC-25: the forecast of a day is never below what was used up, and is that at the end of the day', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 200, maxLength: 200 }), fc.nat(23), (units, hour) => {
        const { startMs, endMs } = quotaDay(Date.parse('2026-06-10T12:00:00Z'));
        const first = startMs - FORECAST_DAYS * 24 * HOUR;
        const until = (untilMs: number) => (hourMs: number) =>
          hourMs < untilMs ? (units[(hourMs - first) / HOUR] ?? 0) : 0;
        const some = forecastOf(until(startMs + hour * HOUR), startMs + hour * HOUR);
        expect(some.atEnd).toBeGreaterThanOrEqual(some.spent);
        const all = forecastOf(until(endMs), endMs - 1);
        expect(all.atEnd / Math.max(1, all.spent)).toBeCloseTo(all.spent === 0 ? 0 : 1, 2);
      }),
    );
  });

  it('PC-25: the forecast of a day without a day before continues as today began, and with a few days takes their mean', () => {
    const { startMs } = quotaDay(Date.parse('2026-06-10T12:00:00Z'));
    const noon = startMs + 12 * HOUR;
    const today = (hourMs: number) => (hourMs >= startMs && hourMs < noon ? 100 : 0);
    expect(forecastOf(today, noon)).toEqual({ spent: 1_200, atEnd: 2_400 });
    expect(forecastOf(() => 0, noon)).toEqual({ spent: 0, atEnd: 0 });
    // Two days of 100 an hour before, after a time without any.
    const lately = (hourMs: number) => (hourMs >= startMs - 48 * HOUR && hourMs < noon ? 100 : 0);
    expect(forecastOf(lately, noon)).toEqual({ spent: 1_200, atEnd: 2_400 });
    // Nobody works on today's holiday: the mornings of other days tell less and less.
    const holiday = (hourMs: number) => (hourMs < startMs ? 100 : 0);
    expect(forecastOf(holiday, noon).atEnd).toBeLessThan(600);
  });
});
