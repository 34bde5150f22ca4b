export {
  type EventData,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookMessage,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type * from './webhook-types.ts';
export { Webhooks } from './webhooks.ts';
