import {
  type Fields,
  fieldsList,
  fieldsOf,
  number,
  optionalBoolean,
  optionalNumber,
  optionalText,
  text,
  textList,
} from '../../../client/src/http/fields.ts';
import { path } from '../../../client/src/management/manage.ts';
import type { ConnectionRef, OAuthClient } from './library.ts';
import type { SendOperatorRequest } from './operator-request.ts';
import type { NewSecretKey, SecretKey, TestCredentials, TriedCall } from './operator-types.ts';

/** What only operators do; the client library has the rest. Methods throw GatewayError, NetworkError, TimeoutError. */
export class OperatorCalls {
  readonly #send: SendOperatorRequest;

  constructor(send: SendOperatorRequest) {
    this.#send = send;
  }

  /** Secret keys, newest first. */
  async keys(signal?: AbortSignal): Promise<SecretKey[]> {
    const data = await this.#send({ method: 'GET', path: '/account/keys', signal });
    return fieldsList(data, 'data').map(readKey);
  }

  /** Makes a secret key. @returns its text, which exists nowhere else */
  async createKey(key: NewSecretKey): Promise<string> {
    const body = {
      name: key.name,
      right: key.right,
      integration_ids: key.integrationIds,
      can_read_credentials: key.canReadCredentials,
    };
    const data = await this.#send({ method: 'POST', path: '/account/keys', body });
    return text(fieldsOf(data, 'data'), 'secret_key');
  }

  /** Revokes a secret key; within a minute nothing accepts it. */
  async revokeKey(id: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/account/keys/${id}` });
  }

  /** Whether a provider has test credentials. */
  async testCredentials(provider: string, signal?: AbortSignal): Promise<TestCredentials> {
    const data = await this.#send({ method: 'GET', path: path`/test-credentials/${provider}`, signal });
    return { provider, clientId: optionalText(data, 'client_id') };
  }

  /** Sets the OAuth client that integrations on test credentials use. */
  async setTestCredentials(provider: string, client: OAuthClient): Promise<void> {
    const body = { client_id: client.clientId, client_secret: client.clientSecret };
    await this.#send({ method: 'PUT', path: path`/test-credentials/${provider}`, body });
  }

  /** Removes the test credentials of a provider. */
  async removeTestCredentials(provider: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: path`/test-credentials/${provider}` });
  }

  /** A GET at the provider as the connection's user. @param target path and query at the provider, such as `/drive/v3/files` */
  async tryCall(ref: ConnectionRef, target: string): Promise<TriedCall> {
    const route = path`/connections/${ref.connectionId}/try`;
    const params = { provider_config_key: ref.providerConfigKey };
    const data = await this.#send({ method: 'POST', path: route, params, body: { path: target } });
    const fields = fieldsOf(data, 'data');
    return {
      status: number(fields, 'status'),
      contentType: optionalText(fields, 'content_type') ?? '',
      body: optionalText(fields, 'body') ?? '',
      truncated: optionalBoolean(fields, 'truncated') ?? false,
      durationMs: optionalNumber(fields, 'duration_ms') ?? 0,
    };
  }
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
