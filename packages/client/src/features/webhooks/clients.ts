import type { Manage } from '../../management/manage.ts';
import { Webhooks } from './webhooks.ts';

/** What the feature adds to a client. */
export interface WebhooksClients {
  readonly webhooks: Webhooks;
}

export const clients = (manage: Manage): WebhooksClients => ({ webhooks: new Webhooks(manage) });
