import { webhookSecretContext } from '../../../../lambdas/features/webhooks/attempt-delivery.ts';
import { str } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { PlaceOf } from '../../data-keys/feature-slots.ts';

/** The secrets of a webhook. */
export const sealedRow: PlaceOf = (item, accountId) =>
  item.type === 'webhook' && item.accountId === accountId
    ? webhookSecretContext({ accountId, webhookId: str(item, 'webhookId') })
    : undefined;
