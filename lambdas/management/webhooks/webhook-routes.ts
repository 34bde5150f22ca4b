import * as z from 'zod';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { LIFECYCLE_EVENT_TYPES } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Attempt, Delivery } from '../../gateway/webhooks/delivery.rules.ts';
import type { Webhook } from '../../gateway/webhooks/webhook.rules.ts';
import { isoTime, isoTimeOrNull } from '../integrations/integration-routes.ts';
import { openCursor, sealCursor } from '../list-page.ts';
import { bareRoute, bodyRoute, type Route } from '../route.ts';
import { cursor, integerParam, integrationId, label, noQuery } from '../schemas/common.ts';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from './manage-webhooks.ts';
import { replayEvents } from './replay-events.ts';

const url = z.string({ error: 'must be the address of the endpoint' }).trim().meta({
  description: 'https, port 443, a host on the public internet.',
});

const types = z
  .array(z.enum(LIFECYCLE_EVENT_TYPES, { error: 'is no event type; see GET /docs for the list' }))
  .min(1, 'name at least one, or leave this out for all')
  .transform((names) => [...new Set(names)]);

const integrations = z
  .array(integrationId)
  .min(1, 'name at least one, or leave this out for all')
  .max(100, 'names at most 100')
  .transform((ids) => [...new Set(ids)]);

/** Body of `POST /webhooks`. */
export const createWebhookBody = z.strictObject({
  url,
  description: label.nullish(),
  types: types.nullish(),
  integrations: integrations.nullish(),
});

/** Body of `PATCH /webhooks/{webhookId}`. */
export const updateWebhookBody = z.strictObject({
  url: url.optional(),
  description: label.nullish(),
  types: types.nullish(),
  integrations: integrations.nullish(),
  status: z.literal('disabled', { error: 'must be disabled; POST /webhooks/{id}/enable enables it' }).optional(),
});

const DELIVERIES_PER_PAGE = 50;

/** Query of `GET /webhooks/{webhookId}/deliveries`. */
export const deliveriesQuery = z.strictObject({
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
export const replayQuery = z.strictObject({
  from: moment.optional().meta({ description: 'Where it begins; left out: when the webhook was disabled last.' }),
  to: moment.optional().meta({ description: 'Where it ends; left out: now.' }),
});

/** A webhook in the API's spelling; its secret is never in it. */
export function webhookOnTheWire(webhook: Webhook, nowEpochSec: number): Record<string, unknown> {
  const { disabledBecause, disabledAtEpochSec, restUntilEpochSec, previousSecretUntilEpochSec } = webhook;
  const later = (epochSec: number | undefined) => (epochSec !== undefined && epochSec > nowEpochSec ? epochSec : undefined);
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
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}

/** One attempt in the API's spelling. */
export function attemptOnTheWire(attempt: Attempt): Record<string, unknown> {
  return {
    at: isoTime(attempt.atEpochSec),
    duration_ms: attempt.durationMs,
    status: attempt.status ?? null,
    error: attempt.error ?? null,
    answer: attempt.excerpt ?? null,
  };
}

/** A delivery in the API's spelling, its message left out. */
export function deliveryOnTheWire(delivery: Delivery): Record<string, unknown> {
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

const ACCESS = { right: 'full', account: true } as const;

/** Webhooks: made, proved, changed, tested, replayed. */
export const webhookRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/webhooks',
    access: ACCESS,
    summary: 'All webhooks, newest first',
    query: noQuery,
    async handle({ caller }, services) {
      const now = Math.floor(services.clock.nowMs() / 1000);
      const all = await services.webhooks.list(caller.accountId);
      const newestFirst = all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      return { status: 200, body: { data: newestFirst.map((webhook) => webhookOnTheWire(webhook, now)) } };
    },
  }),
  bodyRoute({
    method: 'POST',
    pattern: '/webhooks',
    access: ACCESS,
    summary: 'Make a webhook; its secret is shown this once',
    query: noQuery,
    body: createWebhookBody,
    async handle({ caller, body, requestId }, services) {
      const wish = { ...body, integrationIds: body.integrations };
      const { webhook, secret } = await createWebhook(services, caller.accountId, wish, {
        requestId,
        actor: caller.actor,
      });
      const now = Math.floor(services.clock.nowMs() / 1000);
      return { status: 201, body: { data: { ...webhookOnTheWire(webhook, now), secret } } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/webhooks/{webhookId}',
    access: ACCESS,
    summary: 'One webhook',
    query: noQuery,
    async handle({ caller, params }, services) {
      const webhook = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      return { status: 200, body: { data: webhookOnTheWire(webhook, Math.floor(services.clock.nowMs() / 1000)) } };
    },
  }),
  bodyRoute({
    method: 'PATCH',
    pattern: '/webhooks/{webhookId}',
    access: ACCESS,
    summary: 'Change or disable a webhook; another address has to prove itself again',
    query: noQuery,
    body: updateWebhookBody,
    async handle({ caller, params, body, requestId }, services) {
      const webhook = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      const { status, integrations: integrationIds, ...rest } = body;
      const wish = { ...rest, integrationIds, ...(status === undefined ? {} : { disabled: true as const }) };
      const changed = await updateWebhook(services, webhook, wish, { requestId, actor: caller.actor });
      return { status: 200, body: { data: webhookOnTheWire(changed, Math.floor(services.clock.nowMs() / 1000)) } };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: '/webhooks/{webhookId}',
    access: ACCESS,
    summary: 'Delete a webhook; what waits for it is not sent any more',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      const webhook = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      await deleteWebhook(services, webhook, { requestId, actor: caller.actor });
      return { status: 200, body: { success: true } };
    },
  }),
  bareRoute({
    method: 'POST',
    pattern: '/webhooks/{webhookId}/rotate-secret',
    access: ACCESS,
    summary: 'Give a webhook a new secret, shown this once; for 24 hours both sign',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      const found = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      const { webhook, secret } = await rotateSecret(services, found, { requestId, actor: caller.actor });
      const now = Math.floor(services.clock.nowMs() / 1000);
      return { status: 200, body: { data: { ...webhookOnTheWire(webhook, now), secret } } };
    },
  }),
  bareRoute({
    method: 'POST',
    pattern: '/webhooks/{webhookId}/enable',
    access: ACCESS,
    summary: 'Enable a webhook that answers a signed endpoint.test with 2xx',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      const found = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      const webhook = await enableWebhook(services, found, { requestId, actor: caller.actor });
      return { status: 200, body: { data: webhookOnTheWire(webhook, Math.floor(services.clock.nowMs() / 1000)) } };
    },
  }),
  bareRoute({
    method: 'POST',
    pattern: '/webhooks/{webhookId}/test',
    access: ACCESS,
    summary: 'Send a signed endpoint.test now and say what came of it',
    query: noQuery,
    async handle({ caller, params }, services) {
      const webhook = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      return { status: 200, body: { data: attemptOnTheWire(await testWebhook(services, webhook)) } };
    },
  }),
  bareRoute({
    method: 'GET',
    pattern: '/webhooks/{webhookId}/deliveries',
    access: ACCESS,
    summary: 'Deliveries of the last 14 days with their attempts, newest event first',
    query: deliveriesQuery,
    async handle({ caller, params, query }, services) {
      const { accountId } = caller;
      const webhook = await findWebhook(services, accountId, params.webhookId ?? '');
      const before =
        query.cursor === undefined
          ? undefined
          : await openCursor(services.cipher, accountId, 'deliveryListCursor', query.cursor);
      const limit = query.limit ?? DELIVERIES_PER_PAGE;
      const { deliveries, next } = await services.deliveries.list(webhook, limit, before, query.state);
      return {
        status: 200,
        body: {
          data: deliveries.map(deliveryOnTheWire),
          next_cursor:
            next === undefined ? null : await sealCursor(services.cipher, accountId, 'deliveryListCursor', next),
        },
      };
    },
  }),
  bareRoute({
    method: 'POST',
    pattern: '/webhooks/{webhookId}/replay',
    access: ACCESS,
    summary: 'Send stored events once more, oldest first; call again with next_from for the rest',
    query: replayQuery,
    async handle({ caller, params, query }, services) {
      const webhook = await findWebhook(services, caller.accountId, params.webhookId ?? '');
      if (webhook.status !== 'enabled') {
        throw new GatewayError('conflict', 'Enable this webhook first: a replay is sent to enabled ones only.');
      }
      const disabledAt = webhook.disabledAtEpochSec;
      const fromMs = query.from ?? (disabledAt === undefined ? undefined : disabledAt * 1000);
      if (fromMs === undefined) {
        throw refusal('invalid_query_params', [
          { path: 'from', message: 'is required: this webhook was never disabled' },
        ]);
      }
      const toMs = query.to ?? services.clock.nowMs();
      if (toMs < fromMs) throw refusal('invalid_query_params', [{ path: 'to', message: 'must not be before from' }]);
      const { queued, nextFromMs } = await replayEvents(services, webhook, fromMs, toMs);
      return {
        status: 202,
        body: {
          data: { queued, next_from: nextFromMs === undefined ? null : new Date(nextFromMs).toISOString() },
        },
      };
    },
  }),
];
