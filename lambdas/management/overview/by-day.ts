import type { Connection, ConnectionSummary } from '../../gateway/connections/connection.rules.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';

const DAY_MS = 86_400_000;

/** Today's connections by their status at the end of a day (UTC). */
export interface StatusDay {
  /** `2026-01-31`. */
  readonly day: string;
  readonly active: number;
  readonly dead: number;
}

/** Latest refreshes of connections, by the day they happened (UTC). */
export interface RefreshDay {
  readonly day: string;
  readonly renewed: number;
  readonly refused: number;
}

/**
 * How many of today's connections were alive and dead at the end of each of the last days, oldest first. One whose death
 * has no known date counts as dead from the day it was made.
 */
export function statusByDay(
  connections: readonly ConnectionSummary[],
  details: readonly Connection[],
  days: number,
  nowMs: number,
): readonly StatusDay[] {
  const deadSince = deathTimes(details);
  const facts = connections.map((connection) => ({
    madeMs: Date.parse(connection.createdAt),
    diedMs:
      connection.status === 'active' ? Number.POSITIVE_INFINITY : (deadSince.get(connectionRefKey(connection)) ?? 0),
  }));
  return lastDays(days, nowMs).map((startMs) => {
    const endMs = startMs + DAY_MS;
    const made = facts.filter(({ madeMs }) => madeMs < endMs);
    const dead = made.filter(({ diedMs }) => diedMs < endMs).length;
    return { day: dayText(startMs), active: made.length - dead, dead };
  });
}

/** Dead connections among those listed whose death has no known date. */
export function undatedDeaths(connections: readonly ConnectionSummary[], details: readonly Connection[]): number {
  const deadSince = deathTimes(details);
  return connections.filter((one) => one.status !== 'active' && !deadSince.has(connectionRefKey(one))).length;
}

/** How the latest refresh of each connection ended, by day; connections never refreshed are left out. */
export function refreshesByDay(details: readonly Connection[], days: number, nowMs: number): readonly RefreshDay[] {
  return lastDays(days, nowMs).map((startMs) => {
    const isThatDay = (ms: number): boolean => ms >= startMs && ms < startMs + DAY_MS;
    const renewed = details.filter(
      ({ death, lastRefreshedAtEpochSec: at }) => death === undefined && at !== undefined && isThatDay(at * 1000),
    ).length;
    const refused = details.filter(({ death }) => death !== undefined && isThatDay(Date.parse(death.since))).length;
    return { day: dayText(startMs), renewed, refused };
  });
}

function deathTimes(details: readonly Connection[]): ReadonlyMap<string, number> {
  return new Map(
    details.flatMap((one) =>
      one.death === undefined ? [] : [[connectionRefKey(one), Date.parse(one.death.since)] as const],
    ),
  );
}

/** Starts of the last days, oldest first, today last. */
function lastDays(days: number, nowMs: number): readonly number[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
}

function dayText(startMs: number): string {
  return new Date(startMs).toISOString().slice(0, 10);
}
