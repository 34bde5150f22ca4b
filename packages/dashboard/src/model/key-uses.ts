import type { Usage } from '../gateway/library.ts';
import { DAY_MS } from './time.ts';

/** Proxied calls with a key: of today (UTC), of yesterday, and of the last seven days with them. */
export interface KeyUses {
  readonly today: number;
  readonly yesterday: number;
  readonly week: number;
}

/** The first of seven days that end today, UTC: `2026-03-01`. */
export function firstDayOfWeek(nowMs: number): string {
  return new Date(nowMs - 6 * DAY_MS).toISOString().slice(0, 10);
}

/** Uses of a key out of the calls by key of a week. @param id of the key, in full */
export function usesOf({ to, rows }: Usage, id: string): KeyUses {
  const own = rows.filter(({ keyId }) => keyId !== undefined && id.startsWith(keyId));
  const callsOn = (day: string) => own.filter((row) => row.day === day).reduce((sum, { calls }) => sum + calls, 0);
  return {
    today: callsOn(to),
    yesterday: callsOn(new Date(Date.parse(to) - DAY_MS).toISOString().slice(0, 10)),
    week: own.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** Uses of a week in a few words. */
export function weekText({ today, week }: KeyUses): string {
  if (week === 0) return 'No calls in 7 days';
  return `${week.toLocaleString('en')} ${week === 1 ? 'call' : 'calls'} in 7 days, ${today.toLocaleString('en')} today`;
}
