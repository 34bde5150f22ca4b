import { describe, expect, it } from 'vitest';
import { USAGE_REPORT_AFTER_MS } from '../../../lambdas/gateway/core/limits.ts';
import { UsageCount } from '../../../lambdas/gateway/usage/count-usage.ts';
import {
  addCounts,
  countsOf,
  daysBetween,
  type EndedCall,
  type UsageCounts,
  type UsageSubject,
} from '../../../lambdas/gateway/usage/usage.rules.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c-1' };
const CALL: EndedCall = { status: 200, isGateways: false, complete: true, bytesIn: 1, bytesOut: 10, totalMs: 5 };

/** One process, and what it told the table. */
function process(failing = false) {
  const told: [day: string, kind: UsageSubject['kind'], counts: UsageCounts][] = [];
  const warned: string[] = [];
  const clock = { ms: START_MS, nowMs: () => clock.ms };
  const logger = { info: () => {}, warn: (text: string) => warned.push(text), error: () => {} };
  const usage = {
    async add(_account: string, day: string, subject: UsageSubject, counts: UsageCounts) {
      told.push([day, subject.kind, counts]);
      if (failing) throw new Error('throttled');
    },
  };
  const counted: string[] = [];
  const metrics = { count: (name: string) => void counted.push(name) };
  return { told, warned, counted, clock, count: new UsageCount({ usage, clock, logger, metrics }) };
}

describe('a process', () => {
  it('CL-14: tells its first call at once, for integration, connection and key', async () => {
    const { told, count } = process();
    await count.ended(REF, 'k', CALL);
    const one = { calls: 1, ok: 1, bytesIn: 1, bytesOut: 10, totalMs: 5 };
    expect(told).toEqual([
      ['2026-03-01', 'integration', one],
      ['2026-03-01', 'connection', one],
      ['2026-03-01', 'key', one],
    ]);
  });

  it('CL-14: adds up its next calls and tells them ten seconds later, beside a call', async () => {
    const { told, clock, count } = process();
    await count.ended(REF, 'k', CALL);
    told.length = 0;
    clock.ms += USAGE_REPORT_AFTER_MS - 1;
    expect(count.ended(REF, 'k', { ...CALL, status: 404 })).toBeUndefined();
    expect(told).toEqual([]);
    clock.ms += 1;
    await count.ended(REF, 'k', CALL);
    expect(told[0]).toEqual([
      '2026-03-01',
      'integration',
      { calls: 2, ok: 1, providerRefused: 1, bytesIn: 2, bytesOut: 20, totalMs: 10 },
    ]);
    expect(told).toHaveLength(3);
  });

  it('counts a call for the day it ended on', async () => {
    const { told, clock, count } = process();
    await count.ended(REF, 'k', CALL);
    told.length = 0;
    clock.ms = Date.parse('2026-03-01T23:59:59.999Z');
    await count.ended(REF, 'k', CALL);
    clock.ms = Date.parse('2026-03-02T00:00:00.000Z');
    expect(count.ended(REF, 'k', CALL)).toBeUndefined();
    clock.ms += USAGE_REPORT_AFTER_MS;
    await count.ended(REF, 'k', CALL);
    expect(told.filter(([, kind]) => kind === 'key').map(([day, , { calls }]) => [day, calls])).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 2],
    ]);
  });

  it('fails no call when the table takes no counts, and tells them no second time', async () => {
    const { told, warned, counted, clock, count } = process(true);
    await count.ended(REF, 'k', CALL);
    clock.ms += USAGE_REPORT_AFTER_MS;
    await count.ended(REF, 'k', CALL);
    expect(told.filter(([, kind]) => kind === 'key').map(([, , { calls }]) => calls)).toEqual([1, 1]);
    expect(warned).toHaveLength(2);
    expect(counted).toEqual(['UsageNotCounted', 'UsageNotCounted']);
  });
});

describe('a call', () => {
  it.each([
    [{}, 'ok'],
    [{ complete: false }, 'brokenOff'],
    [{ status: 404 }, 'providerRefused'],
    [{ status: 429 }, 'rateLimited'],
    [{ status: 503 }, 'providerFailed'],
    [{ status: 503, isGateways: true }, 'gatewayRefused'],
  ] as const)('%j is counted as %s alone', (changes, name) => {
    const { calls, bytesIn, bytesOut, totalMs, ...classes } = countsOf({ ...CALL, ...changes });
    expect([calls, bytesIn, bytesOut, totalMs]).toEqual([1, 1, 10, 5]);
    expect(classes).toEqual({ [name]: 1 });
  });

  it('is added to others counter by counter', () => {
    expect(addCounts({ calls: 1, ok: 1 }, { calls: 1, rateLimited: 1 })).toEqual({ calls: 2, ok: 1, rateLimited: 1 });
  });
});

describe('days', () => {
  it('are all from the first to the last, over the end of a month', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysBetween('2026-03-02', '2026-03-01')).toEqual([]);
  });
});
