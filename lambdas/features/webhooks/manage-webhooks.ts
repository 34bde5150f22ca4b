import { type Limit, type LimitRateDependencies, limitRateOf } from '../../gateway/calls/limit-rate.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import { ulid } from '../../gateway/core/identifiers.ts';
import { managedFrom, type StackResource } from '../../gateway/core/managed-by.rules.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { type LifecycleEventType, newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { createWithin } from '../../management/creations/create-within.ts';
import type { CreationGate } from '../../management/creations/ports.ts';
import { unknownIntegrations } from '../../management/integrations/unknown-integrations.ts';
import { type AttemptDependencies, attemptDelivery, webhookSecretContext } from './attempt-delivery.ts';
import { type AttemptResult, succeeded } from './delivery.rules.ts';
import {
  WEBHOOK_SECRET_BYTES,
  WEBHOOK_SECRET_OVERLAP_SEC,
  WEBHOOK_TEST_TIMEOUT_MS,
  WEBHOOK_TESTS_PER_MINUTE,
  WEBHOOKS_MAX,
} from './limits.rules.ts';
import type { DeliveryStore, WebhookChange, WebhookStore } from './ports.ts';
import { messageBody, secretText, signingSecrets, type Webhook, webhookUrlProblem } from './webhook.rules.ts';

const TESTS: Limit = { kind: 'webhook_tests', most: WEBHOOK_TESTS_PER_MINUTE, who: 'A webhook', what: 'tests' };

export interface WebhookDependencies extends AttemptDependencies, LimitRateDependencies {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly integrations: IntegrationStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly creations: CreationGate;
}

/** The actor of a request, for the audit trail. */
export interface Asking {
  readonly requestId: string;
  readonly actor: string;
}

/** A caller's settings of an endpoint; `null` removes a filter or the description. */
export interface WantedWebhook {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly integrationIds?: readonly string[] | null | undefined;
  /** The stack's resource that declares it. */
  readonly stack?: StackResource | undefined;
}

/** @throws GatewayError `not_found` for missing and foreign endpoints */
export async function findWebhook(
  deps: Pick<WebhookDependencies, 'webhooks'>,
  accountId: string,
  webhookId: string,
): Promise<Webhook> {
  const found = /^wh_[0-9A-Z]{26}$/.test(webhookId) ? await deps.webhooks.get({ accountId, webhookId }) : undefined;
  if (found === undefined) throw new GatewayError('not_found', 'There is no webhook with this id.');
  return found;
}

/**
 * Creates an endpoint. It gets nothing until it has proved itself; its secret is in the response and otherwise only encrypted (WH-16).
 *
 * @throws GatewayError `invalid_body`, `conflict` for one too many
 */
export async function createWebhook(
  deps: WebhookDependencies,
  accountId: string,
  wanted: WantedWebhook & { readonly url: string },
  asking: Asking,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  await checkWanted(deps, accountId, wanted);
  const nowMs = deps.clock.nowMs();
  const ref = { accountId, webhookId: `wh_${ulid(nowMs, deps.random.bytes(10))}` };
  const secret = secretText(deps.random.bytes(WEBHOOK_SECRET_BYTES));
  const now = new Date(nowMs).toISOString();
  const webhook: Webhook = {
    ...ref,
    url: wanted.url,
    description: wanted.description ?? undefined,
    types: wanted.types ?? undefined,
    integrationIds: wanted.integrationIds ?? undefined,
    status: 'unproven',
    disabledBecause: undefined,
    disabledAtEpochSec: undefined,
    enabledAtEpochSec: undefined,
    encryptedSecret: await deps.cipher.encrypt(webhookSecretContext(ref), secret),
    encryptedPreviousSecret: undefined,
    previousSecretUntilEpochSec: undefined,
    lastSuccessAtEpochSec: undefined,
    failuresInARow: 0,
    restUntilEpochSec: undefined,
    version: 0,
    managedBy: wanted.stack && managedFrom(wanted.stack),
    createdAt: now,
    updatedAt: now,
  };
  await createWithin(deps.creations, accountId, 'webhook', async () => {
    if ((await deps.webhooks.list(accountId)).length >= WEBHOOKS_MAX) {
      throw new GatewayError('conflict', `An account has at most ${WEBHOOKS_MAX} webhooks. Delete one first.`);
    }
    if (!(await deps.webhooks.create(webhook, report(deps, 'WebhookCreated', webhook, asking)))) {
      throw new Error('A new webhook had the id of another');
    }
    return { id: webhook.webhookId };
  });
  return { webhook, secret };
}

/**
 * Changes an endpoint. A new address has to prove itself before it gets anything.
 *
 * @throws GatewayError `invalid_body`, `not_found`, `conflict`
 */
export async function updateWebhook(
  deps: WebhookDependencies,
  webhook: Webhook,
  wanted: WantedWebhook & { readonly disabled?: true | undefined },
  asking: Asking,
): Promise<Webhook> {
  await checkWanted(deps, webhook.accountId, wanted);
  const moved = wanted.url !== undefined && wanted.url !== webhook.url;
  const change: WebhookChange = {
    ...(wanted.url === undefined ? {} : { url: wanted.url }),
    ...(wanted.description === undefined ? {} : { description: wanted.description ?? undefined }),
    ...(wanted.types === undefined ? {} : { types: wanted.types ?? undefined }),
    ...(wanted.integrationIds === undefined ? {} : { integrationIds: wanted.integrationIds ?? undefined }),
    ...(moved
      ? { status: 'unproven', disabledBecause: undefined, failuresInARow: 0, restUntilEpochSec: undefined }
      : {}),
    ...(wanted.disabled === true && !moved
      ? {
          status: 'disabled',
          disabledBecause: 'requested',
          disabledAtEpochSec: epochSecNow(deps.clock),
        }
      : {}),
  };
  return applied(deps, webhook, change, wanted.disabled === true ? 'WebhookDisabled' : 'WebhookUpdated', asking);
}

/** @throws GatewayError `not_found` when another request was faster */
export async function deleteWebhook(deps: WebhookDependencies, webhook: Webhook, asking: Asking): Promise<void> {
  if (!(await deps.webhooks.remove(webhook, report(deps, 'WebhookDeleted', webhook, asking)))) {
    throw new GatewayError('not_found', 'There is no webhook with this id.');
  }
}

/**
 * Gives an endpoint a new secret; the former also signs for a day, whatever follows (WH-16, WH-17). Two rotations may overlap.
 *
 * @param force a third one within a day, which ends the oldest secret early
 * @throws GatewayError `conflict` for a third one, and for an endpoint that has changed meanwhile
 */
export async function rotateSecret(
  deps: WebhookDependencies,
  webhook: Webhook,
  asking: Asking,
  force = false,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const nowEpochSec = epochSecNow(deps.clock);
  const [, previous, earlier] = signingSecrets(webhook, nowEpochSec);
  if (earlier !== undefined && !force) {
    const free = new Date((webhook.earlierSecretUntilEpochSec ?? 0) * 1000).toISOString();
    throw new GatewayError(
      'conflict',
      `Two secrets before this one still sign, until ${free} the older of them: update the receivers and wait, or send force=true, which ends the oldest at once.`,
    );
  }
  const secret = secretText(deps.random.bytes(WEBHOOK_SECRET_BYTES));
  const change: WebhookChange = {
    encryptedSecret: await deps.cipher.encrypt(webhookSecretContext(webhook), secret),
    encryptedPreviousSecret: webhook.encryptedSecret,
    previousSecretUntilEpochSec: nowEpochSec + WEBHOOK_SECRET_OVERLAP_SEC,
    encryptedEarlierSecret: previous,
    earlierSecretUntilEpochSec: previous === undefined ? undefined : webhook.previousSecretUntilEpochSec,
  };
  return { webhook: await applied(deps, webhook, change, 'WebhookSecretRotated', asking), secret };
}

/**
 * Sends `endpoint.test` and records the outcome in the delivery log. It changes nothing else.
 *
 * @throws GatewayError `rate_limited`, because the address may be anyone's (WH-17)
 */
export async function testWebhook(deps: WebhookDependencies, webhook: Webhook): Promise<AttemptResult> {
  await limitRateOf(deps, webhook.accountId, `webhook_tests.${webhook.webhookId}`, TESTS);
  const nowMs = deps.clock.nowMs();
  const eventId = ulid(nowMs, deps.random.bytes(10));
  const occurredAt = new Date(nowMs).toISOString();
  const body = messageBody('endpoint.test', occurredAt, {
    event_id: eventId,
    time: occurredAt,
    account_id: webhook.accountId,
    webhook_id: webhook.webhookId,
  });
  const attempt = await attemptDelivery(deps, webhook, { id: eventId, body }, WEBHOOK_TEST_TIMEOUT_MS);
  await deps.deliveries.put({
    accountId: webhook.accountId,
    webhookId: webhook.webhookId,
    eventId,
    eventType: 'endpoint.test',
    integrationId: '',
    body,
    state: succeeded(attempt) ? 'delivered' : 'failed',
    tries: 1,
    attempts: [attempt],
    dueAtEpochSec: undefined,
    createdAtEpochSec: attempt.atEpochSec,
  });
  return attempt;
}

/**
 * Enables an endpoint that answers `endpoint.test` with 2xx (WH-15).
 *
 * @throws GatewayError `conflict` with its other answer, `rate_limited`
 */
export async function enableWebhook(deps: WebhookDependencies, webhook: Webhook, asking: Asking): Promise<Webhook> {
  const attempt = await testWebhook(deps, webhook);
  if (!succeeded(attempt)) {
    const what =
      attempt.status === undefined ? `could not be reached (${attempt.error})` : `answered ${attempt.status}`;
    throw new GatewayError(
      'conflict',
      `The endpoint could not be verified: it ${what} when it received endpoint.test, and must answer with 2xx. Its secret is the one shown at its creation or last rotation.`,
    );
  }
  const change: WebhookChange = {
    status: 'enabled',
    enabledAtEpochSec: attempt.atEpochSec,
    lastSuccessAtEpochSec: attempt.atEpochSec,
    // The time of disabling stays: a replay begins there.
    disabledBecause: undefined,
    failuresInARow: 0,
    restUntilEpochSec: undefined,
  };
  return applied(deps, webhook, change, 'WebhookEnabled', asking);
}

async function applied(
  deps: WebhookDependencies,
  webhook: Webhook,
  change: WebhookChange,
  eventType: LifecycleEventType,
  asking: Asking,
): Promise<Webhook> {
  const event = report(deps, eventType, webhook, asking);
  if (!(await deps.webhooks.change(webhook, change, event))) {
    throw new GatewayError(
      'conflict',
      'This webhook was changed by someone else at the same time. Read it and try again.',
    );
  }
  return { ...webhook, ...change, version: webhook.version + 1, updatedAt: event.occurredAt };
}

function report(
  { clock, random }: Pick<WebhookDependencies, 'clock' | 'random'>,
  eventType: LifecycleEventType,
  { accountId, webhookId }: Webhook,
  asking: Asking,
) {
  const says = { webhook_id: webhookId, ...(eventType === 'WebhookDisabled' ? { reason: 'requested' } : {}) };
  return newEvent(clock, random, eventType, { subject: { accountId }, sequence: 0, says, ...asking });
}

/** Problems of an endpoint, as far as its members are valid. */
export async function webhookProblems(
  deps: Pick<WebhookDependencies, 'integrations' | 'endpointTargets'>,
  accountId: string,
  wanted: {
    readonly url?: string | undefined;
    readonly integrationIds?: readonly (string | undefined)[] | null | undefined;
  },
): Promise<Problem[]> {
  const message = wanted.url === undefined ? undefined : webhookUrlProblem(wanted.url, deps.endpointTargets);
  return [
    ...(message === undefined ? [] : [{ path: 'url', message }]),
    ...(await unknownIntegrations(deps, accountId, wanted.integrationIds ?? [], 'integrations')),
  ];
}

async function checkWanted(deps: WebhookDependencies, accountId: string, wanted: WantedWebhook): Promise<void> {
  const problems = await webhookProblems(deps, accountId, wanted);
  if (problems.length > 0) throw refusal('invalid_body', problems);
}
