import {
  fieldsList,
  fieldsOf,
  isFields,
  number,
  optionalBoolean,
  optionalText,
  recordList,
  text,
  textList,
  textRecord,
  type Unread,
} from '../http/fields.ts';
import { readAmounts } from './budget.ts';
import { type CallOptions, type CreateOptions, everyPage, type Manage } from './manage.ts';
import { readManagedBy } from './managed-by.ts';
import type {
  AgentBinding,
  CreatedAgent,
  CreatedSecretKey,
  KeyLimits,
  LimitMethod,
  NewAgent,
  NewRole,
  NewSecretKey,
  ObservedCalls,
  SecretKey,
} from './secret-key-types.ts';
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
   * Makes a key for an assistant, which calls tools at `mcpUrl` with it. Its text is in the answer and nowhere else. It is listed, limited
   * and revoked with the keys.
   *
   * @throws GatewayError `invalid_body` for an end user without connections, or with several of one provider
   *
   * @example
   * const { agentKey, mcpUrl } = await client.keys.createAgent({ name: 'Assistant', endUserId: 'user-42' });
   */
  async createAgent(agent: NewAgent, options?: CreateOptions): Promise<CreatedAgent> {
    const body = {
      name: agent.name,
      end_user_id: agent.endUserId,
      integrations: agent.integrations,
      connections: agent.connections?.map(({ integrationId, connectionId }) => {
        return { integration_id: integrationId, connection_id: connectionId };
      }),
      tools: agent.tools,
      limits: agent.limits === undefined ? undefined : limitsBody(agent.limits),
    };
    const data = fieldsOf((await this.#manage('createAgent', { body, options })).data, 'data');
    return {
      ...readSecretKey(data),
      agentKey: text(data, 'agent_key'),
      mcpUrl: text(data, 'mcp_url'),
      warnings: recordList(data, 'warnings').map((warning) => text(warning, 'message')),
    };
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
    createdByName: optionalText(fields, 'created_by_name'),
    hint: optionalText(fields, 'hint'),
    lastUsedAt: optionalText(fields, 'last_used_at'),
    revokedAt: optionalText(fields, 'revoked_at'),
    isThisKey: optionalBoolean(fields, 'is_this_key') ?? false,
    limits: isFields(fields.limits) ? readLimits(fieldsOf(fields.limits, 'limits')) : undefined,
    roleArn: optionalText(fields, 'role_arn'),
    roleId: optionalText(fields, 'role_id'),
    managedBy: readManagedBy(fields),
    agent: isFields(fields.agent) ? readAgent(fieldsOf(fields.agent, 'agent')) : undefined,
  };
}

function readAgent(fields: Unread<wire.AgentBinding>): AgentBinding {
  return {
    endUserId: optionalText(fields, 'end_user_id'),
    connections: fieldsList(fields.connections, 'connections').map((one) => {
      return { integrationId: text(one, 'integration_id'), connectionId: text(one, 'connection_id') };
    }),
    tools: Array.isArray(fields.tools) ? textList(fields, 'tools') : undefined,
  };
}

/** Limits in the API's spelling. */
export function limitsBody({
  endUsers,
  expiresAt,
  methods: _,
  ...same
}: KeyLimits): wire.UpdateSecretKeyBody['limits'] & {} {
  return {
    ...same,
    ...(endUsers === undefined ? {} : { end_users: endUsers }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

/** What a later version names is the gateway: it asks in any case that this one does not know. */
function readAsker(fields: Unread<wire.KeyLimits>): Pick<KeyLimits, 'approval'> {
  if (fields.approval === undefined) return {};
  const named = text(fields, 'approval');
  return { approval: named === 'google' || named === 'both' ? named : 'gateway' };
}

function readLimits(fields: Unread<wire.KeyLimits>): KeyLimits {
  const lists = {
    ...(fields.allow === undefined ? {} : { allow: textList(fields, 'allow') }),
    ...(fields.deny === undefined ? {} : { deny: textList(fields, 'deny') }),
    ...(fields.approve === undefined ? {} : { approve: textList(fields, 'approve') }),
    ...(fields.methods === undefined ? {} : { methods: textList(fields, 'methods') }),
    ...(fields.integrations === undefined ? {} : { integrations: textList(fields, 'integrations') }),
    ...(fields.connections === undefined ? {} : { connections: textList(fields, 'connections') }),
    ...(fields.resources === undefined ? {} : { resources: textList(fields, 'resources') }),
    ...(fields.sources === undefined ? {} : { sources: textList(fields, 'sources') }),
  };
  return {
    mode: text(fields, 'mode') === 'observe' ? 'observe' : 'enforce',
    ...lists,
    ...(fields.end_users === undefined ? {} : { endUsers: textRecord(fields, 'end_users') }),
    ...readAsker(fields),
    ...(fields.minute === undefined ? {} : { minute: readAmounts(fieldsOf(fields.minute, 'minute')) }),
    ...(fields.day === undefined ? {} : { day: readAmounts(fieldsOf(fields.day, 'day')) }),
    ...(fields.priority === undefined ? {} : { priority: 'background' as const }),
    ...(fields.expires_at === undefined ? {} : { expiresAt: text(fields, 'expires_at') }),
    ...(fields.journal === undefined ? {} : { journal: fields.journal === 'required' ? 'required' : true }),
  };
}
