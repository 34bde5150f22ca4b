import { keysOfFeatures } from '../features/keys.ts';
import { fieldsList, fieldsOf, number, optionalText, text } from '../http/fields.ts';
import { withMembers } from './feature-slots.ts';
import { type CallOptions, type CreateOptions, everyPage, type Manage } from './manage.ts';
import { limitsBody, readSecretKey } from './read-secret-key.ts';
import type {
  CreatedSecretKey,
  KeyLimits,
  LimitMethod,
  NewRole,
  NewSecretKey,
  ObservedCalls,
  SecretKey,
} from './secret-key-types.ts';

/**
 * Secret keys of the account, for keys with the right `full` that are not limited to some integrations. Methods throw
 * GatewayError, NetworkError and TimeoutError.
 */
export class SecretKeys extends withMembers(keysOfFeatures) {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    super(manage);
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
    const answer = await this.#manage('createSecretKey', { body: newKeyBody(key), options });
    const data = fieldsOf(answer.data, 'data');
    return { ...readSecretKey(data), secretKey: text(data, 'secret_key') };
  }

  /**
   * Lets an IAM role call instead of a key, signed and below `/iam`. It is listed, limited and revoked with the keys.
   *
   * @throws GatewayError `conflict` for a role that is registered already
   *
   * @example
   * await client.keys.registerRole({ name: 'Export', right: 'proxy', roleArn: 'arn:aws:iam::111122223333:role/export' });
   */
  async registerRole(role: NewRole, options?: CreateOptions): Promise<SecretKey> {
    const body = { ...newKeyBody(role), role_arn: role.roleArn, role_id: role.roleId };
    return readSecretKey(fieldsOf((await this.#manage('registerRole', { body, options })).data, 'data'));
  }

  /**
   * Sets all limits of a key with the right `proxy`; null takes them away. They hold within a minute.
   *
   * @throws GatewayError `not_found` for an id that is not a live key's of the account, `conflict` for a key of another right
   *
   * @example
   * await client.keys.setLimits('f3a1c5d2…', { mode: 'observe', allow: ['drive:read'], day: { units: 5000 } });
   */
  async setLimits(id: string, limits: KeyLimits | null, options?: CallOptions): Promise<SecretKey> {
    const body = { limits: limits === null ? null : limitsBody(limits) };
    const answer = await this.#manage('updateSecretKey', { ids: { keyId: id }, body, options });
    return readSecretKey(fieldsOf(answer.data, 'data'));
  }

  /**
   * Calls of the last seven days that a key's limits would have refused, by limit and method: check them before you enforce the limits.
   *
   * @throws GatewayError `not_found` for an id that is not a live key's of the account
   *
   * @example
   * const { wouldRefuse, calls, rows } = await client.keys.observed('f3a1c5d2…');
   */
  async observed(id: string, options?: CallOptions): Promise<ObservedCalls> {
    const answer = await this.#manage('readObservedCalls', { ids: { keyId: id }, options });
    const data = fieldsOf(answer.data, 'data');
    return {
      since: text(data, 'since'),
      countedUntil: optionalText(data, 'counted_until'),
      calls: number(data, 'calls'),
      wouldRefuse: number(data, 'would_refuse'),
      rows: fieldsList(data.rows, 'rows').map((row) => ({
        limit: text(row, 'limit'),
        method: optionalText(row, 'method'),
        calls: number(row, 'calls'),
        lastAt: text(row, 'last_at'),
      })),
    };
  }

  /**
   * Methods that limits can name, each with its set and effect.
   *
   * @example
   * for (const { id, meaning } of await client.keys.limitMethods()) console.log(id, meaning);
   */
  async limitMethods(options?: CallOptions): Promise<LimitMethod[]> {
    const answer = await this.#manage('listLimitMethods', { options });
    return fieldsList(answer.data, 'data').map((method) => ({
      id: text(method, 'id'),
      set: text(method, 'set'),
      meaning: text(method, 'meaning'),
      provider: text(method, 'provider'),
    }));
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

function newKeyBody(key: NewSecretKey) {
  return {
    name: key.name,
    right: key.right,
    integration_ids: key.integrationIds,
    can_read_credentials: key.canReadCredentials,
    limits: key.limits === undefined ? undefined : limitsBody(key.limits),
  };
}
