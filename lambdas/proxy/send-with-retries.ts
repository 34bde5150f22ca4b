import type { HeaderPairs } from '../gateway/core/http-message.ts';
import { headerValue } from '../gateway/core/http-message.ts';
import {
  DISCARD_TIMEOUT_MS,
  RETRY_BUDGET_MS,
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
  UPSTREAM_IDLE_TIMEOUT_MS,
} from '../gateway/core/limits.ts';
import type { Clock, Metrics, Random } from '../gateway/core/ports.ts';
import { type Upstream, UpstreamError, type UpstreamResponse } from '../gateway/core/upstream.ts';
import type { UpstreamPlan } from '../gateway/proxying/plan-upstream-request.ts';
import { parseRetryAfter } from '../gateway/tokens/token-response.rules.ts';
import { ERROR_BODY_MAX_BYTES, readReason } from './read-reason.ts';
import { earnRetry, type RetryBudget, spendRetry } from './retry-budget.rules.ts';
import { type AttemptOutcome, isRetryable, mayHaveBeenActedOn, retryDelayMs } from './retry-policy.rules.ts';

export interface SendOptions {
  readonly accessToken: string;
  readonly retries: number;
  readonly retryOn: ReadonlySet<number>;
  /** What the process has left for repeats at this provider. */
  readonly budget: RetryBudget;
  /** Wall-clock end of the whole call. */
  readonly deadlineMs: number;
}

/** The provider's answer. */
export interface SentAnswer extends UpstreamResponse {
  /** It would have been repeated, had the process had a repeat left. */
  readonly retryBudgetSpent: boolean;
}

interface Dependencies {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
}

/**
 * Sends a planned request, repeating it as the caller asked and policy and budget allow, inside one deadline. The identity is
 * added here and last, so nothing the caller sent can stand beside it (PX-6, PX-9).
 *
 * @throws UpstreamError when the last attempt got no answer; `sent` when any attempt may have been acted on
 */
export async function sendWithRetries(
  deps: Dependencies,
  plan: UpstreamPlan,
  options: SendOptions,
): Promise<SentAnswer> {
  const headers: HeaderPairs = [...plan.headers, ['authorization', `Bearer ${options.accessToken}`]];
  const lastRepeatMs = Math.min(options.deadlineMs, deps.clock.nowMs() + RETRY_BUDGET_MS);
  let freeRepeatUsed = false;
  let actedOnBefore = false;
  earnRetry(options.budget);
  for (let attempt = 0; ; attempt++) {
    let response: UpstreamResponse | undefined;
    let failure: unknown;
    try {
      response = await deps.upstream.send({
        origin: plan.origin,
        method: plan.method,
        path: plan.target,
        headers,
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
  // That the last attempt did not leave says nothing of those before it.
  if (actedOnBefore && failure instanceof UpstreamError && !failure.sent) {
    throw new UpstreamError(failure.kind, true, false, failure);
  }
  throw failure;
}

/** A read is safe to repeat, anything else only when no byte of it was sent. */
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
  const retryAfterSec = parseRetryAfter(headerValue(response.headers, 'retry-after'), Math.floor(clock.nowMs() / 1000));
  if (response.status !== 403) {
    return { outcome: { kind: 'answered', status: response.status, reason: undefined, retryAfterSec }, response };
  }
  const read = await readReason(response);
  return {
    outcome: { kind: 'answered', status: 403, reason: read.reason, retryAfterSec },
    response: read.response,
  };
}

/** Lets go of an answer nobody will read, so that its connection is free or gone. */
export async function discard(response: UpstreamResponse | undefined): Promise<void> {
  if (response === undefined) return;
  // A body that drips or hangs would hold back the call that follows.
  const impatient = setTimeout(() => response.abandon(), DISCARD_TIMEOUT_MS);
  try {
    let left = ERROR_BODY_MAX_BYTES;
    for await (const chunk of response.body) {
      left -= chunk.length;
      if (left < 0) return response.abandon();
    }
  } catch {
    // It was to be thrown away.
  } finally {
    clearTimeout(impatient);
  }
}
