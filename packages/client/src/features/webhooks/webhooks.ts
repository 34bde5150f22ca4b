import {
  type Fields,
  fieldsList,
  fieldsOf,
  number,
  optionalNumber,
  optionalText,
  text,
  textList,
  type Unread,
} from '../../http/fields.ts';
import type { CallOptions, CreateOptions, Manage } from '../../management/manage.ts';
import { readManagedBy } from '../../management/managed-by.ts';
import type * as wire from '../../management/wire.ts';
import type {
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookReplay,
  WebhookReplayRange,
  WebhookWithSecret,
} from './webhook-types.ts';

/**
 * Endpoints that get the gateway's events signed, for keys with the right `full` that are not limited to some integrations. Methods throw
 * GatewayError, NetworkError and TimeoutError; `not_found` for an id that is not the account's.
 */
export class Webhooks {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * All webhooks, newest first.
   *
   * @example
   * const webhooks = await client.webhooks.list();
   */
  async list(options?: CallOptions): Promise<Webhook[]> {
    const answer = await this.#manage('listWebhooks', { options });
    return fieldsList(answer.data, 'data').map(readWebhook);
  }

  /**
   * One webhook.
   *
   * @example
   * const { status } = await client.webhooks.get('wh_…');
   */
  async get(id: string, options?: CallOptions): Promise<Webhook> {
    return webhookOf(await this.#manage('getWebhook', { ids: { webhookId: id }, options }));
  }

  /**
   * Makes a webhook. Give its secret to the receiver, then `enable` it.
   *
   * @example
   * const { secret } = await client.webhooks.create({ url: 'https://app.example.com/hooks' });
   */
  async create(webhook: NewWebhook, options?: CreateOptions): Promise<WebhookWithSecret> {
    const { url, description, types, integrations } = webhook;
    const body = { url, description, types, integrations };
    const answer = await this.#manage('createWebhook', { body, options });
    return withSecret(answer);
  }

  /**
   * Changes a webhook; `null` takes a filter or the description away, another `url` has to be enabled again.
   *
   * @example
   * await client.webhooks.update('wh_…', { types: ['ConnectionReauthorizationRequired'] });
   */
  async update(id: string, change: WebhookChange, options?: CallOptions): Promise<Webhook> {
    const { url, description, types, integrations } = change;
    const body = { url, description, types, integrations, status: undefined };
    return webhookOf(await this.#manage('updateWebhook', { ids: { webhookId: id }, body, options }));
  }

  /**
   * Ends sending until it is enabled again; deliveries wait 14 days.
   *
   * @example
   * await client.webhooks.disable('wh_…');
   */
  async disable(id: string, options?: CallOptions): Promise<Webhook> {
    const unchanged = { url: undefined, description: undefined, types: undefined, integrations: undefined };
    const body = { ...unchanged, status: 'disabled' };
    return webhookOf(await this.#manage('updateWebhook', { ids: { webhookId: id }, body, options }));
  }

  /**
   * Sends `endpoint.test` and enables the webhook.
   *
   * @throws GatewayError `conflict` when it does not answer with 2xx
   *
   * @example
   * await client.webhooks.enable('wh_…');
   */
  async enable(id: string, options?: CallOptions): Promise<Webhook> {
    return webhookOf(await this.#manage('enableWebhook', { ids: { webhookId: id }, options }));
  }

  /**
   * Deletes a webhook, and what waits for it.
   *
   * @example
   * await client.webhooks.delete('wh_…');
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#manage('deleteWebhook', { ids: { webhookId: id }, options });
  }

  /**
   * Gives a webhook a new secret; for 24 hours messages carry both signatures.
   *
   * @example
   * const { secret } = await client.webhooks.rotateSecret('wh_…');
   */
  async rotateSecret(
    id: string,
    {
      force,
      ...options
    }: CreateOptions & {
      /** Ends the oldest secret where two former ones still sign. */ readonly force?: boolean;
    } = {},
  ): Promise<WebhookWithSecret> {
    const query = force === true ? { force: 'true' as const } : {};
    return withSecret(await this.#manage('rotateWebhookSecret', { ids: { webhookId: id }, query, options }));
  }

  /**
   * Sends `endpoint.test` and returns the outcome.
   *
   * @example
   * const { status } = await client.webhooks.test('wh_…');
   */
  async test(id: string, options?: CreateOptions): Promise<WebhookAttempt> {
    const answer = await this.#manage('testWebhook', { ids: { webhookId: id }, options });
    return readAttempt(fieldsOf(answer.data, 'data'));
  }

  /**
   * A page of the deliveries of 14 days, newest event first.
   *
   * @example
   * const { deliveries } = await client.webhooks.deliveries('wh_…', { state: 'failed' });
   */
  async deliveries(id: string, query: WebhookDeliveryQuery = {}, options?: CallOptions): Promise<WebhookDeliveryPage> {
    const { state, limit, cursor } = query;
    const answer = await this.#manage('listWebhookDeliveries', {
      ids: { webhookId: id },
      query: { state, limit, cursor },
      options,
    });
    return {
      deliveries: fieldsList(answer.data, 'data').map(readDelivery),
      nextCursor: optionalText(answer, 'next_cursor'),
    };
  }

  /**
   * Queues stored events once more, oldest first; continue with `nextFrom` until it is undefined.
   *
   * @example
   * const { queued } = await client.webhooks.replay('wh_…', { from: new Date(Date.now() - 3_600_000) });
   */
  async replay(id: string, range: WebhookReplayRange = {}, options?: CreateOptions): Promise<WebhookReplay> {
    const query = { since: timeText(range.from), until: timeText(range.to) };
    const answer = await this.#manage('replayWebhook', { ids: { webhookId: id }, query, options });
    const data = fieldsOf(answer.data, 'data');
    return { queued: number(data, 'queued'), nextFrom: optionalText(data, 'next_from') };
  }
}

function timeText(time: Date | string | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}

function webhookOf({ data }: Unread<wire.WebhookAnswer>): Webhook {
  return readWebhook(fieldsOf(data, 'data'));
}

function withSecret(answer: Unread<wire.WebhookWithSecret>): WebhookWithSecret {
  const data = fieldsOf(answer.data, 'data');
  return { ...readWebhook(data), secret: text(data, 'secret') };
}

function readWebhook(fields: Unread<wire.Webhook>): Webhook {
  const filter = (name: 'types' | 'integrations') => (Array.isArray(fields[name]) ? textList(fields, name) : undefined);
  return {
    id: text(fields, 'id'),
    url: text(fields, 'url'),
    description: optionalText(fields, 'description'),
    types: filter('types'),
    integrations: filter('integrations'),
    status: text(fields, 'status'),
    disabledBecause: optionalText(fields, 'disabled_because'),
    disabledAt: optionalText(fields, 'disabled_at'),
    enabledAt: optionalText(fields, 'enabled_at'),
    lastSuccessAt: optionalText(fields, 'last_success_at'),
    failuresInARow: optionalNumber(fields, 'failures_in_a_row') ?? 0,
    restingUntil: optionalText(fields, 'resting_until'),
    previousSecretUntil: optionalText(fields, 'previous_secret_until'),
    managedBy: readManagedBy(fields),
    createdAt: text(fields, 'created_at'),
    updatedAt: text(fields, 'updated_at'),
  };
}

function readAttempt(fields: Unread<wire.WebhookAttempt>): WebhookAttempt {
  return {
    at: text(fields, 'at'),
    durationMs: number(fields, 'duration_ms'),
    status: optionalNumber(fields, 'status'),
    error: optionalText(fields, 'error'),
    answer: optionalText(fields, 'answer'),
  };
}

function readDelivery(fields: Fields): WebhookDelivery {
  return {
    eventId: text(fields, 'event_id'),
    type: text(fields, 'type'),
    integrationId: optionalText(fields, 'integration_id'),
    state: text(fields, 'state'),
    queuedAt: text(fields, 'queued_at'),
    nextAttemptAt: optionalText(fields, 'next_attempt_at'),
    attempts: fieldsList(fields.attempts, 'attempts').map(readAttempt),
  };
}
