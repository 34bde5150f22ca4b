import { diagnosis } from '../../../client/src/http/answer-error.ts';
import {
  type Fields,
  fieldsList,
  fieldsOf,
  number,
  optionalBoolean,
  optionalFields,
  optionalNumber,
  optionalText,
  recordList,
  text,
  textList,
} from '../../../client/src/http/fields.ts';
import { type CallOptions, type Manage, path } from '../../../client/src/management/manage.ts';
import type { ConnectionRef } from './library.ts';
import type {
  CheckReport,
  ConnectionEvent,
  EventPage,
  NewSecretKey,
  Readiness,
  SecretKey,
  TriedCall,
} from './operator-types.ts';

/** What operators do beyond the client library's sub-clients. Methods throw GatewayError, NetworkError, TimeoutError. */
export class OperatorCalls {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /** Secret keys, newest first. */
  async keys(options?: CallOptions): Promise<SecretKey[]> {
    const { data } = await this.#manage({ method: 'GET', path: '/account/keys', options });
    return fieldsList(data, 'data').map(readKey);
  }

  /** Makes a secret key. `secretKey` is its text, which exists nowhere else. */
  async createKey(key: NewSecretKey, options?: CallOptions): Promise<{ key: SecretKey; secretKey: string }> {
    const body = {
      name: key.name,
      right: key.right,
      integration_ids: key.integrationIds,
      can_read_credentials: key.canReadCredentials,
    };
    const { data } = await this.#manage({ method: 'POST', path: '/account/keys', body, options });
    const fields = fieldsOf(data, 'data');
    return { key: readKey(fields), secretKey: text(fields, 'secret_key') };
  }

  /** Revokes a secret key; within a minute nothing accepts it. */
  async revokeKey(id: string, options?: CallOptions): Promise<void> {
    await this.#manage({ method: 'DELETE', path: path`/account/keys/${id}`, options });
  }

  /** Forces one refresh now. */
  async refresh(ref: ConnectionRef, options?: CallOptions): Promise<void> {
    const target = path`/connections/${ref.connectionId}/refresh`;
    await this.#manage({ method: 'POST', path: target, params: query(ref), options });
  }

  /** One harmless provider call. */
  async check(ref: ConnectionRef, options?: CallOptions): Promise<CheckReport> {
    const target = path`/connections/${ref.connectionId}/check`;
    const { data } = await this.#manage({ method: 'POST', path: target, params: query(ref), options });
    return readCheck(fieldsOf(data, 'data'));
  }

  /** Events of a connection, newest first. @param before `nextBefore` of the page before */
  async events(ref: ConnectionRef, before?: string, options?: CallOptions): Promise<EventPage> {
    const target = path`/connections/${ref.connectionId}/events`;
    const answer = await this.#manage({ method: 'GET', path: target, params: { ...query(ref), before }, options });
    return { events: fieldsList(answer.events, 'events').map(readEvent), nextBefore: optionalText(answer, 'next_before') };
  }

  /** What an integration needs to go live. */
  async readiness(uniqueKey: string, options?: CallOptions): Promise<Readiness> {
    const { data } = await this.#manage({ method: 'GET', path: path`/integrations/${uniqueKey}/readiness`, options });
    return readReadiness(fieldsOf(data, 'data'));
  }

  /**
   * Deletes an integration with all its connections; many take several requests, which are made one after another.
   *
   * @param isRevoking also ends the grants at the provider
   */
  async deleteIntegration(uniqueKey: string, isRevoking: boolean, options?: CallOptions): Promise<void> {
    const params = isRevoking ? { revoke: true } : {};
    await this.#manage({ method: 'DELETE', path: path`/integrations/${uniqueKey}`, params, options });
  }

  /** A GET at the provider as the connection's user. @param target path and query at the provider, such as `/drive/v3/files` */
  async tryCall(ref: ConnectionRef, target: string, options?: CallOptions): Promise<TriedCall> {
    const route = path`/connections/${ref.connectionId}/try`;
    const call = { method: 'POST', path: route, params: query(ref), body: { path: target }, options } as const;
    const fields = fieldsOf((await this.#manage(call)).data, 'data');
    return {
      status: number(fields, 'status'),
      contentType: optionalText(fields, 'content_type') ?? '',
      body: optionalText(fields, 'body') ?? '',
      truncated: optionalBoolean(fields, 'truncated') ?? false,
      durationMs: optionalNumber(fields, 'duration_ms') ?? 0,
    };
  }
}

function query({ providerConfigKey }: ConnectionRef): { provider_config_key: string } {
  return { provider_config_key: providerConfigKey };
}

function readKey(fields: Fields): SecretKey {
  const limited = Array.isArray(fields.integration_ids);
  return {
    id: text(fields, 'id'),
    name: text(fields, 'name'),
    right: text(fields, 'right'),
    integrationIds: limited ? textList(fields, 'integration_ids') : undefined,
    canReadCredentials: optionalBoolean(fields, 'can_read_credentials') ?? false,
    createdAt: text(fields, 'created_at'),
    lastUsedAt: optionalText(fields, 'last_used_at'),
    revokedAt: optionalText(fields, 'revoked_at'),
  };
}

function readEvent(fields: Fields): ConnectionEvent {
  return {
    eventId: text(fields, 'event_id'),
    type: text(fields, 'type'),
    time: text(fields, 'time'),
    cause: optionalText(fields, 'cause'),
    remedy: optionalText(fields, 'remedy'),
    actor: optionalText(fields, 'actor'),
    requestId: optionalText(fields, 'request_id') ?? '',
  };
}

function readCheck(fields: Fields): CheckReport {
  const connection = optionalFields(fields, 'connection');
  return {
    works: optionalBoolean(fields, 'works') ?? false,
    reason: text(fields, 'reason'),
    message: text(fields, 'message'),
    who: optionalText(fields, 'who'),
    remedy: optionalText(fields, 'remedy'),
    upstreamStatus: optionalNumber(fields, 'upstream_status'),
    connection: connection === undefined ? undefined : diagnosis(connection),
  };
}

function readReadiness(fields: Fields): Readiness {
  return {
    ready: optionalBoolean(fields, 'ready') ?? false,
    redirectUri: text(fields, 'redirect_uri'),
    strictestClass: text(fields, 'strictest_class'),
    steps: recordList(fields, 'steps').map((step) => ({
      id: text(step, 'id'),
      needed: optionalBoolean(step, 'needed') ?? false,
      done: optionalBoolean(step, 'done'),
      what: text(step, 'what'),
    })),
    risks: textList(fields, 'risks'),
  };
}
