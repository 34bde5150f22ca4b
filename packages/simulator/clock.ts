/** The simulator's time: the machine's or a fixed one, moved by a settable offset so that months pass in one call. */
export interface SimClock {
  /** Where the clock stands still; `null` while it runs with the machine's. */
  fixedMs: number | null;
  offsetSec: number;
  nowMs(): number;
}

/** A clock that starts at the machine's time. */
export function createClock(): SimClock {
  const clock: SimClock = {
    fixedMs: null,
    offsetSec: 0,
    nowMs: () => (clock.fixedMs ?? Date.now()) + clock.offsetSec * 1000,
  };
  return clock;
}

const PACIFIC_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });

/** Date of a moment in Pacific Time, where the days of Google's quotas begin: `2026-11-28`. */
export function pacificDay(ms: number): string {
  return PACIFIC_DAY.format(ms);
}

/** Milliseconds of one day. */
export const DAY_MS = 86_400_000;
