import { GatewayError } from '../domain/errors.ts';
import { AUTHORIZATIONS_PER_MINUTE, CONNECT_SESSIONS_PER_MINUTE, RATE_WINDOW_SEC } from '../domain/limits.ts';
import type { Clock, LimitedUse, RateCounter } from '../ports.ts';

export interface LimitRateDependencies {
  readonly rates: RateCounter;
  readonly clock: Clock;
}

const LIMITS: Readonly<Record<LimitedUse, { readonly most: number; readonly what: string }>> = {
  connect_sessions: { most: CONNECT_SESSIONS_PER_MINUTE, what: 'connect sessions' },
  authorizations: { most: AUTHORIZATIONS_PER_MINUTE, what: 'started authorizations' },
};

/**
 * Counts a use that leaves rows behind (DS-3).
 *
 * @throws GatewayError `rate_limited` when the account has had its share of this minute
 */
export async function limitRate(deps: LimitRateDependencies, accountId: string, use: LimitedUse): Promise<void> {
  const nowEpochSec = Math.floor(deps.clock.nowMs() / 1000);
  const { most, what } = LIMITS[use];
  if (await deps.rates.count(accountId, use, most, nowEpochSec)) return;
  throw new GatewayError('rate_limited', `An account has at most ${most} ${what} a minute. Wait, then go on.`, {
    retryAfterSec: RATE_WINDOW_SEC - (nowEpochSec % RATE_WINDOW_SEC),
  });
}
