/** The simulator's time: the machine's, moved by a settable offset so that months pass in one call. */
export interface SimClock {
  offsetSec: number;
  nowMs(): number;
}

/** A clock that starts at the machine's time. */
export function createClock(): SimClock {
  const clock: SimClock = { offsetSec: 0, nowMs: () => Date.now() + clock.offsetSec * 1000 };
  return clock;
}

/** Milliseconds of one day. */
export const DAY_MS = 86_400_000;
