import { PROJECT_MINUTE_SPENT, USER_MINUTE_SPENT } from '../providers/google/spent-quotas.rules.ts';

/** How much of a provider's minute background calls may take, and when there is room for them again. */

/** Units taken from a minute's quota, as far as known. */
export interface MinuteUse {
  /** Since the minute began. */
  readonly current: number;
  /** In the minute before. */
  readonly previous: number;
  /** Seconds since the minute began, 0 to 60. */
  readonly elapsedSec: number;
}

const MINUTE_SEC = 60;

/** Units of the last sixty seconds, if the minute before was even: Calendar counts sliding minutes (Google, "Manage quotas"). */
export function lastMinute({ current, previous, elapsedSec }: MinuteUse): number {
  return current + previous * (1 - elapsedSec / MINUTE_SEC);
}

/**
 * This share of a minute's room may be taken at once. The rest becomes available as the minute passes, so that no sixty seconds
 * across two minutes hold more.
 */
const AT_ONCE = 0.25;

/** Units that may be taken now, by the room of the last sixty seconds and of this minute so far. */
export function roomLeft(use: MinuteUse, room: number): number {
  const soFar = room * Math.min(1, AT_ONCE + use.elapsedSec / MINUTE_SEC) - use.current;
  return Math.max(0, Math.floor(Math.min(room - lastMinute(use), soFar)));
}

/**
 * Seconds until a call fits, if nothing else is taken meanwhile; 0 = now. It fits where the last sixty seconds and this minute so far
 * have room for it. A call larger than the whole room fits once nothing is taken.
 *
 * @param room most of sixty seconds
 */
export function secondsUntilRoom(use: MinuteUse, room: number, wanted: number): number {
  const { current, previous, elapsedSec } = use;
  const free = Math.max(0, room - wanted);
  if (current <= free) {
    const atSec = Math.max(
      elapsedSec,
      // Once less of the minute before counts.
      previous === 0 ? 0 : MINUTE_SEC * (1 - (free - current) / previous),
      // The room grows as the minute passes.
      current === 0 ? 0 : MINUTE_SEC * ((current + Math.min(wanted, room)) / room - AT_ONCE),
    );
    if (atSec <= MINUTE_SEC) return atSec - elapsedSec;
  }
  // In the next minute this one is the minute before.
  return MINUTE_SEC - elapsedSec + MINUTE_SEC * Math.max(0, 1 - free / Math.max(1, current));
}

/** Whether the refusal says that the project's or the user's minute is used up; undefined for every other answer. */
export function usedUpMinute(status: number, reason: string | undefined): 'user' | 'project' | undefined {
  if (status !== 403 && status !== 429) return undefined;
  if (USER_MINUTE_SPENT.includes(reason ?? '')) return 'user';
  return status === 429 || PROJECT_MINUTE_SPENT.includes(reason ?? '') ? 'project' : undefined;
}
