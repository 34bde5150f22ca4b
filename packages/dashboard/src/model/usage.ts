import type { Usage } from '../gateway/library.ts';
import { absoluteTime, DAY_MS } from './time.ts';

/** Calls are counted within five minutes; a longer delay is shown, as by the alarm `book-age`. */
const LATE_MS = 15 * 60 * 1000;
/** Gaps that are listed one by one. */
const GAPS_LISTED = 3;

/** A day of calls: all of them; then the good ones, those that were refused, and those that failed. */
export interface UsageOfDay {
  readonly dayMs: number;
  readonly calls: number;
  readonly counts: readonly [good: number, refused: number, failed: number];
}

/** Every day of the period, including those without a call; separate counts are added up. */
export function usageByDay({ from, to, rows }: Usage): UsageOfDay[] {
  const days: UsageOfDay[] = [];
  for (let dayMs = Date.parse(from); dayMs <= Date.parse(to); dayMs += DAY_MS) {
    const counts: [number, number, number] = [0, 0, 0];
    for (const row of rows) {
      if (Date.parse(row.day) !== dayMs) continue;
      counts[0] += row.ok;
      counts[1] += row.providerRefused + row.rateLimited + row.gatewayRefused;
      counts[2] += row.providerFailed + row.brokenOff;
    }
    days.push({ dayMs, calls: counts[0] + counts[1] + counts[2], counts });
  }
  return days;
}

/** Remarks about uncounted calls, as sentences. */
export interface UsageRemarks {
  /** How far calls are counted, and how many left nothing to be counted by. */
  readonly covers: string;
  /** Problems that need attention, one sentence each. */
  readonly warnings: readonly string[];
}

/** Says up to when calls are counted and which of them are not in the counts. */
export function usageRemarks({ countedUntil, missingCalls, incomplete }: Usage, nowMs: number): UsageRemarks {
  const counted =
    countedUntil === undefined
      ? 'No call is counted yet; a call is counted within five minutes of its end.'
      : `Counted until ${absoluteTime(countedUntil)}.`;
  const missing =
    missingCalls === 0
      ? ''
      : ` ${missingCalls.toLocaleString('en')} ${missingCalls === 1 ? 'call' : 'calls'} of these days, of any account, left no line in the proxy’s log and could not be counted.`;
  const isLate = countedUntil !== undefined && nowMs - Date.parse(countedUntil) > LATE_MS;
  const listed = incomplete.slice(0, GAPS_LISTED);
  const more = incomplete.length - listed.length;
  return {
    covers: counted + missing,
    warnings: [
      ...(isLate
        ? [`Calls since ${absoluteTime(countedUntil)} are not counted yet. Normally it takes five minutes.`]
        : []),
      ...listed.map(
        ({ from, to }) =>
          `Calls from ${absoluteTime(from)} to ${absoluteTime(to)} are missing: the proxy’s log no longer had them when they were to be counted.`,
      ),
      ...(more > 0 ? [`Calls of ${more} more ${more === 1 ? 'time' : 'times'} are missing for the same reason.`] : []),
    ],
  };
}
