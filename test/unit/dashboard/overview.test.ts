import { describe, expect, it } from 'vitest';
import { chartTicks } from '../../../packages/dashboard/src/model/chart-ticks.ts';

describe('lines across a chart', () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [6, [0, 2, 4, 6]],
    [10, [0, 2, 4, 6, 8, 10]],
    [23, [0, 5, 10, 15, 20, 25]],
    [2000, [0, 500, 1000, 1500, 2000]],
  ])('up to %i are few whole numbers', (most, ticks) => {
    expect(chartTicks(most)).toEqual(ticks);
  });
});
