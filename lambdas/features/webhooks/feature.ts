import type { Feature } from '../feature.rules.ts';

/** Events as signed messages to endpoints of the account ([webhooks.md](../../../docs/webhooks.md)). */
export const feature = {
  id: 'webhooks',
  title: 'signed messages to your endpoints',
  functions: ['deliver'],
  memoryMb: { deliver: 256 },
  sweeps: { deliver: 'webhooks' },
  paths: ['webhooks'],
  events: [
    'WebhookCreated',
    'WebhookUpdated',
    'WebhookDeleted',
    'WebhookSecretRotated',
    'WebhookEnabled',
    'WebhookDisabled',
  ],
  eventMembers: ['webhook_id'],
  formerCauses: {
    WebhookCreated: 'webhook_id',
    WebhookUpdated: 'webhook_id',
    WebhookDeleted: 'webhook_id',
    WebhookSecretRotated: 'webhook_id',
    WebhookEnabled: 'webhook_id',
    WebhookDisabled: 'webhook_id',
  },
  metrics: {
    /** One attempt to deliver an event to an endpoint. Dimension: `outcome` (`delivered`, `failed`, `given_up`). */
    webhookAttempt: 'WebhookAttempt',
    /** An endpoint is no longer tried. Dimension: `because` (`gone`, `failing`). */
    webhookDisabled: 'WebhookDisabled',
    /** Age in seconds of the oldest due delivery that a sweep met. */
    oldestDueDeliveryAgeSec: 'OldestDueDeliveryAgeSec',
    /** A delivery, or a part of the due index, could not be worked on for a reason of the gateway's own. */
    webhookWorkFailed: 'WebhookWorkFailed',
  },
  graphs: [
    { title: 'Attempts to deliver to webhooks', metric: 'webhookAttempt', by: ['outcome'] },
    { title: 'Age of the oldest due delivery (s)', metric: 'oldestDueDeliveryAgeSec' },
    { title: 'Webhooks disabled', metric: 'webhookDisabled', by: ['because'] },
  ],
  alarms: [
    { metric: 'OldestDueDeliveryAgeSec', entry: 'overdue-webhooks', signal: 'TicketLasting', above: 600 },
    { metric: 'WebhookWorkFailed', entry: 'failing-webhooks', signal: 'TicketLasting' },
    { metric: 'WebhookDisabled', entry: 'webhook-disabled', signal: 'Ticket' },
    { metric: 'TickMissing', entry: 'dropped-webhook-ticks', signal: 'Page', where: { sweep: ['deliver'] } },
  ],
  alarmMeanings: {
    'dropped-webhook-ticks': 'Sweeps of deliveries do not begin or do not end: webhooks get only first attempts.',
    'failing-webhook-sweeps': 'The deliver function ends in an error or times out: see its log.',
    'overdue-webhooks': 'Due deliveries of webhooks wait longer than ten minutes for their next attempt.',
    'failing-webhooks': 'Deliveries to webhooks fail because of the gateway itself: each is retried.',
    'webhook-disabled': 'A webhook was disabled: it answered 410, or did not succeed for five days.',
  },
  attention: ['webhook'],
  rateLimits: ['webhook_tests'],
  keyPurposes: ['webhooks'],
  /** The refresh function seals secrets again that 0.2.0 wrote. */
  dataKeys: { management: ['webhooks'], refresh: ['webhooks'], deliver: ['webhooks'] },
  sealedFields: { webhookSecret: { purpose: 'webhooks' }, deliveryListCursor: { purpose: 'cursors' } },
  cursors: ['deliveryListCursor'],
  tags: { Webhooks: 'Signed events, sent to your own endpoints.' },
  /** Deliveries; endpoints are rows of their account. */
  families: { webhook: 'WEBHOOK' },
  rights: {
    management: { PutItem: ['webhook'], UpdateItem: ['webhook'] },
    /** All that it may: its own rows, how endpoints do, and the events of what it finds. */
    deliver: {
      GetItem: ['account', 'webhook'],
      Query: ['account'],
      PutItem: ['event', 'webhook'],
      UpdateItem: ['account', 'sweep', 'ticks', 'webhook'],
    },
  },
} as const satisfies Feature;
