import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowOf } from '../../../lambdas/gateway/calls/admission.ts';
import { MIN_CALLS_TO_REPORT } from '../../../lambdas/gateway/core/limits.ts';
import { callCounters, MINUTE_MS } from './support.ts';

/** Milliseconds the clock moves before a call: mostly little, sometimes far, sometimes back. */
const jump = fc.oneof(
  { weight: 10, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -3 * MINUTE_MS, max: 3 * MINUTE_MS }) },
);

describe('calls counted side by side (DS-2)', () => {
  it('one process lets exactly the limit through in every minute, wherever its clock jumps inside one', async () => {
    const waits = fc.array(fc.integer({ min: 0, max: 800 }), { maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), waits, async (most, waited) => {
        const { process, clock } = callCounters(most);
        const one = process();
        const admitted = new Map<number, number>();
        const refused = new Set<number>();
        for (const wait of waited) {
          clock.ms += wait;
          const window = windowOf(clock.ms);
          if (await one.settled('a')) admitted.set(window, (admitted.get(window) ?? 0) + 1);
          else refused.add(window);
        }
        for (const [window, count] of admitted) {
          expect(count <= most && (!refused.has(window) || count === most)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('no clock makes a process refuse before the limit of the minute it believes in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.array(jump, { maxLength: 80 }), async (most, jumps) => {
        const { process, clock } = callCounters(most);
        const one = process();
        const calls = new Map<number, number>();
        for (const ms of jumps) {
          clock.ms += ms;
          const window = windowOf(clock.ms);
          const before = calls.get(window) ?? 0;
          const admitted = await one.settled('a');
          expect(admitted || before >= most).toBe(true);
          if (admitted) calls.set(window, before + 1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('several processes pass the limit at most by what each has not reported', async () => {
    const turns = fc.array(fc.nat({ max: 7 }), { minLength: 50, maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), turns, fc.nat({ max: 100 }), async (most, called, stepMs) => {
        const { process, clock } = callCounters(most);
        const processes = Array.from({ length: 8 }, process);
        const admitted = new Map<number, number>();
        for (const turn of called) {
          clock.ms += stepMs;
          const window = windowOf(clock.ms);
          if (await processes[turn]?.settled('a')) admitted.set(window, (admitted.get(window) ?? 0) + 1);
        }
        const unreportedEach = Math.max(MIN_CALLS_TO_REPORT, Math.ceil(most / 50));
        for (const count of admitted.values()) expect(count).toBeLessThanOrEqual(most + 8 * unreportedEach);
      }),
      { numRuns: 100 },
    );
  });

  it('a subject’s reports add up to no more than its calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.array(jump, { maxLength: 300 }), async (most, jumps) => {
        const { process, clock, totals } = callCounters(most);
        const one = process();
        let admitted = 0;
        for (const ms of jumps) {
          clock.ms += ms;
          if (await one.settled('a')) admitted++;
        }
        expect(totals.reports.reduce((sum, { calls }) => sum + calls, 0)).toBeLessThanOrEqual(admitted);
      }),
      { numRuns: 100 },
    );
  });
});
