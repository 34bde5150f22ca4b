import { success } from '../answers/common.ts';
import {
  attemptAnswer,
  deliveryList,
  replayAnswer,
  webhookAnswer,
  webhookList,
  webhookWithSecret,
} from '../answers/webhooks.ts';
import type { Operations } from '../operation.ts';
import { INTEGRATION } from './sample.ts';

const TIME = '2026-11-22T08:00:00.000Z';
const WEBHOOK = {
  id: 'wh_01KAMT0V5N7Z2Q4R8S6T1W3X5Y',
  url: 'https://hooks.example.com/gateway',
  description: 'Backend of the shop',
  types: ['ConnectionReauthorizationRequired'],
  integrations: [INTEGRATION],
  status: 'enabled',
  disabled_because: null,
  disabled_at: null,
  enabled_at: TIME,
  last_success_at: TIME,
  failures_in_a_row: 0,
  resting_until: null,
  previous_secret_until: null,
  created_at: TIME,
  updated_at: TIME,
};
const SECRET = 'whsec_RXhhbXBsZU9ubHlFeGFtcGxlT25seUV4YW1wbGVPbmw=';
const ATTEMPT = { at: TIME, duration_ms: 84, status: 204, error: null, answer: null };
const params = { webhookId: WEBHOOK.id };

/** Signed webhooks. */
export const webhookOperations: Operations = {
  'GET /webhooks': {
    id: 'listWebhooks',
    tag: 'Webhooks',
    status: 200,
    answer: webhookList,
    errors: [],
    example: { answer: { data: [WEBHOOK] } },
  },
  'POST /webhooks': {
    id: 'createWebhook',
    tag: 'Webhooks',
    description:
      'The webhook gets nothing until POST /webhooks/{webhookId}/enable: give the secret to the receiver first. Messages are Standard Webhooks 1.0.0, and their data is what the event bus carries.',
    status: 201,
    answer: webhookWithSecret,
    errors: ['conflict'],
    example: {
      body: { url: WEBHOOK.url, description: WEBHOOK.description, types: WEBHOOK.types, integrations: WEBHOOK.integrations },
      answer: { data: { ...WEBHOOK, status: 'unproven', enabled_at: null, last_success_at: null, secret: SECRET } },
    },
  },
  'GET /webhooks/{webhookId}': {
    id: 'getWebhook',
    tag: 'Webhooks',
    status: 200,
    answer: webhookAnswer,
    errors: ['not_found'],
    example: { params, answer: { data: WEBHOOK } },
  },
  'PATCH /webhooks/{webhookId}': {
    id: 'updateWebhook',
    tag: 'Webhooks',
    description: 'null takes a filter or the description away. status: disabled ends sending until it is enabled again.',
    status: 200,
    answer: webhookAnswer,
    errors: ['not_found', 'conflict'],
    example: { params, body: { types: null }, answer: { data: { ...WEBHOOK, types: null } } },
  },
  'DELETE /webhooks/{webhookId}': {
    id: 'deleteWebhook',
    tag: 'Webhooks',
    status: 200,
    answer: success,
    errors: ['not_found'],
    example: { params, answer: { success: true } },
  },
  'POST /webhooks/{webhookId}/rotate-secret': {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    status: 200,
    answer: webhookWithSecret,
    errors: ['not_found', 'conflict'],
    example: { params, answer: { data: { ...WEBHOOK, previous_secret_until: TIME, secret: SECRET } } },
  },
  'POST /webhooks/{webhookId}/enable': {
    id: 'enableWebhook',
    tag: 'Webhooks',
    description:
      'Sends a signed endpoint.test and enables the webhook when it is answered with 2xx within 9 seconds; otherwise 409, and the message says what came instead.',
    status: 200,
    answer: webhookAnswer,
    errors: ['not_found', 'conflict'],
    example: { params, answer: { data: WEBHOOK } },
  },
  'POST /webhooks/{webhookId}/test': {
    id: 'testWebhook',
    tag: 'Webhooks',
    description: 'Whatever comes of it is the answer and stands in the delivery log; it changes nothing else.',
    status: 200,
    answer: attemptAnswer,
    errors: ['not_found'],
    example: { params, answer: { data: ATTEMPT } },
  },
  'GET /webhooks/{webhookId}/deliveries': {
    id: 'listWebhookDeliveries',
    tag: 'Webhooks',
    description:
      'pending: due at next_attempt_at. delivered: answered with 2xx. failed: given up after ten attempts over 75 hours. waiting: the webhook is disabled; a replay sends it.',
    status: 200,
    answer: deliveryList,
    errors: ['not_found'],
    example: {
      params,
      query: { state: 'delivered' },
      answer: {
        data: [
          {
            event_id: '01KAMT0V5N7Z2Q4R8S6T1W3X5Z',
            type: 'ConnectionReauthorizationRequired',
            integration_id: INTEGRATION,
            state: 'delivered',
            queued_at: TIME,
            next_attempt_at: null,
            attempts: [ATTEMPT],
          },
        ],
        next_cursor: null,
      },
    },
  },
  'POST /webhooks/{webhookId}/replay': {
    id: 'replayWebhook',
    tag: 'Webhooks',
    description:
      'Queues the events of up to 400 days that the webhook’s filters want, 500 events a call; they are sent within a minute or so. Their webhook-id is that of the first time.',
    status: 202,
    answer: replayAnswer,
    errors: ['not_found', 'conflict'],
    example: { params, query: { from: TIME }, answer: { data: { queued: 12, next_from: null } } },
  },
};
