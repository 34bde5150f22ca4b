import { expect, it } from 'vitest';
import {
  CHANNEL_RENEWAL_SHARE,
  FEED_BATCH_RETENTION_SEC,
  FEED_CALLS_PER_QUESTION,
  FEED_SAFETY_INTERVAL_SEC,
} from '../../../../lambdas/features/feeds/limits.rules.ts';
import { ASSUMPTIONS } from '../../../../packages/cli/costs/prices.ts';

it('the page of costs counts with the limits of feeds', () => {
  expect(ASSUMPTIONS).toMatchObject({
    feedBatchRetentionSec: FEED_BATCH_RETENTION_SEC,
    feedCallsPerQuestion: FEED_CALLS_PER_QUESTION,
    feedSafetyIntervalSec: FEED_SAFETY_INTERVAL_SEC,
    channelRenewalShare: CHANNEL_RENEWAL_SHARE,
  });
});
