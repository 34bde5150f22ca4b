import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { MINUTES } from './population.ts';
import type { RefreshRules } from './refresh-rules.ts';

/** A minute may have this much more than the average: ticks gather what is due, and people come together. */
const HEADROOM = 1.25;

/** Refreshes in an average minute: what is in use once in its period, the rest once in its keep-alive period. */
export function averageRate(rules: RefreshRules, connections: number, inUse: number): number {
  let ahead = 0;
  let keepAlive = 0;
  for (let index = 0; index < rules.classes; index++) {
    ahead += 60 / (rules.periodSec[index] ?? Infinity);
    keepAlive += 60 / (rules.keepAliveSec[index] ?? Infinity);
  }
  return (inUse * ahead + (connections - inUse) * keepAlive) / rules.classes;
}

/** The value of `gateway:refreshSlices` for a rate of refreshes in a minute: the smallest divisor of 64 with headroom. */
export function slicesFor(ratePerMinute: number, perSliceMinute: number): number {
  const wanted = (ratePerMinute * HEADROOM) / perSliceMinute;
  let slices = 1;
  while (slices < wanted && slices < DUE_SHARDS) slices *= 2;
  return slices;
}

/** Average of a day's sum over its minutes. */
export function perMinute(sum: number): number {
  return sum / MINUTES;
}
