import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interleaved, quantile, ratioOf, spreadOf } from '../../../dev/bench/statistics.ts';

test('the median of an even count lies between the two in the middle', () => {
  expect(spreadOf([4, 1, 3, 10])).toEqual({ median: 3.5, min: 1, max: 10 });
});

test('nothing measured is an error, not a number', () => {
  for (const work of [() => spreadOf([]), () => quantile([], 0.5)]) expect(work).toThrow('Nothing was measured');
});

test('a ratio compares values of the same round', () => {
  expect(ratioOf([2, 9, 4], [1, 3, 4])).toEqual({ median: 2, min: 1, max: 3 });
});

test('the median lies within the extremes and ignores the order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const { median, min, max } = spreadOf(values);
      expect(min).toBeLessThanOrEqual(median);
      expect(median).toBeLessThanOrEqual(max);
      expect(spreadOf([...values].reverse())).toEqual({ median, min, max });
    }),
  );
});

test('every second round runs in the opposite order', () => {
  expect([interleaved(3, 0), interleaved(3, 1)]).toEqual([
    [0, 1, 2],
    [2, 1, 0],
  ]);
});

test('a quantile is the nearest value that so many do not exceed', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile([7], 0.99)]).toEqual([50, 99, 7]);
});
