import { LEASE_SEC, TOKEN_CALL_TIMEOUT_MS } from '../core/limits.ts';

/** How long each part of a refresh may take; every part follows from the length of the lease. */
export interface RefreshTiming {
  /** A holder that died frees its lease after this. */
  readonly leaseSec: number;
  /** One token call. */
  readonly callTimeoutMs: number;
  /** All token calls of one attempt: two thirds of the lease, so that the write fits into the rest. */
  readonly callBudgetMs: number;
  /** The token write and its repeats end this long after the lease was taken. */
  readonly writeBudgetMs: number;
  /** A caller whose token has expired waits this long for another holder: one lease, and the look that follows it. */
  readonly waitMs: number;
}

/** The timing that belongs to a lease of this many seconds. */
export function refreshTiming(leaseSec: number = LEASE_SEC): RefreshTiming {
  const leaseMs = leaseSec * 1000;
  return {
    leaseSec,
    callTimeoutMs: Math.min(TOKEN_CALL_TIMEOUT_MS, Math.floor(leaseMs / 3)),
    callBudgetMs: Math.floor((leaseMs * 2) / 3),
    writeBudgetMs: Math.floor(leaseMs * 0.9),
    waitMs: leaseMs + 2_000,
  };
}
