import * as z from 'zod';
import { nextCursor, texts, time } from './common.ts';

const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    types: texts.nullable().meta({ description: 'Event types it gets; null = all.' }),
    integrations: texts.nullable().meta({ description: 'Integrations whose events it gets; null = all, and the account’s own.' }),
    status: z.enum(['unproven', 'enabled', 'disabled']),
    disabled_because: z
      .enum(['gone', 'failing', 'requested'])
      .nullable()
      .meta({ description: 'It answered 410; it failed for five days; somebody asked for it.' }),
    disabled_at: time.nullable(),
    enabled_at: time.nullable(),
    last_success_at: time.nullable(),
    failures_in_a_row: z.int(),
    resting_until: time.nullable().meta({ description: 'It failed several times in a row: nothing is sent until then.' }),
    previous_secret_until: time.nullable().meta({ description: 'Until then the secret before the last rotation signs too.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Webhook' });

export const webhookList = z.object({ data: z.array(webhook) }).meta({ id: 'WebhookList' });
export const webhookAnswer = z.object({ data: webhook }).meta({ id: 'WebhookAnswer' });
export const webhookWithSecret = z
  .object({ data: webhook.extend({ secret: z.string().meta({ description: 'What messages are signed with, shown this once.' }) }) })
  .meta({ id: 'WebhookWithSecret' });

const attempt = z
  .object({
    at: time,
    duration_ms: z.int(),
    status: z.int().nullable().meta({ description: 'Null where no answer came.' }),
    error: z.string().nullable().meta({
      description:
        'Null for a success. answered_with_error, gone, redirect_not_followed, timeout, connection_refused, connection_reset, name_not_found, tls_failed, address_not_public, address_not_allowed, invalid_response, unreachable or message_too_large.',
    }),
    answer: z.string().nullable().meta({ description: 'Start of a failed answer, at most 500 characters.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const attemptAnswer = z.object({ data: attempt }).meta({ id: 'WebhookAttemptAnswer' });

export const deliveryList = z
  .object({
    data: z.array(
      z
        .object({
          event_id: z.string().meta({ description: 'Also the message’s webhook-id.' }),
          type: z.string(),
          integration_id: z.string().nullable(),
          state: z.enum(['pending', 'delivered', 'failed', 'waiting']),
          queued_at: time,
          next_attempt_at: time.nullable(),
          attempts: z.array(attempt),
        })
        .meta({ id: 'WebhookDelivery' }),
    ),
    next_cursor: nextCursor,
  })
  .meta({ id: 'WebhookDeliveryList' });

export const replayAnswer = z
  .object({
    data: z.object({
      queued: z.int(),
      next_from: time.nullable().meta({ description: 'Send it as from for the rest; null at the end.' }),
    }),
  })
  .meta({ id: 'WebhookReplay' });
