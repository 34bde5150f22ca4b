import { webhookSecretContext } from '../../../../lambdas/features/webhooks/attempt-delivery.ts';
import { str } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { OpenPlaces } from '../../data-keys/feature-slots.ts';

/** The secrets of a webhook. */
export const sealedRow: OpenPlaces = async (_table, accountId) => (item) =>
  item.type === 'webhook' && item.accountId === accountId
    ? webhookSecretContext({ accountId, webhookId: str(item, 'webhookId') })
    : undefined;
