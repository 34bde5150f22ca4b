/** Counters that all processes share. */
import type { ConnectionRef } from '../core/identifiers.ts';

/** Whose calls are counted: all that begin in a minute, or the long ones that are under way. */
export type CallSubject =
  | { readonly kind: 'key' | 'long_key'; readonly keyHash: string }
  | { readonly kind: 'connection' | 'long_connection'; readonly ref: ConnectionRef };

/** Calls of all processes together, per secret key or connection and window of `RATE_WINDOW_SEC`. */
export interface CallTotals {
  /** Adds calls to a window. Their total with those of every other process. */
  add(subject: CallSubject, window: number, calls: number): Promise<number>;
}

/** What an account may do only so often. */
export type LimitedUse = 'connect_sessions' | 'authorizations';

/** Counts uses per account in fixed windows of `RATE_WINDOW_SEC`. */
export interface RateCounter {
  /** Counts one use; false when the window has had `most` already, which counts nothing. */
  count(accountId: string, use: LimitedUse, most: number, nowEpochSec: number): Promise<boolean>;
  /** Takes back a use that was counted at `countedAtEpochSec`. */
  giveBack(accountId: string, use: LimitedUse, countedAtEpochSec: number): Promise<void>;
}
