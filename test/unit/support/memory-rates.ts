import { RATE_WINDOW_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { RateCounter } from '../../../lambdas/gateway/rate-limits/ports.ts';

/** Uses per account and window, in memory. */
export function memoryRates(): RateCounter {
  const counts = new Map<string, number>();
  return {
    async count(accountId, use, most, nowEpochSec) {
      const key = JSON.stringify([accountId, use, Math.floor(nowEpochSec / RATE_WINDOW_SEC)]);
      const used = counts.get(key) ?? 0;
      if (used >= most) return false;
      counts.set(key, used + 1);
      return true;
    },
    async giveBack(accountId, use, countedAtEpochSec) {
      const key = JSON.stringify([accountId, use, Math.floor(countedAtEpochSec / RATE_WINDOW_SEC)]);
      counts.set(key, (counts.get(key) ?? 0) - 1);
    },
  };
}
