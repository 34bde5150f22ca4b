import { type Fields, fieldsList, fieldsOf, optionalText, text, textList } from '../../client/src/http/fields.ts';
import { type Manage, path } from '../../client/src/management/manage.ts';

/** A secret key without its text. Times are ISO 8601 UTC. */
export interface SecretKey {
  /** SHA-256 of the key, hex. */
  readonly id: string;
  readonly name: string;
  /** `proxy`, `read` or `full`. */
  readonly right: string;
  /** Empty = all integrations. */
  readonly integrationIds: readonly string[];
  readonly canReadCredentials: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | undefined;
  readonly revokedAt: string | undefined;
  readonly isThisKey: boolean;
}

/** A key to make. */
export interface NewSecretKey {
  readonly name: string;
  readonly right: string;
  readonly integrationIds: readonly string[] | undefined;
  readonly canReadCredentials: boolean;
}

/** Secret keys of the account. Methods throw GatewayError, NetworkError and TimeoutError. */
export class SecretKeys {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /** Newest first, revoked ones too. */
  async list(): Promise<SecretKey[]> {
    const { data } = await this.#manage({ method: 'GET', path: '/account/keys', options: undefined });
    return fieldsList(data, 'data').map(readKey);
  }

  /** Makes a key. `secretKey` is its text, which exists nowhere else. */
  async create(key: NewSecretKey): Promise<SecretKey & { readonly secretKey: string }> {
    const body = {
      name: key.name,
      right: key.right,
      integration_ids: key.integrationIds,
      can_read_credentials: key.canReadCredentials,
    };
    const { data } = await this.#manage({ method: 'POST', path: '/account/keys', body, options: undefined });
    const fields = fieldsOf(data, 'data');
    return { ...readKey(fields), secretKey: text(fields, 'secret_key') };
  }

  /** Revokes a key; within a minute nothing accepts it. */
  async revoke(id: string): Promise<void> {
    await this.#manage({ method: 'DELETE', path: path`/account/keys/${id}`, options: undefined });
  }
}

function readKey(fields: Fields): SecretKey {
  return {
    id: text(fields, 'id'),
    name: text(fields, 'name'),
    right: text(fields, 'right'),
    integrationIds: textList(fields, 'integration_ids'),
    canReadCredentials: fields.can_read_credentials === true,
    createdAt: text(fields, 'created_at'),
    lastUsedAt: optionalText(fields, 'last_used_at'),
    revokedAt: optionalText(fields, 'revoked_at'),
    isThisKey: fields.is_this_key === true,
  };
}
