import type { Connection, ConnectionSummary } from '../gateway/library.ts';
import { DAY_MS, startOfDay } from './time.ts';

/** One day of a chart: its start in epoch milliseconds (UTC) and a count per kind. */
export interface StatusDay {
  readonly dayMs: number;
  readonly active: number;
  readonly dead: number;
}

/** One day of latest refreshes. */
export interface RefreshDay {
  readonly dayMs: number;
  readonly renewed: number;
  readonly refused: number;
}

/** A number of connections that share something. */
export interface Tally {
  readonly name: string;
  readonly count: number;
}

/**
 * How many of today's connections were active and dead at the end of each day, oldest day first. A connection whose death
 * has no known date counts as dead from the day it was made. Deleted connections are not among them.
 *
 * @param deadSince connection id number -> ISO 8601 time of its death
 */
export function statusByDay(
  connections: readonly ConnectionSummary[],
  deadSince: ReadonlyMap<number, string>,
  days: number,
  nowMs: number,
): readonly StatusDay[] {
  return lastDays(days, nowMs).map((dayMs) => {
    const endMs = dayMs + DAY_MS;
    let active = 0;
    let dead = 0;
    for (const connection of connections) {
      if (Date.parse(connection.createdAt) >= endMs) continue;
      if (diedBefore(connection, deadSince, endMs)) dead += 1;
      else active += 1;
    }
    return { dayMs, active, dead };
  });
}

/** How the latest refresh of each connection ended, by the day it happened. Connections never refreshed are left out. */
export function refreshesByDay(details: readonly Connection[], days: number, nowMs: number): readonly RefreshDay[] {
  return lastDays(days, nowMs).map((dayMs) => {
    const isThatDay = (iso: string | undefined): boolean => iso !== undefined && startOfDay(Date.parse(iso)) === dayMs;
    return {
      dayMs,
      renewed: details.filter((one) => one.diagnosis === undefined && isThatDay(one.lastRefreshedAt)).length,
      refused: details.filter((one) => isThatDay(one.diagnosis?.since)).length,
    };
  });
}

/** Connections per name, most first. */
export function tally(names: readonly string[]): readonly Tally[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

/** A connection that will end, and when. */
export interface ComingEnd {
  readonly connection: Connection;
  /** ISO 8601 UTC. */
  readonly endsAt: string;
  readonly reason: 'testing_mode' | 'time_limited';
}

/** Connections that end within some days, the next one first. */
export function comingEnds(details: readonly Connection[], days: number, nowMs: number): readonly ComingEnd[] {
  const ends = details.flatMap((connection): ComingEnd[] => {
    const { testingModeEndsAt, accessEndsAt } = connection.forecasts;
    const known: ComingEnd[] = [];
    if (testingModeEndsAt !== undefined) known.push({ connection, endsAt: testingModeEndsAt, reason: 'testing_mode' });
    if (accessEndsAt !== undefined) known.push({ connection, endsAt: accessEndsAt, reason: 'time_limited' });
    return known.sort((a, b) => Date.parse(a.endsAt) - Date.parse(b.endsAt)).slice(0, 1);
  });
  return ends
    .filter(({ endsAt }) => Date.parse(endsAt) <= nowMs + days * DAY_MS)
    .sort((a, b) => Date.parse(a.endsAt) - Date.parse(b.endsAt));
}

/** How many connections end on each of the coming days, today and what is overdue first. */
export function endsByDay(
  ends: readonly ComingEnd[],
  days: number,
  nowMs: number,
): readonly { readonly dayMs: number; readonly count: number }[] {
  const today = startOfDay(nowMs);
  return Array.from({ length: days + 1 }, (_, offset) => {
    const dayMs = today + offset * DAY_MS;
    const count = ends.filter(({ endsAt }) => Math.max(startOfDay(Date.parse(endsAt)), today) === dayMs).length;
    return { dayMs, count };
  });
}

/** Starts of the last days in epoch milliseconds, oldest first, today last. */
export function lastDays(days: number, nowMs: number): readonly number[] {
  const today = startOfDay(nowMs);
  return Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
}

function diedBefore(connection: ConnectionSummary, deadSince: ReadonlyMap<number, string>, endMs: number): boolean {
  if (connection.status !== 'reauthorization_required') return false;
  const since = deadSince.get(connection.id);
  return since === undefined || Date.parse(since) < endMs;
}
