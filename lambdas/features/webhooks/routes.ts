import * as z from 'zod';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { managedAfter } from '../../gateway/core/managed-by.rules.ts';
import { LIFECYCLE_EVENT_TYPES } from '../../gateway/events/lifecycle-event.rules.ts';
import { nextCursor, success, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { INTEGRATION } from '../../gateway/openapi/sample.ts';
import { openCursor, sealCursor } from '../../management/list-page.ts';
import { isoTime, isoTimeOrNull, type Route, type RouteCall, route } from '../../management/route.ts';
import { booleanParam, cursor, integerParam, integrationId, label } from '../../management/schemas/common.ts';
import { changing, forceQuery, managedByAnswer, managedByOnTheWire } from '../../management/schemas/managed-by.ts';
import type { Services } from '../../management/services.ts';
import type { Attempt, Delivery } from './delivery.rules.ts';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
  webhookProblems,
} from './manage-webhooks.ts';
import { replayEvents } from './replay-events.ts';
import { webhookServices } from './services.ts';
import type { Webhook } from './webhook.rules.ts';

const url = z.string({ error: 'must be the address of the endpoint' }).trim().meta({
  description: 'https on port 443, with a public host.',
});

const types = z
  .array(z.enum(LIFECYCLE_EVENT_TYPES, { error: 'there is no event of this type; docs/events.md lists them' }))
  .min(1, 'name at least one, or leave this out for all')
  .max(100, 'names at most 100')
  .transform((names) => [...new Set(names)]);

const integrations = z
  .array(integrationId)
  .min(1, 'name at least one, or leave this out for all')
  .max(100, 'names at most 100')
  .transform((ids) => [...new Set(ids)]);

/** Body of `POST /webhooks`. */
const createWebhookBody = z.strictObject({
  url,
  description: label.nullish(),
  types: types.nullish(),
  integrations: integrations.nullish(),
});

/** Body of `PATCH /webhooks/{webhookId}`. */
const updateWebhookBody = z.strictObject({
  url: url.optional(),
  description: label.nullish(),
  types: types.nullish(),
  integrations: integrations.nullish(),
  status: z.literal('disabled', { error: 'must be disabled; POST /webhooks/{id}/enable enables it' }).optional(),
});

const DELIVERIES_PER_PAGE = 50;

/** Query of `GET /webhooks/{webhookId}/deliveries`. */
const deliveriesQuery = z.strictObject({
  state: z
    .enum(['pending', 'delivered', 'failed', 'waiting'], { error: 'must be pending, delivered, failed or waiting' })
    .optional(),
  limit: integerParam(1, 100).optional(),
  cursor,
});

const moment = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-22T08:00:00Z' })
  .transform((text) => Date.parse(text));

/** Query of `POST /webhooks/{webhookId}/replay`. */
const replayQuery = z.strictObject({
  since: moment.optional().meta({ description: 'Start time; by default when the webhook was last disabled.' }),
  until: moment.optional().meta({ description: 'End time; by default now.' }),
});

const webhookAnswer = documented(() =>
  z
    .object({
      id: z.string(),
      url: z.string(),
      description: z.string().nullable(),
      types: texts().nullable().meta({ description: 'Event types that it receives; null = all.' }),
      integrations: texts()
        .nullable()
        .meta({ description: 'Integrations whose events it receives; null = all, and the account’s own events.' }),
      status: z.enum(['unproven', 'enabled', 'disabled']),
      disabled_because: z.enum(['gone', 'failing', 'requested']).nullable().meta({
        description: 'gone: it answered 410. failing: it failed for five days. requested: it was disabled by request.',
      }),
      disabled_at: time().nullable(),
      enabled_at: time().nullable(),
      last_success_at: time().nullable(),
      failures_in_a_row: z.int(),
      resting_until: time()
        .nullable()
        .meta({ description: 'Nothing is sent until then, because it failed several times in a row.' }),
      previous_secret_until: time()
        .nullable()
        .meta({ description: 'Until then, messages are also signed with the previous secret.' }),
      managed_by: managedByAnswer().nullable(),
      created_at: time(),
      updated_at: time(),
    })
    .meta({ id: 'Webhook' }),
);

const oneWebhook = documented(() => z.object({ data: webhookAnswer() }).meta({ id: 'WebhookAnswer' }));
const webhookWithSecret = documented(() =>
  z
    .object({
      data: webhookAnswer().extend({
        secret: z.string().meta({ description: 'Secret with which messages are signed, shown only this once.' }),
      }),
    })
    .meta({ id: 'WebhookWithSecret' }),
);

const attemptAnswer = documented(() =>
  z
    .object({
      at: time(),
      duration_ms: z.int(),
      status: z.int().nullable().meta({ description: 'Null if there was no answer.' }),
      error: z.string().nullable().meta({
        description:
          'Null for a success. answered_with_error, gone, redirect_not_followed, timeout, connection_refused, connection_reset, name_not_found, tls_failed, address_not_public, address_not_allowed, invalid_response, unreachable or message_too_large.',
      }),
      answer: z
        .string()
        .nullable()
        .meta({ description: 'Start of the answer to a failed attempt, at most 500 characters.' }),
    })
    .meta({ id: 'WebhookAttempt' }),
);

const deliveryAnswer = documented(() =>
  z
    .object({
      event_id: z.string().meta({ description: 'Also the message’s webhook-id.' }),
      type: z.string(),
      integration_id: z.string().nullable(),
      state: z.enum(['pending', 'delivered', 'failed', 'waiting']),
      queued_at: time(),
      next_attempt_at: time().nullable(),
      attempts: z.array(attemptAnswer()),
    })
    .meta({ id: 'WebhookDelivery' }),
);

/** A webhook in the API's spelling, without its secret. */
function webhookOnTheWire(webhook: Webhook, nowMs: number): AnswerOf<typeof webhookAnswer> {
  const { disabledBecause, disabledAtEpochSec, restUntilEpochSec, previousSecretUntilEpochSec } = webhook;
  const later = (epochSec: number | undefined) =>
    epochSec !== undefined && epochSec * 1000 > nowMs ? epochSec : undefined;
  return {
    id: webhook.webhookId,
    url: webhook.url,
    description: webhook.description ?? null,
    types: webhook.types ?? null,
    integrations: webhook.integrationIds ?? null,
    status: webhook.status,
    disabled_because: webhook.status === 'disabled' ? (disabledBecause ?? null) : null,
    disabled_at: webhook.status === 'disabled' ? isoTimeOrNull(disabledAtEpochSec) : null,
    enabled_at: isoTimeOrNull(webhook.enabledAtEpochSec),
    last_success_at: isoTimeOrNull(webhook.lastSuccessAtEpochSec),
    failures_in_a_row: webhook.failuresInARow,
    resting_until: isoTimeOrNull(later(restUntilEpochSec)),
    previous_secret_until: isoTimeOrNull(later(previousSecretUntilEpochSec)),
    managed_by: webhook.managedBy === undefined ? null : managedByOnTheWire(webhook.managedBy),
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}

/** One attempt in the API's spelling. */
function attemptOnTheWire(attempt: Attempt): AnswerOf<typeof attemptAnswer> {
  return {
    at: isoTime(attempt.atEpochSec),
    duration_ms: attempt.durationMs,
    status: attempt.status ?? null,
    error: attempt.error ?? null,
    answer: attempt.excerpt ?? null,
  };
}

/** A delivery in the API's spelling, without its message. */
function deliveryOnTheWire(delivery: Delivery): AnswerOf<typeof deliveryAnswer> {
  return {
    event_id: delivery.eventId,
    type: delivery.eventType,
    integration_id: delivery.integrationId === '' ? null : delivery.integrationId,
    state: delivery.state,
    queued_at: isoTime(delivery.createdAtEpochSec),
    next_attempt_at: delivery.state === 'pending' ? isoTimeOrNull(delivery.dueAtEpochSec) : null,
    attempts: delivery.attempts.map(attemptOnTheWire),
  };
}

const access = { right: 'full', account: true } as const;
const open = { ...access, stack: true } as const;
const tag = 'Webhooks';
const pattern = '/webhooks/{webhookId}';
const TIME = '2026-03-01T12:00:00.000Z';
const params = { webhookId: 'wh_01KAMT0V5N7Z2Q4R8S6T1W3X5Y' };
const SECRET = 'whsec_RXhhbXBsZU9ubHlFeGFtcGxlT25seUV4YW1wbGVPbmw=';
const WEBHOOK = {
  id: params.webhookId,
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
  managed_by: null,
  created_at: TIME,
  updated_at: TIME,
};
const ATTEMPT = { at: TIME, duration_ms: 84, status: 204, error: null, answer: null };

type Call = Pick<RouteCall<unknown, unknown>, 'caller' | 'params'>;

function withWebhooks(services: Services) {
  return { ...services, ...webhookServices(services.forFeatures) };
}

async function foundBy({ caller, params }: Call, services: Services): Promise<Webhook> {
  const webhook = await findWebhook(withWebhooks(services), caller.accountId, params.webhookId ?? '');
  // A stack sees and changes only what it declares.
  if (caller.stack !== undefined) managedAfter(webhook.managedBy, { stack: caller.stack, force: false }, 'webhook');
  return webhook;
}

/** Webhooks: made, proved, changed, tested, replayed. */
export const routes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/webhooks',
    access: open,
    describe: documented(() => ({
      id: 'listWebhooks',
      tag,
      summary: 'List webhooks, newest first',
      answer: z.object({ data: z.array(webhookAnswer()) }).meta({ id: 'WebhookList' }),
      errors: [],
      example: { answer: { data: [WEBHOOK] } },
    })),
    async handle({ caller }, services) {
      const all = await withWebhooks(services).webhooks.list(caller.accountId);
      const newestFirst = all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      return { data: newestFirst.map((webhook) => webhookOnTheWire(webhook, services.clock.nowMs())) };
    },
  }),
  route({
    method: 'POST',
    pattern: '/webhooks',
    access: open,
    creates: true,
    status: 201,
    body: createWebhookBody,
    furtherProblems: ({ caller, body }, services) =>
      webhookProblems(services, caller.accountId, { url: body.url, integrationIds: body.integrations }),
    describe: documented(() => ({
      id: 'createWebhook',
      tag,
      summary: 'Create a webhook; its secret is shown only this once',
      description:
        'The webhook receives nothing until POST /webhooks/{webhookId}/enable: configure the secret at the receiver first. Messages follow Standard Webhooks 1.0.0; their data is the same as on the event bus.',
      answer: webhookWithSecret(),
      errors: ['conflict'],
      example: {
        body: {
          url: WEBHOOK.url,
          description: WEBHOOK.description,
          types: WEBHOOK.types,
          integrations: WEBHOOK.integrations,
        },
        answer: { data: { ...WEBHOOK, status: 'unproven', enabled_at: null, last_success_at: null, secret: SECRET } },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const wish = { ...body, integrationIds: body.integrations, stack: caller.stack };
      const asking = { requestId, actor: caller.actor };
      const { webhook, secret } = await createWebhook(withWebhooks(services), caller.accountId, wish, asking);
      return { data: { ...webhookOnTheWire(webhook, services.clock.nowMs()), secret } };
    },
  }),
  route({
    method: 'GET',
    pattern,
    access: open,
    describe: documented(() => ({
      id: 'getWebhook',
      tag,
      summary: 'Get a webhook',
      answer: oneWebhook(),
      errors: ['not_found'],
      example: { params, answer: { data: WEBHOOK } },
    })),
    async handle(call, services) {
      return { data: webhookOnTheWire(await foundBy(call, services), services.clock.nowMs()) };
    },
  }),
  route({
    method: 'PATCH',
    pattern,
    access: open,
    query: forceQuery,
    body: updateWebhookBody,
    furtherProblems: ({ caller, body }, services) =>
      webhookProblems(services, caller.accountId, { url: body.url, integrationIds: body.integrations }),
    describe: documented(() => ({
      id: 'updateWebhook',
      tag,
      summary: 'Change or disable a webhook; a new address has to be proven again',
      description:
        'null removes a filter or the description. status: disabled stops sending until the webhook is enabled again.',
      answer: oneWebhook(),
      errors: ['not_found', 'conflict'],
      example: { params, body: { types: null }, answer: { data: { ...WEBHOOK, types: null } } },
    })),
    async handle(call, services) {
      const webhook = await foundBy(call, services);
      managedAfter(webhook.managedBy, changing(call.caller, call.query), 'webhook');
      const { status, integrations: integrationIds, ...rest } = call.body;
      const wish = { ...rest, integrationIds, ...(status === undefined ? {} : { disabled: true as const }) };
      const asking = { requestId: call.requestId, actor: call.caller.actor };
      const changed = await updateWebhook(withWebhooks(services), webhook, wish, asking);
      return { data: webhookOnTheWire(changed, services.clock.nowMs()) };
    },
  }),
  route({
    method: 'DELETE',
    pattern,
    access: open,
    query: forceQuery,
    describe: documented(() => ({
      id: 'deleteWebhook',
      tag,
      summary: 'Delete a webhook; waiting deliveries are no longer sent',
      answer: success(),
      errors: ['not_found', 'conflict'],
      example: { params, answer: { success: true } },
    })),
    async handle(call, services) {
      const webhook = await foundBy(call, services);
      managedAfter(webhook.managedBy, changing(call.caller, call.query), 'webhook');
      await deleteWebhook(withWebhooks(services), webhook, { requestId: call.requestId, actor: call.caller.actor });
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    pattern: `${pattern}/rotate-secret`,
    access: open,
    creates: true,
    query: z.strictObject({
      force: booleanParam.optional().meta({
        description: 'Rotate even if two former secrets are still valid; the older one ends at once.',
      }),
    }),
    describe: documented(() => ({
      id: 'rotateWebhookSecret',
      tag,
      summary: 'Give a webhook a new secret, shown only this once; the former signs too for 24 hours',
      description:
        'Two rotations may overlap, and each former secret signs for its 24 hours. A third one within them is answered 409, unless `force=true` ends the oldest secret at once.',
      answer: webhookWithSecret(),
      errors: ['not_found', 'conflict'],
      example: { params, answer: { data: { ...WEBHOOK, previous_secret_until: TIME, secret: SECRET } } },
    })),
    async handle(call, services) {
      const asking = { requestId: call.requestId, actor: call.caller.actor };
      const { webhook, secret } = await rotateSecret(
        withWebhooks(services),
        await foundBy(call, services),
        asking,
        call.query.force,
      );
      return { data: { ...webhookOnTheWire(webhook, services.clock.nowMs()), secret } };
    },
  }),
  route({
    method: 'POST',
    pattern: `${pattern}/enable`,
    access: open,
    describe: documented(() => ({
      id: 'enableWebhook',
      tag,
      summary: 'Enable a webhook that answers a signed endpoint.test with 2xx',
      description:
        'The endpoint has nine seconds to answer. If the test fails, the answer is 409 with the reason. It counts among the tests.',
      answer: oneWebhook(),
      errors: ['not_found', 'conflict', 'rate_limited'],
      example: { params, answer: { data: WEBHOOK } },
    })),
    async handle(call, services) {
      const asking = { requestId: call.requestId, actor: call.caller.actor };
      const webhook = await enableWebhook(withWebhooks(services), await foundBy(call, services), asking);
      return { data: webhookOnTheWire(webhook, services.clock.nowMs()) };
    },
  }),
  route({
    method: 'POST',
    pattern: `${pattern}/test`,
    access,
    creates: true,
    describe: documented(() => ({
      id: 'testWebhook',
      tag,
      summary: 'Send a signed endpoint.test now and return the result',
      description:
        'The result is returned and added to the delivery log; nothing else changes. At most 10 tests a minute.',
      answer: z.object({ data: attemptAnswer() }).meta({ id: 'WebhookAttemptAnswer' }),
      errors: ['not_found', 'rate_limited'],
      example: { params, answer: { data: ATTEMPT } },
    })),
    async handle(call, services) {
      return { data: attemptOnTheWire(await testWebhook(withWebhooks(services), await foundBy(call, services))) };
    },
  }),
  route({
    method: 'GET',
    pattern: `${pattern}/deliveries`,
    access,
    query: deliveriesQuery,
    describe: documented(() => ({
      id: 'listWebhookDeliveries',
      tag,
      summary: 'List deliveries of the last 14 days with their attempts, newest event first',
      description:
        'pending: the next attempt is at next_attempt_at. delivered: the endpoint answered 2xx. failed: given up after ten attempts over 75 hours. waiting: the webhook is disabled; a replay sends it.',
      answer: z
        .object({ data: z.array(deliveryAnswer()), next_cursor: nextCursor() })
        .meta({ id: 'WebhookDeliveryList' }),
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
    })),
    async handle(call, services) {
      const { query, caller } = call;
      const { accountId } = caller;
      const webhook = await foundBy(call, services);
      const before =
        query.cursor === undefined
          ? undefined
          : await openCursor(services.cipher, accountId, 'deliveryListCursor', query.cursor);
      const limit = query.limit ?? DELIVERIES_PER_PAGE;
      const { deliveries, next } = await withWebhooks(services).deliveries.list(webhook, limit, before, query.state);
      return {
        data: deliveries.map(deliveryOnTheWire),
        next_cursor:
          next === undefined ? null : await sealCursor(services.cipher, accountId, 'deliveryListCursor', next),
      };
    },
  }),
  route({
    method: 'POST',
    pattern: `${pattern}/replay`,
    access,
    creates: true,
    status: 202,
    query: replayQuery,
    formerQuery: { from: 'since', to: 'until' },
    describe: documented(() => ({
      id: 'replayWebhook',
      tag,
      summary: 'Send stored events again, oldest first; call again with next_from for the rest',
      description:
        'Queues the events of up to 400 days that match the webhook’s filters, 500 per call; they are sent within about a minute, with their original webhook-id. `since` is required for a webhook that was never disabled, and must not be after `until`.',
      answer: z
        .object({
          data: z.object({
            queued: z.int(),
            next_from: time().nullable().meta({ description: 'Send it as from to continue; null at the end.' }),
          }),
        })
        .meta({ id: 'WebhookReplay' }),
      errors: ['not_found', 'conflict'],
      example: { params, query: { since: TIME }, answer: { data: { queued: 12, next_from: null } } },
    })),
    async handle(call, services) {
      const { query } = call;
      const webhook = await foundBy(call, services);
      if (webhook.status !== 'enabled') {
        throw new GatewayError('conflict', 'Enable this webhook first: a replay is sent to enabled ones only.');
      }
      const disabledAt = webhook.disabledAtEpochSec;
      const fromMs = query.since ?? (disabledAt === undefined ? undefined : disabledAt * 1000);
      if (fromMs === undefined) {
        throw refusal('invalid_query_params', [
          { path: 'since', message: 'is required: this webhook was never disabled' },
        ]);
      }
      const toMs = query.until ?? services.clock.nowMs();
      if (toMs < fromMs)
        throw refusal('invalid_query_params', [{ path: 'until', message: 'must not be before since' }]);
      const { queued, nextFromMs } = await replayEvents(withWebhooks(services), webhook, fromMs, toMs);
      return { data: { queued, next_from: nextFromMs === undefined ? null : new Date(nextFromMs).toISOString() } };
    },
  }),
];
