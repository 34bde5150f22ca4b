import { epochSecNow } from '../core/clock.ts';
import { headerValue, UpstreamError, type UpstreamResponse } from '../core/http-message.ts';
import {
  DISCARD_TIMEOUT_MS,
  RETRIES_MAX,
  RETRY_BUDGET_MS,
  RETRY_BUDGET_REPEATS,
  RETRY_BUDGET_SHARE,
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
  UPSTREAM_IDLE_TIMEOUT_MS,
} from '../core/limits.ts';
import type { Clock, Metrics, Random } from '../core/ports.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import { ERROR_BODY_MAX_BYTES, readReason } from '../proxying/error-reason.ts';
import type { UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import type { SendOne } from '../tokens/access-tokens.ts';
import { parseRetryAfter } from '../tokens/token-response.rules.ts';

/** The remaining budget of retries, in parts of which a first attempt earns one. Whole numbers, because sums of fractions would drift. */
export interface RetryBudget {
  left: number;
}

/** Price of one repeat, in parts. */
const REPEAT_PARTS = Math.round(1 / RETRY_BUDGET_SHARE);
const MOST_PARTS = RETRY_BUDGET_REPEATS * REPEAT_PARTS;

/** The budget a process starts with; it never holds more. */
export function fullRetryBudget(): RetryBudget {
  return { left: MOST_PARTS };
}

/** Counts a first attempt. */
export function earnRetry(budget: RetryBudget): void {
  budget.left = Math.min(MOST_PARTS, budget.left + 1);
}

/**
 * Takes one retry, if any is left. Beyond the initial budget at most 20 % of calls are retried, so that a failing provider does not get
 * six times as many requests from callers that all ask for five retries (I11). No clock refills it.
 */
export function spendRetry(budget: RetryBudget): boolean {
  if (budget.left < REPEAT_PARTS) return false;
  budget.left -= REPEAT_PARTS;
  return true;
}

/** One budget for each provider, so that a failure of one takes no retries from another (F31). */
export function retryBudgets(): (provider: ProviderId) => RetryBudget {
  const budgets = new Map<ProviderId, RetryBudget>();
  return (provider) => {
    const known = budgets.get(provider) ?? fullRetryBudget();
    budgets.set(provider, known);
    return known;
  };
}

/** The outcome of one attempt. */
export type AttemptOutcome =
  /** No byte of the request reached the provider: a retry is always safe. */
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

/** Reasons of a 403 that pass within seconds. The daily limit and Calendar's `quotaExceeded` last for hours. */
const RATE_LIMIT_REASONS: ReadonlySet<string | undefined> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'sharingRateLimitExceeded',
]);

const SAFE_TO_REPEAT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Whether an attempt may be retried at all: a POST or PATCH only when nothing was applied, or when the caller permits it. */
export function isRetryable(outcome: AttemptOutcome, effectiveMethod: string, retryOn: ReadonlySet<number>): boolean {
  const repeatable = SAFE_TO_REPEAT.has(effectiveMethod);
  if (outcome.kind === 'not_sent') return true;
  if (outcome.kind === 'lost') return repeatable;
  if (retryOn.has(outcome.status)) return true;
  if (outcome.status === 429) return true;
  if (outcome.status === 403) return RATE_LIMIT_REASONS.has(outcome.reason);
  return outcome.status >= 500 && repeatable;
}

/** Whether the provider may have acted on an attempt: not when it was never sent, and not when it was refused by 403 or 429. */
function mayHaveBeenActedOn(outcome: AttemptOutcome): boolean {
  if (outcome.kind === 'answered') return outcome.status !== 403 && outcome.status !== 429;
  return outcome.kind === 'lost';
}

/** Milliseconds before the n-th retry (from 0): the provider's Retry-After, else exponential with full jitter, at most 32 s. */
export function retryDelayMs(attempt: number, retryAfterSec: number | undefined, random01: number): number {
  if (retryAfterSec !== undefined) return retryAfterSec * 1000;
  const ceilingMs = Math.min(500 * 2 ** Math.min(attempt, RETRIES_MAX + 1), 32_000);
  return Math.ceil(ceilingMs * (0.5 + random01 / 2));
}

export interface SendOptions {
  readonly retries: number;
  readonly retryOn: ReadonlySet<number>;
  /** The process's remaining retries for this provider. */
  readonly budget: RetryBudget;
  /** Wall-clock end of the whole call. */
  readonly deadlineMs: number;
}

/** The provider's answer. */
export interface SentAnswer extends UpstreamResponse {
  /** Whether a retry was omitted only because the process's budget was used up. */
  readonly retryBudgetSpent: boolean;
}

/** Called on events while a request is sent. */
export interface SendNotes {
  /** Requests that went out. */
  attempts: number;
}

interface Dependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
}

/**
 * Sends a planned request, retrying it as the caller asked and policy and budget allow, inside one deadline.
 *
 * @throws UpstreamError when the last attempt got no answer; `sent` when any attempt may have been acted on
 */
export async function sendWithRetries(
  deps: Dependencies,
  send: SendOne,
  plan: UpstreamPlan,
  options: SendOptions,
  notes: SendNotes,
): Promise<SentAnswer> {
  const lastRepeatMs = Math.min(options.deadlineMs, deps.clock.nowMs() + RETRY_BUDGET_MS);
  let freeRepeatUsed = false;
  let actedOnBefore = false;
  earnRetry(options.budget);
  for (let attempt = 0; ; attempt++) {
    let response: UpstreamResponse | undefined;
    let failure: unknown;
    notes.attempts++;
    try {
      response = await send({
        origin: plan.origin,
        method: plan.method,
        path: plan.target,
        headers: plan.headers,
        body: plan.body,
        firstByteTimeoutMs: UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
        idleTimeoutMs: UPSTREAM_IDLE_TIMEOUT_MS,
        totalTimeoutMs: Math.max(1, options.deadlineMs - deps.clock.nowMs()),
      });
    } catch (error) {
      failure = error;
      // A kept connection that the provider had already closed: not the call's failure, so it costs no retry.
      if (!freeRepeatUsed && mayRepeatOnNewConnection(error, plan.effectiveMethod)) {
        freeRepeatUsed = true;
        attempt--;
        continue;
      }
    }
    if (attempt >= options.retries) return settle(response, failure, actedOnBefore);
    const judged = await judge(response, failure, deps.clock);
    if (!isRetryable(judged.outcome, plan.effectiveMethod, options.retryOn))
      return settle(judged.response, failure, actedOnBefore);
    const retryAfterSec = judged.outcome.kind === 'answered' ? judged.outcome.retryAfterSec : undefined;
    const delayMs = retryDelayMs(attempt, retryAfterSec, deps.random.number());
    if (deps.clock.nowMs() + delayMs > lastRepeatMs) return settle(judged.response, failure, actedOnBefore);
    if (!spendRetry(options.budget)) {
      deps.metrics.count('RetryBudgetSpent');
      return settle(judged.response, failure, actedOnBefore, true);
    }
    actedOnBefore ||= mayHaveBeenActedOn(judged.outcome);
    await discard(judged.response);
    deps.metrics.count('UpstreamRetry');
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}

function settle(
  response: UpstreamResponse | undefined,
  failure: unknown,
  actedOnBefore: boolean,
  retryBudgetSpent = false,
): SentAnswer {
  if (response !== undefined) return { ...response, retryBudgetSpent };
  // Even if the last attempt was not sent, an earlier one may have been.
  if (actedOnBefore && failure instanceof UpstreamError && !failure.sent) {
    throw new UpstreamError(failure.kind, true, false, failure);
  }
  throw failure;
}

/** A read is safe to retry, anything else only when no byte of it was sent. */
function mayRepeatOnNewConnection(error: unknown, effectiveMethod: string): boolean {
  if (!(error instanceof UpstreamError) || !error.reusedConnection || error.kind !== 'unreachable') return false;
  return !error.sent || effectiveMethod === 'GET' || effectiveMethod === 'HEAD';
}

async function judge(
  response: UpstreamResponse | undefined,
  failure: unknown,
  clock: Clock,
): Promise<{ readonly outcome: AttemptOutcome; readonly response: UpstreamResponse | undefined }> {
  if (response === undefined) {
    const sent = !(failure instanceof UpstreamError) || failure.sent;
    return { outcome: { kind: sent ? 'lost' : 'not_sent' }, response };
  }
  const retryAfterSec = parseRetryAfter(headerValue(response.headers, 'retry-after'), epochSecNow(clock));
  if (response.status !== 403) {
    return { outcome: { kind: 'answered', status: response.status, reason: undefined, retryAfterSec }, response };
  }
  const read = await readReason(response);
  return {
    outcome: { kind: 'answered', status: 403, reason: read.reason, retryAfterSec },
    response: read.response,
  };
}

/** Drops an answer that will not be read, so that its connection is free or closed. */
export async function discard(response: UpstreamResponse | undefined): Promise<void> {
  if (response === undefined) return;
  // A slow or hanging body would delay the next call.
  const givingUp = setTimeout(() => response.abandon(), DISCARD_TIMEOUT_MS);
  try {
    let left = ERROR_BODY_MAX_BYTES;
    for await (const chunk of response.body) {
      left -= chunk.length;
      if (left < 0) return response.abandon();
    }
  } catch {
    // It was to be thrown away.
  } finally {
    clearTimeout(givingUp);
  }
}
