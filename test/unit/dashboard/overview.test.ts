import { describe, expect, it } from 'vitest';
import type { EndingConnection } from '../../../client/src/index.ts';
import { chartTicks } from '../../../dashboard/src/model/chart-ticks.ts';
import { detailText, endsByDay } from '../../../dashboard/src/model/overview.ts';

const NOW = Date.parse('2026-01-10T12:00:00Z');

function ending(endsAt: string): EndingConnection {
  const ref = { connectionId: 'one', providerConfigKey: 'google-drive' };
  return { ...ref, endUser: undefined, endsAt, reason: 'testing_mode' };
}

describe('connections that will die', () => {
  it('are counted by day, overdue ones today', () => {
    const ends = [ending('2026-01-09T00:00:00Z'), ending('2026-01-11T23:59:59Z'), ending('2026-02-01T00:00:00Z')];
    expect(endsByDay(ends, 2, NOW).map(({ count }) => count)).toEqual([1, 1, 0]);
  });
});

describe('what a picture is of', () => {
  it('is all connections, or the newest that were read in full', () => {
    expect(detailText({ connections: 2, inDetail: 2 })).toBe('all');
    expect(detailText({ connections: 300, inDetail: 200 })).toBe('the 200 newest');
  });
});

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
