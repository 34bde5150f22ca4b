import { epochSecNow } from '../../gateway/core/clock.ts';
import type { Logger, Metrics, Random } from '../../gateway/core/ports.ts';
import { isUnderKeyOfTokens } from '../../gateway/core/sealed-fields.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { type AttemptDependencies, attemptDelivery } from './attempt-delivery.ts';
import {
  type AttemptResult,
  type Delivery,
  disabledRemedy,
  disablingReason,
  restSec,
  retryDelaySec,
  succeeded,
} from './delivery.rules.ts';
import {
  DELIVERY_RETENTION_SEC,
  WEBHOOK_BODY_MAX_BYTES,
  WEBHOOK_CLAIM_SEC,
  WEBHOOK_SUCCESS_NOTE_SEC,
} from './limits.rules.ts';
import type { DeliveryStore, WebhookStore } from './ports.ts';
import { signingSecrets, type Webhook, type WebhookEvent, type WebhookRef } from './webhook.rules.ts';

export interface DeliverDependencies extends AttemptDependencies {
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
}

/**
 * A new delivery, claimed by its creator, so that it is due again when that process dies (SH-3).
 *
 * @param dueAtEpochSec undefined: its endpoint is disabled, and it waits
 */
export function newDelivery(
  webhook: WebhookRef,
  event: WebhookEvent,
  nowEpochSec: number,
  dueAtEpochSec: number | undefined,
): Delivery {
  const tooLarge = Buffer.byteLength(event.body) > WEBHOOK_BODY_MAX_BYTES;
  return {
    accountId: webhook.accountId,
    webhookId: webhook.webhookId,
    eventId: event.eventId,
    eventType: event.eventType,
    integrationId: event.integrationId,
    body: tooLarge ? '' : event.body,
    state: tooLarge ? 'failed' : dueAtEpochSec === undefined ? 'waiting' : 'pending',
    tries: 0,
    attempts: tooLarge
      ? [{ atEpochSec: nowEpochSec, durationMs: 0, status: undefined, error: 'message_too_large', excerpt: undefined }]
      : [],
    dueAtEpochSec: tooLarge ? undefined : dueAtEpochSec,
    createdAtEpochSec: nowEpochSec,
  };
}

/**
 * Queues an event for one endpoint and attempts it at once, unless the endpoint rests. An event that the bus delivers twice is queued
 * once.
 *
 * @throws errors of storing the delivery: the caller's event must not be lost
 */
export async function deliverNow(deps: DeliverDependencies, webhook: Webhook, event: WebhookEvent, requestId: string) {
  const now = epochSecNow(deps.clock);
  if (webhook.status === 'unproven') return;
  const resting = (webhook.restUntilEpochSec ?? 0) > now;
  const dueAt =
    webhook.status === 'disabled' ? undefined : resting ? webhook.restUntilEpochSec : now + WEBHOOK_CLAIM_SEC;
  const delivery = newDelivery(webhook, event, now, dueAt);
  const isNew = await deps.deliveries.put(delivery);
  if (isNew && delivery.state === 'pending' && !resting) await tryDelivery(deps, webhook, delivery, requestId);
}

/**
 * Makes one attempt of a claimed delivery and records the outcome, on the delivery and on its endpoint. It never fails:
 * the claim expires, and the next sweep continues.
 *
 * @returns the attempt; undefined when it could not be made or recorded
 */
export async function tryDelivery(
  deps: DeliverDependencies,
  webhook: Webhook,
  claimed: Delivery,
  requestId: string,
): Promise<AttemptResult | undefined> {
  // The claim ends, and a later sweep finds the secret sealed again by the refresh function.
  if (signingSecrets(webhook, epochSecNow(deps.clock)).some(isUnderKeyOfTokens)) {
    deps.logger.info('a delivery waits until the secret of its webhook is sealed again', { requestId });
    return undefined;
  }
  try {
    const attempt = await attemptDelivery(deps, webhook, { id: claimed.eventId, body: claimed.body });
    if (succeeded(attempt)) await noteSuccess(deps, webhook, claimed, attempt);
    else await noteFailure(deps, webhook, claimed, attempt, requestId);
    return attempt;
  } catch (error) {
    deps.metrics.count('WebhookWorkFailed');
    deps.logger.error('a delivery could not be made', { requestId }, error);
    return undefined;
  }
}

async function noteSuccess(
  deps: DeliverDependencies,
  webhook: Webhook,
  claimed: Delivery,
  attempt: AttemptResult,
): Promise<void> {
  await deps.deliveries.settle(claimed, attempt, 'delivered', undefined);
  deps.metrics.count('WebhookAttempt', { outcome: 'delivered' });
  const staleSec = attempt.atEpochSec - (webhook.lastSuccessAtEpochSec ?? 0);
  if (webhook.failuresInARow > 0 || webhook.restUntilEpochSec !== undefined || staleSec >= WEBHOOK_SUCCESS_NOTE_SEC) {
    await deps.webhooks.noteSuccess(webhook, attempt.atEpochSec);
  }
}

async function noteFailure(
  deps: DeliverDependencies,
  webhook: Webhook,
  claimed: Delivery,
  attempt: AttemptResult,
  requestId: string,
): Promise<void> {
  const now = epochSecNow(deps.clock);
  const after = await deps.webhooks.noteFailure(webhook);
  const disabling = after === undefined ? undefined : disablingReason(after, attempt, now);
  if (after !== undefined && after.status === 'enabled' && disabling !== undefined) {
    await disable(deps, after, disabling, requestId);
  }
  // A deleted or disabled endpoint gets no retry.
  if (after === undefined || disabling !== undefined || after.status === 'disabled') {
    await deps.deliveries.settle(claimed, attempt, 'waiting', undefined);
    deps.metrics.count('WebhookAttempt', { outcome: 'failed' });
    return;
  }
  const rest = restSec(after.failuresInARow);
  if (rest !== undefined) await deps.webhooks.rest(webhook, now + rest);
  const delay = retryDelaySec(claimed.tries + 1, attempt.retryAfterSec, deps.random.number());
  const outlived = delay !== undefined && now + delay > claimed.createdAtEpochSec + DELIVERY_RETENTION_SEC;
  const next = delay === undefined || outlived ? undefined : now + Math.max(delay, rest ?? 0);
  await deps.deliveries.settle(claimed, attempt, next === undefined ? 'failed' : 'pending', next);
  deps.metrics.count('WebhookAttempt', { outcome: next === undefined ? 'given_up' : 'failed' });
}

/** Disables an endpoint, with one event: a concurrent second attempt finds the record changed (WH-14). */
async function disable(
  deps: DeliverDependencies,
  webhook: Webhook,
  because: 'gone' | 'failing',
  requestId: string,
): Promise<void> {
  const event = newEvent(deps.clock, deps.random, 'WebhookDisabled', {
    subject: { accountId: webhook.accountId },
    sequence: 0,
    says: { webhook_id: webhook.webhookId, reason: because },
    remedy: disabledRemedy(because),
    requestId,
  });
  const change = {
    status: 'disabled' as const,
    disabledBecause: because,
    disabledAtEpochSec: epochSecNow(deps.clock),
  };
  if (await deps.webhooks.change(webhook, change, event)) deps.metrics.count('WebhookDisabled', { because });
}
