import { GatewayError } from '../core/errors.ts';
import type { Metrics } from '../core/ports.ts';
import { secondsLeft } from './call-count.rules.ts';
import type { LimitedUse } from './ports.ts';

/** Every limit of the gateway's own, as its metric names it. */
export type LimitName = 'key' | 'connection' | 'address' | LimitedUse;

/** Counts a refusal and makes its answer, which says when the window that is spent is over. */
export function rateLimited(metrics: Metrics, limit: LimitName, message: string, nowMs: number): GatewayError {
  metrics.count('RateLimited', { limit });
  return new GatewayError('rate_limited', message, { retryAfterSec: secondsLeft(nowMs) });
}
