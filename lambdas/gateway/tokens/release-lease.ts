import { REFRESH_BACKOFF_BASE_SEC, REFRESH_BACKOFF_MAX_SEC, TOKEN_ENDPOINT_BACKOFF_MAX_SEC } from '../core/limits.ts';
import { refreshBackoffSec } from './freshness.rules.ts';
import { type HeldAttempt, type LeaseHolderDependencies, nowEpochSec, type RefreshOutcome } from './refresh-attempt.ts';

/** Why an attempt brought no tokens. */
export interface Failure {
  readonly reason: string;
  readonly retryAfterSec: number | undefined;
  /** The provider has answered, or was never reached; else the refresh token may have been spent. */
  readonly closed: boolean;
  /** The provider refused this connection's token and no other: it waits longer and longer, alone. */
  readonly refused?: true;
}

/** Ends an attempt that brought no tokens and killed nothing: the connection backs off, the old token keeps serving. */
export async function putOff(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  failure: Failure,
): Promise<RefreshOutcome> {
  const failureCount = attempt.connection.failureCount + 1;
  const waitSec = refreshBackoffSec(
    failureCount - 1,
    failure.retryAfterSec,
    deps.random.number(),
    failure.refused === true ? REFRESH_BACKOFF_MAX_SEC : TOKEN_ENDPOINT_BACKOFF_MAX_SEC,
  );
  await release(deps, attempt, {
    retryAtEpochSec: nowEpochSec(deps.clock) + waitSec,
    failureCount,
    answered: failure.closed,
  });
  deps.logger.warn('refresh failed for now', {
    accountId: attempt.connection.accountId,
    integrationId: attempt.connection.integrationId,
    cause: failure.reason,
    requestId: attempt.requestId,
  });
  const outcome = { kind: 'transient', reason: failure.reason, retryAfterSec: waitSec } as const;
  return failure.refused === true ? { ...outcome, refused: true } : outcome;
}

/** Gives the lease back without any back-off: the connection is not what failed. */
export function releaseUntouched(deps: LeaseHolderDependencies, attempt: HeldAttempt, closed: boolean): Promise<void> {
  return release(deps, attempt, {
    retryAtEpochSec: undefined,
    failureCount: attempt.connection.failureCount,
    answered: closed,
  });
}

/** The attempt's own deadline has passed for whoever waits; the lease ends by time. */
export function timedOut(): RefreshOutcome {
  return { kind: 'transient', reason: 'refresh_timed_out', retryAfterSec: REFRESH_BACKOFF_BASE_SEC };
}

async function release(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  next: Parameters<LeaseHolderDependencies['connections']['releaseLease']>[2],
): Promise<void> {
  try {
    await deps.connections.releaseLease(attempt.connection, attempt.lease, next);
  } catch (error) {
    // The lease ends by time; the caller's answer does not depend on it.
    deps.logger.error('a lease could not be given back', { requestId: attempt.requestId }, error);
  }
}
