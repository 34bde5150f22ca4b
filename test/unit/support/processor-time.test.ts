import { afterEach, expect, it, vi } from 'vitest';
import { ProcessorTime } from '../../support/processor-time.ts';

afterEach(() => vi.restoreAllMocks());

/**
 * A machine on which a turn of some work and the reference take times that are given, counted in whole steps.
 * @returns measures, and counts the turns
 */
function measured(
  limitMs: number,
  workMs: readonly number[],
  referenceMs: number,
  stepMs = 1,
): { ms: number; turns: number } {
  let nowMs = 0;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation((since) => ({
    user: Math.floor(nowMs / stepMs) * stepMs * 1000 - (since?.user ?? 0),
    system: 0,
  }));
  const parse = JSON.parse;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    nowMs += referenceMs;
    return parse('[]', () => text.length);
  });
  const time = new ProcessorTime(limitMs);
  let turns = 0;
  for (const _ of time) {
    nowMs += workMs[turns] ?? workMs.at(-1) ?? 0;
    turns += 1;
  }
  return { ms: time.ms, turns };
}

it('processor time below the limit is taken as it is, of one turn', () => {
  expect(measured(200, [199], 24)).toEqual({ ms: 199, turns: 1 });
});

it('processor time on a machine half as fast counts half', () => {
  expect(measured(200, [300], 24)).toEqual({ ms: 150, turns: 1 });
});

it('processor time is that of the best turn where others were disturbed', () => {
  expect(measured(200, [900, 800, 180], 12)).toEqual({ ms: 180, turns: 3 });
});

it('processor time above the limit stays above it, however often it is measured', () => {
  const { ms, turns } = measured(200, [250], 12);
  expect(ms).toBe(250);
  expect(turns).toBe(7);
});

it('processor time is right to a few per cent where the system counts it in steps', () => {
  const { ms } = measured(200, [230], 14, 4);
  expect(ms).toBeGreaterThan(190);
  expect(ms).toBeLessThan(200);
});

it('processor time of work that takes long is measured three times', () => {
  expect(measured(200, [5_000], 12)).toEqual({ ms: 5_000, turns: 3 });
});
