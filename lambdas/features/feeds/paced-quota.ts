import type { FeedPace, FeedQuota } from './ports.ts';

/** Feed quota that also yields to interactive calls. */
export function pacedFeedQuota(quota: FeedQuota, pace: FeedPace): FeedQuota {
  return {
    async admit(owner, nowEpochSec, lists = 1) {
      const waitSec = await pace.waitSec(owner, lists);
      if (waitSec !== undefined) return { reason: 'quota_share_used', untilEpochSec: nowEpochSec + waitSec };
      return quota.admit(owner, nowEpochSec, lists);
    },

    async block(owner, level, untilEpochSec) {
      await Promise.all([quota.block(owner, level, untilEpochSec), pace.spent(owner, level)]);
    },
  };
}
