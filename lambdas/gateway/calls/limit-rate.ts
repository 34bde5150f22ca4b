import {
  AUTHORIZATIONS_PER_MINUTE,
  CONNECT_SESSIONS_PER_MINUTE,
  DELEGATION_CHECKS_PER_MINUTE,
  WEBHOOK_TESTS_PER_MINUTE,
} from '../core/limits.ts';
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
/** Limits of single things of an account, by the prefix of their uses' names. */
const LIMITS_OF_ONE = {
  webhook_tests: { most: WEBHOOK_TESTS_PER_MINUTE, who: 'A webhook', what: 'tests' },
  delegation_checks: { most: DELEGATION_CHECKS_PER_MINUTE, who: 'A connect link', what: 'checks' },
} as const satisfies Readonly<Record<string, Limit>>;

/**
 * Counts a use that leaves rows behind (DS-3).
 *
 * @returns gives the use back when it left no rows after all
 * @throws GatewayError `rate_limited` when the account has used its share of this minute
 */
export async function limitRate(
  deps: LimitRateDependencies,
  accountId: string,
  use: Exclude<LimitedUse, `new_subjects.${string}`>,
): Promise<() => Promise<void>> {
  const nowMs = deps.clock.nowMs();
  const nowEpochSec = Math.floor(nowMs / 1000);
  const { kind, most, who, what } = limitOf(use);
  if (await deps.rates.count(accountId, use, most, nowEpochSec)) {
    return () => deps.rates.giveBack(accountId, use, nowEpochSec);
  }
  throw rateLimited(
    deps.metrics,
    kind,
    most,
    `${who} may have at most ${most} ${what} a minute. Continue after the time in Retry-After.`,
    nowMs,
  );
}

function limitOf(use: Exclude<LimitedUse, `new_subjects.${string}`>): Limit & { readonly kind: LimitKind } {
  if (use === 'connect_sessions' || use === 'authorizations') return { kind: use, ...LIMITS[use] };
  const kind = use.startsWith('webhook_tests.') ? 'webhook_tests' : 'delegation_checks';
  return { kind, ...LIMITS_OF_ONE[kind] };
}

type LimitKind = keyof typeof LIMITS_OF_ONE | 'connect_sessions' | 'authorizations';
