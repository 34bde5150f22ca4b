import { fieldsOf, optionalBoolean, optionalText, text, textList, type Unread } from '../http/fields.ts';
import { type CallOptions, type CreateOptions, everyPage, type Manage } from './manage.ts';
import type { CreatedSecretKey, NewSecretKey, SecretKey } from './secret-key-types.ts';
import type * as wire from './wire.ts';

/**
 * Secret keys of the account, for keys with the right `full` that are not limited to some integrations. Methods throw
 * GatewayError, NetworkError and TimeoutError.
 */
export class SecretKeys {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * All keys, newest first, revoked ones too.
   *
   * @example
   * for (const { id, name } of await client.keys.list()) console.log(id, name);
   */
  async list(options?: CallOptions): Promise<SecretKey[]> {
    return (await everyPage(this.#manage, 'listSecretKeys', options)).map(readSecretKey);
  }

  /**
   * Makes a key. Its text is in the answer and nowhere else.
   *
   * @example
   * const created = await client.keys.create({ name: 'Nightly export', right: 'read' });
   */
  async create(key: NewSecretKey, options?: CreateOptions): Promise<CreatedSecretKey> {
    const body = {
      name: key.name,
      right: key.right,
      integration_ids: key.integrationIds,
      can_read_credentials: key.canReadCredentials,
    };
    const answer = await this.#manage('createSecretKey', { body, options });
    const data = fieldsOf(answer.data, 'data');
    return { ...readSecretKey(data), secretKey: text(data, 'secret_key') };
  }

  /**
   * Revokes a key; within a minute nothing accepts it.
   *
   * @throws GatewayError `not_found` for an id that is not the account's
   *
   * @example
   * await client.keys.revoke('f3a1c5d2…');
   */
  async revoke(id: string, options?: CallOptions): Promise<void> {
    await this.#manage('revokeSecretKey', { ids: { keyId: id }, options });
  }
}

/** A secret key as an answer has it. @throws UnexpectedAnswerError */
export function readSecretKey(fields: Unread<wire.SecretKey>): SecretKey {
  const isLimited = Array.isArray(fields.integration_ids);
  return {
    id: text(fields, 'id'),
    name: text(fields, 'name'),
    right: text(fields, 'right'),
    integrationIds: isLimited ? textList(fields, 'integration_ids') : undefined,
    canReadCredentials: optionalBoolean(fields, 'can_read_credentials') ?? false,
    createdAt: text(fields, 'created_at'),
    createdBy: optionalText(fields, 'created_by'),
    hint: optionalText(fields, 'hint'),
    lastUsedAt: optionalText(fields, 'last_used_at'),
    revokedAt: optionalText(fields, 'revoked_at'),
    isThisKey: optionalBoolean(fields, 'is_this_key') ?? false,
  };
}
