import { afterEach, expect, it, vi } from 'vitest';
import { ProcessorTime } from '../../support/processor-time.ts';

afterEach(() => vi.restoreAllMocks());

/** A machine on which a turn of some work and the reference take times that are given. @returns measures, and counts the turns */
function measured(
  limitMs: number,
  workMs: readonly number[],
  referenceMs: number | readonly number[],
): { ms: number; turns: number } {
  const references = [referenceMs].flat();
  let nowMs = 0;
  let read = 0;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation((since) => ({
    user: nowMs * 1000 - (since?.user ?? 0),
    system: 0,
  }));
  const parse = JSON.parse;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    nowMs += references[read % references.length] ?? 0;
    read += 1;
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

it('processor time on a machine that others stop again and again is that of one that runs on', () => {
  const { ms } = measured(200, [480], [12, 84]);
  expect(ms).toBeGreaterThan(100);
  expect(ms).toBeLessThan(200);
});

it('processor time of work that takes long is measured three times', () => {
  expect(measured(200, [5_000], 12)).toEqual({ ms: 5_000, turns: 3 });
});
