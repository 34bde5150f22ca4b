import { RETRIES_MAX } from '../gateway/core/limits.ts';

/** What happened to one attempt. */
export type AttemptOutcome =
  /** No byte of the request reached the provider: repeating is always safe. */
  | { readonly kind: 'not_sent' }
  /** The connection broke after the request went out: it may have been applied. */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** First `error.errors[].reason` of a 403, when it was read. */
      readonly reason: string | undefined;
      readonly retryAfterSec: number | undefined;
    };

const RATE_LIMIT_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'sharingRateLimitExceeded',
  'quotaExceeded',
]);

const SAFE_TO_REPEAT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Whether Google's 403 says "slow down" rather than "not allowed"; the daily limit does not end by waiting. */
export function isRateLimitReason(reason: string | undefined): boolean {
  return reason !== undefined && RATE_LIMIT_REASONS.has(reason);
}

/** Whether an attempt may be repeated at all: a POST or PATCH only when nothing was applied, or on the caller's word. */
export function isRetryable(outcome: AttemptOutcome, effectiveMethod: string, retryOn: ReadonlySet<number>): boolean {
  const repeatable = SAFE_TO_REPEAT.has(effectiveMethod);
  if (outcome.kind === 'not_sent') return true;
  if (outcome.kind === 'lost') return repeatable;
  if (retryOn.has(outcome.status)) return true;
  if (outcome.status === 429) return true;
  if (outcome.status === 403) return isRateLimitReason(outcome.reason);
  return outcome.status >= 500 && repeatable;
}

/** Whether the provider may have acted on an attempt: not when it never left, and not when it was refused by 403 or 429. */
export function mayHaveBeenActedOn(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'answered') return outcome.status !== 403 && outcome.status !== 429;
  return outcome.kind === 'lost';
}

/** Milliseconds before the n-th repeat (from 0): what the provider asks, else exponential with full jitter, at most 32 s. */
export function retryDelayMs(attempt: number, retryAfterSec: number | undefined, random01: number): number {
  if (retryAfterSec !== undefined) return retryAfterSec * 1000;
  const ceilingMs = Math.min(500 * 2 ** Math.min(attempt, RETRIES_MAX + 1), 32_000);
  return Math.ceil(ceilingMs * (0.5 + random01 / 2));
}
