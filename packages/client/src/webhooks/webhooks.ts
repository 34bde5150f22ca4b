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
} from '../http/fields.ts';
import { type CallOptions, type Manage, path } from '../management/manage.ts';
import type * as wire from '../management/wire.ts';
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
    const answer = await this.#manage({ method: 'GET', path: '/webhooks', options });
    return fieldsList(answer.data, 'data').map(readWebhook);
  }

  /**
   * One webhook.
   *
   * @example
   * const { status } = await client.webhooks.get('wh_…');
   */
  async get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#one('GET', path`/webhooks/${id}`, options);
  }

  /**
   * Makes a webhook. Give its secret to the receiver, then `enable` it.
   *
   * @example
   * const { secret } = await client.webhooks.create({ url: 'https://app.example.com/hooks' });
   */
  async create(webhook: NewWebhook, options?: CallOptions): Promise<WebhookWithSecret> {
    const { url, description, types, integrations } = webhook;
    const body = { url, description, types, integrations };
    const answer = await this.#manage({ method: 'POST', path: '/webhooks', body, options });
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
    return this.#one('PATCH', path`/webhooks/${id}`, options, { url, description, types, integrations });
  }

  /**
   * Ends sending until it is enabled again; deliveries wait 14 days.
   *
   * @example
   * await client.webhooks.disable('wh_…');
   */
  async disable(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#one('PATCH', path`/webhooks/${id}`, options, { status: 'disabled' });
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
    return this.#one('POST', path`/webhooks/${id}/enable`, options);
  }

  /**
   * Deletes a webhook, and what waits for it.
   *
   * @example
   * await client.webhooks.delete('wh_…');
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#manage({ method: 'DELETE', path: path`/webhooks/${id}`, options });
  }

  /**
   * Gives a webhook a new secret; for 24 hours messages carry both signatures.
   *
   * @example
   * const { secret } = await client.webhooks.rotateSecret('wh_…');
   */
  async rotateSecret(id: string, options?: CallOptions): Promise<WebhookWithSecret> {
    return withSecret(await this.#manage({ method: 'POST', path: path`/webhooks/${id}/rotate-secret`, options }));
  }

  /**
   * Sends `endpoint.test` and tells what came of it.
   *
   * @example
   * const { status } = await client.webhooks.test('wh_…');
   */
  async test(id: string, options?: CallOptions): Promise<WebhookAttempt> {
    const answer = await this.#manage({ method: 'POST', path: path`/webhooks/${id}/test`, options });
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
    const answer = await this.#manage({
      method: 'GET',
      path: path`/webhooks/${id}/deliveries`,
      params: { state, limit, cursor },
      options,
    });
    return {
      deliveries: fieldsList(answer.data, 'data').map(readDelivery),
      nextCursor: optionalText(answer, 'next_cursor'),
    };
  }

  /**
   * Queues stored events once more, oldest first; go on with `nextFrom` until it is undefined.
   *
   * @example
   * const { queued } = await client.webhooks.replay('wh_…', { from: new Date(Date.now() - 3_600_000) });
   */
  async replay(id: string, range: WebhookReplayRange = {}, options?: CallOptions): Promise<WebhookReplay> {
    const answer = await this.#manage({
      method: 'POST',
      path: path`/webhooks/${id}/replay`,
      params: { from: timeText(range.from), to: timeText(range.to) },
      options,
    });
    const data = fieldsOf(answer.data, 'data');
    return { queued: number(data, 'queued'), nextFrom: optionalText(data, 'next_from') };
  }

  async #one(
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    options: CallOptions | undefined,
    body?: Fields,
  ): Promise<Webhook> {
    const answer = await this.#manage({ method, path, ...(body === undefined ? {} : { body }), options });
    return readWebhook(fieldsOf(answer.data, 'data'));
  }
}

function timeText(time: Date | string | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}

function withSecret(answer: Fields): WebhookWithSecret {
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
