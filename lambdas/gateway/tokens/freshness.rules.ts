import type { Connection } from '../connections/connection.rules.ts';
import type { RefreshAhead } from '../core/contract.ts';
import { spread } from '../core/identifiers.ts';
import {
  ACTIVE_WINDOW_SEC,
  KEEP_ALIVE_JITTER,
  KEEP_ALIVE_SEC,
  LEASE_SEC,
  REFRESH_BACKOFF_BASE_SEC,
  REFRESH_BACKOFF_MAX_SEC,
  REFRESH_MARGIN_JITTER_SEC,
  REFRESH_MARGIN_SEC,
  SCHEDULED_REFRESH_LEAD_JITTER_SEC,
  SCHEDULED_REFRESH_LEAD_SEC,
  TOKEN_CALL_TIMEOUT_MS,
  TOKEN_LIFETIME_DEFAULT_SEC,
} from '../core/limits.ts';

/** How the schedule treats connections: which it keeps fresh, and how often it keeps the others alive. */
export interface RefreshPolicy {
  readonly ahead: RefreshAhead;
  /** With `recently-used`: a connection used within this time is kept fresh. */
  readonly activeWindowSec: number;
  /** A connection that is not kept fresh is refreshed this often. */
  readonly keepAliveSec: number;
}

/** The policy of a deployment without options. */
export const DEFAULT_REFRESH_POLICY: RefreshPolicy = {
  ahead: 'recently-used',
  activeWindowSec: ACTIVE_WINDOW_SEC,
  keepAliveSec: KEEP_ALIVE_SEC,
};

/** Whether the schedule renews this connection's token before it ends, so that no caller has to wait. */
export function isKeptFresh(
  policy: RefreshPolicy,
  lastUsedAtEpochSec: number | undefined,
  nowEpochSec: number,
): boolean {
  switch (policy.ahead) {
    case 'always':
      return true;
    case 'on-use':
      return false;
    case 'recently-used':
      return lastUsedAtEpochSec !== undefined && nowEpochSec - lastUsedAtEpochSec < policy.activeWindowSec;
  }
}

/** Time limits of a refresh; each one follows from the length of the lease. */
export interface RefreshTiming {
  /** A holder that died frees its lease after this. */
  readonly leaseSec: number;
  /** One token call. */
  readonly callTimeoutMs: number;
  /** All token calls of one attempt: two thirds of the lease, so that the write fits into the rest. */
  readonly callBudgetMs: number;
  /** The token write and its repeats end this long after the lease was taken. */
  readonly writeBudgetMs: number;
  /** How long a caller with an expired token waits for another holder: one lease, and one read after it. */
  readonly waitMs: number;
}

/** The time limits for a lease of this many seconds. */
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

/** `fresh`: use it. `ending`: use it and refresh alongside the call. `expired`: refresh first. */
export type TokenFreshness = 'fresh' | 'ending' | 'expired';

/**
 * How long a connection's access token can still be used, with a margin that differs per connection and depends on the token's life
 * (TK-5): a token that lives for minutes is renewed once near its end, not at each call.
 */
export function tokenFreshness(connection: Connection, nowEpochSec: number): TokenFreshness {
  const leftSec = connection.accessTokenExpiresAtEpochSec - nowEpochSec;
  if (leftSec <= 0) return 'expired';
  const lifeSec = connection.accessTokenExpiresAtEpochSec - tokenIssuedAt(connection);
  const marginSec =
    ofLife(lifeSec, REFRESH_MARGIN_SEC) + spread(connection) * ofLife(lifeSec, REFRESH_MARGIN_JITTER_SEC);
  return leftSec <= marginSec ? 'ending' : 'fresh';
}

/** When a connection got its present access token, epoch seconds. */
export function tokenIssuedAt(connection: Connection): number {
  return connection.lastRefreshedAtEpochSec ?? connection.consentedAtEpochSec;
}

/** A duration meant for tokens of an hour: unchanged for longer lives, proportional for shorter ones. */
function ofLife(lifeSec: number, sec: number): number {
  return sec * Math.min(1, lifeSec / TOKEN_LIFETIME_DEFAULT_SEC);
}

/**
 * When the schedule next touches a connection: ahead of its token's end while it is kept fresh, else once per keep-alive period.
 *
 * @param issuedAtEpochSec when the token was issued, where that is not now
 */
export function nextRefreshAt(
  connection: Connection,
  accessTokenExpiresAtEpochSec: number,
  lastUsedAtEpochSec: number | undefined,
  nowEpochSec: number,
  policy: RefreshPolicy = DEFAULT_REFRESH_POLICY,
  issuedAtEpochSec = nowEpochSec,
): number {
  if (isKeptFresh(policy, lastUsedAtEpochSec, nowEpochSec)) {
    const lifeSec = accessTokenExpiresAtEpochSec - issuedAtEpochSec;
    const leadSec =
      ofLife(lifeSec, SCHEDULED_REFRESH_LEAD_SEC) +
      spread(connection) * ofLife(lifeSec, SCHEDULED_REFRESH_LEAD_JITTER_SEC);
    return Math.max(nowEpochSec, Math.floor(accessTokenExpiresAtEpochSec - leadSec));
  }
  return Math.floor(nowEpochSec + policy.keepAliveSec * (1 - KEEP_ALIVE_JITTER * spread(connection)));
}

/** Wait after the n-th transient failure in a row: doubling, at most an hour, full jitter above half. */
export function refreshBackoffSec(
  failureCount: number,
  retryAfterSec: number | undefined,
  random01: number,
  maxSec: number = REFRESH_BACKOFF_MAX_SEC,
): number {
  const ceiling = Math.min(REFRESH_BACKOFF_BASE_SEC * 2 ** Math.min(failureCount, 20), maxSec);
  const ownSec = Math.ceil(ceiling * (0.5 + random01 / 2));
  return Math.max(ownSec, retryAfterSec ?? 0);
}
