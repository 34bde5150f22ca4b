import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { deliveryStore, eventHistory } from './delivery.store.ts';
import type { DeliveryStore, EventHistory, WebhookStore } from './ports.ts';
import { webhookStore } from './webhook.store.ts';

/** Dependencies of the routes of webhooks, in addition to those of all routes. */
export interface WebhookServices {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly eventHistory: EventHistory;
}

/** Opens nothing: costs a request nothing. */
export function webhookServices({ table }: Pick<FeatureDependencies, 'table'>): WebhookServices {
  return { webhooks: webhookStore(table), deliveries: deliveryStore(table), eventHistory: eventHistory(table) };
}
