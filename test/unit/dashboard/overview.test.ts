import { describe, expect, it } from 'vitest';
import { chartTicks } from '../../../dashboard/src/model/chart-ticks.ts';
import { comingEnds, endsByDay, refreshesByDay, statusByDay, tally } from '../../../dashboard/src/model/overview.ts';
import { connection, deadSince } from './connection-facts.ts';

const NOW = Date.parse('2026-01-10T12:00:00Z');
const dead = (id: number, createdAt: string) => connection({ id, createdAt, status: 'reauthorization_required' });

describe('connections by status over time', () => {
  it('counts a connection from the day it was made and as dead from the day it died', () => {
    const days = statusByDay(
      [connection({ id: 1, createdAt: '2026-01-08T23:59:59Z' }), dead(2, '2026-01-08T10:00:00Z')],
      new Map([[2, '2026-01-10T01:00:00Z']]),
      4,
      NOW,
    );
    expect(days.map(({ active, dead }) => [active, dead])).toEqual([
      [0, 0],
      [2, 0],
      [2, 0],
      [1, 1],
    ]);
  });

  it('counts a death without a date from the first day', () => {
    const days = statusByDay([dead(1, '2026-01-09T10:00:00Z')], new Map(), 3, NOW);
    expect(days.map(({ dead }) => dead)).toEqual([0, 1, 1]);
  });
});

describe('refreshes by outcome', () => {
  it('puts each latest refresh on its day', () => {
    const days = refreshesByDay(
      [
        connection({ lastRefreshedAt: '2026-01-09T00:00:00Z' }),
        connection({ lastRefreshedAt: '2026-01-10T11:00:00Z' }),
        connection({ lastRefreshedAt: '2026-01-09T05:00:00Z', diagnosis: deadSince('2026-01-10T06:00:00Z') }),
        connection({ lastRefreshedAt: undefined }),
        connection({ lastRefreshedAt: '2025-12-01T00:00:00Z' }),
      ],
      2,
      NOW,
    );
    expect(days.map(({ renewed, refused }) => [renewed, refused])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});

describe('connections that will die', () => {
  const soon = connection({
    id: 1,
    forecasts: {
      testingModeEndsAt: '2026-01-12T00:00:00Z',
      accessEndsAt: '2026-01-11T00:00:00Z',
      refreshTokenLimit: undefined,
    },
  });
  const later = connection({
    id: 2,
    forecasts: { testingModeEndsAt: '2026-02-01T00:00:00Z', accessEndsAt: undefined, refreshTokenLimit: undefined },
  });

  it('are those with an end within the days asked for, by their first end', () => {
    expect(comingEnds([later, soon], 7, NOW).map(({ endsAt, reason }) => [endsAt, reason])).toEqual([
      ['2026-01-11T00:00:00Z', 'time_limited'],
    ]);
  });

  it('come in the order of their ends', () => {
    expect(comingEnds([later, soon], 60, NOW).map(({ connection: { id } }) => id)).toEqual([1, 2]);
  });

  it('are counted by day, overdue ones today', () => {
    const overdue = { connection: soon, endsAt: '2026-01-09T00:00:00Z', reason: 'time_limited' } as const;
    const days = endsByDay([overdue, ...comingEnds([soon], 7, NOW)], 2, NOW);
    expect(days.map(({ count }) => count)).toEqual([1, 1, 0]);
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

describe('a tally', () => {
  it('names what is most frequent first', () => {
    expect(tally(['a', 'b', 'b'])).toEqual([
      { name: 'b', count: 2 },
      { name: 'a', count: 1 },
    ]);
  });
});
