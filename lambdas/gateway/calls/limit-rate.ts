import {
  AUTHORIZATIONS_PER_MINUTE,
  CONNECT_SESSIONS_PER_MINUTE,
  DELEGATION_CHECKS_PER_MINUTE,
} from '../core/limits.ts';
import type { Clock, Metrics } from '../core/ports.ts';
import { type LimitName, rateLimited } from './admission.ts';
import type { LimitedUse, RateCounter } from './ports.ts';

export interface LimitRateDependencies {
  readonly rates: RateCounter;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** How often something may be done in a minute, in the words of the refusal: `<who> may have at most <most> <what> a minute`. */
export interface Limit {
  /** Its name in metrics and answers, with which the name of the use begins. */
  readonly kind: LimitName;
  readonly most: number;
  readonly who: string;
  readonly what: string;
}

const LIMITS: Readonly<Record<Exclude<OwnUse, `${string}.${string}`>, Limit>> = {
  connect_sessions: {
    kind: 'connect_sessions',
    most: CONNECT_SESSIONS_PER_MINUTE,
    who: 'An account',
    what: 'connect sessions',
  },
  authorizations: {
    kind: 'authorizations',
    most: AUTHORIZATIONS_PER_MINUTE,
    who: 'An account',
    what: 'started authorizations',
  },
};
const CHECKS: Limit = {
  kind: 'delegation_checks',
  most: DELEGATION_CHECKS_PER_MINUTE,
  who: 'A connect link',
  what: 'checks',
};

/**
 * Counts a use that leaves rows behind (DS-3).
 *
 * @returns gives the use back when it left no rows after all
 * @throws GatewayError `rate_limited` when the account has used its share of this minute
 */
export function limitRate(deps: LimitRateDependencies, accountId: string, use: OwnUse): Promise<() => Promise<void>> {
  return limitRateOf(deps, accountId, use, limitOf(use));
}

/** The same for a single thing of a feature. */
export async function limitRateOf(
  deps: LimitRateDependencies,
  accountId: string,
  use: LimitedUse,
  { kind, most, who, what }: Limit,
): Promise<() => Promise<void>> {
  const nowMs = deps.clock.nowMs();
  const nowEpochSec = Math.floor(nowMs / 1000);
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

/** Uses of the core. */
type OwnUse = 'connect_sessions' | 'authorizations' | `delegation_checks.${string}`;

function limitOf(use: OwnUse): Limit {
  return use === 'connect_sessions' || use === 'authorizations' ? LIMITS[use] : CHECKS;
}
