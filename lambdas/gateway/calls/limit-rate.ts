import { AUTHORIZATIONS_PER_MINUTE, CONNECT_SESSIONS_PER_MINUTE, WEBHOOK_TESTS_PER_MINUTE } from '../core/limits.ts';
import type { Clock, Metrics } from '../core/ports.ts';
import { rateLimited } from './admission.ts';
import type { LimitedUse, RateCounter } from './ports.ts';

export interface LimitRateDependencies {
  readonly rates: RateCounter;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

interface Limit {
  readonly most: number;
  readonly who: string;
  readonly what: string;
}

const LIMITS: Readonly<Record<Exclude<LimitedUse, `${string}.${string}`>, Limit>> = {
  connect_sessions: { most: CONNECT_SESSIONS_PER_MINUTE, who: 'An account', what: 'connect sessions' },
  authorizations: { most: AUTHORIZATIONS_PER_MINUTE, who: 'An account', what: 'started authorizations' },
};
const WEBHOOK_TESTS: Limit = { most: WEBHOOK_TESTS_PER_MINUTE, who: 'A webhook', what: 'tests' };

/**
 * Counts a use that leaves rows behind (DS-3).
 *
 * @returns how to give the use back, for one that left nothing behind after all
 * @throws GatewayError `rate_limited` when the account has had its share of this minute
 */
export async function limitRate(
  deps: LimitRateDependencies,
  accountId: string,
  use: Exclude<LimitedUse, `new_subjects.${string}`>,
): Promise<() => Promise<void>> {
  const nowMs = deps.clock.nowMs();
  const nowEpochSec = Math.floor(nowMs / 1000);
  const { most, who, what } = isOfWebhook(use) ? WEBHOOK_TESTS : LIMITS[use];
  if (await deps.rates.count(accountId, use, most, nowEpochSec)) {
    return () => deps.rates.giveBack(accountId, use, nowEpochSec);
  }
  throw rateLimited(
    deps.metrics,
    isOfWebhook(use) ? 'webhook_tests' : use,
    most,
    `${who} may have at most ${most} ${what} a minute. Continue after the time in Retry-After.`,
    nowMs,
  );
}

function isOfWebhook(use: LimitedUse): use is Extract<LimitedUse, `webhook_tests.${string}`> {
  return use.startsWith('webhook_tests.');
}
