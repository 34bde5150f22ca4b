import { expect, it } from 'vitest';
import { DELIVERY_RETENTION_SEC } from '../../../../lambdas/features/webhooks/limits.rules.ts';
import { ASSUMPTIONS } from '../../../../packages/cli/costs/prices.ts';

it('the page of costs counts deliveries of webhooks for as long as they are kept', () => {
  expect(ASSUMPTIONS.deliveryRetentionSec).toBe(DELIVERY_RETENTION_SEC);
});
