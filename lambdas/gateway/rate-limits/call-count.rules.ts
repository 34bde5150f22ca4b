import type { ConnectionRef } from '../core/identifiers.ts';
import { CALLS_UNTOLD_MS, CALLS_UNTOLD_SHARE, CALLS_WORTH_TELLING, RATE_WINDOW_SEC } from '../core/limits.ts';

/** Whose calls are counted: all that begin in a minute, or the long ones that are under way. */
export type CallSubject =
  | { readonly kind: 'key' | 'long_key'; readonly keyHash: string }
  | { readonly kind: 'connection' | 'long_connection'; readonly ref: ConnectionRef };

/** What one process knows of a subject's calls in one window. */
export interface CallCount {
  /** Number of the window since the epoch. */
  readonly window: number;
  /** Calls of all processes, this one's included, as of the last time the table was told; a lower bound. */
  told: number;
  /** Calls of this process that the table has not confirmed. */
  untold: number;
  /** Since when calls have been untold, or when the last telling ended. */
  untoldSinceMs: number;
  /** Nothing is told before: another telling is under way (Infinity), or the last one failed. */
  tellNotBeforeMs: number;
}

/** Number of the window a moment lies in. */
export function windowOf(nowMs: number): number {
  return Math.floor(nowMs / 1000 / RATE_WINDOW_SEC);
}

/** Whole seconds until the window is over, at least 1. */
export function secondsLeft(nowMs: number): number {
  return RATE_WINDOW_SEC - (Math.floor(nowMs / 1000) % RATE_WINDOW_SEC);
}

/** No call yet. */
export function emptyCount(nowMs: number): CallCount {
  return { window: windowOf(nowMs), told: 0, untold: 0, untoldSinceMs: nowMs, tellNotBeforeMs: 0 };
}

/** Counts a call if the window has room for it. What other processes have not told is not known here, so it is not counted. */
export function admit(count: CallCount, most: number, nowMs: number): boolean {
  if (count.told + count.untold >= most) return false;
  if (count.untold === 0) count.untoldSinceMs = nowMs;
  count.untold++;
  return true;
}

/**
 * Whether the table is to be told: of a share of what is left, so that tellings become frequent only near the limit, or of
 * what is old and more than a little.
 */
export function isWorthTelling(count: CallCount, most: number, nowMs: number): boolean {
  if (nowMs < count.tellNotBeforeMs) return false;
  const step = Math.max(1, Math.floor((most - count.told) * CALLS_UNTOLD_SHARE));
  if (count.untold >= step) return true;
  return count.untold >= CALLS_WORTH_TELLING && nowMs - count.untoldSinceMs >= CALLS_UNTOLD_MS;
}
