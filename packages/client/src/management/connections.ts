import { type Fields, fieldsList, fieldsOf, optionalFields, optionalText } from '../http/fields.ts';
import type { ConnectionRef } from '../http/headers.ts';
import { budgetOnTheWire } from './budget.ts';
import type {
  Connection,
  ConnectionChanges,
  ConnectionCheck,
  ConnectionFilter,
  ConnectionImport,
  ConnectionPage,
  ConnectionSummary,
  EventPage,
  Findings,
  Revocation,
  SubjectConnection,
  TriedCall,
} from './connection-types.ts';
import { type CallOptions, type CreateOptions, type Manage, onTheWire, type Sent } from './manage.ts';
import {
  endUserOnTheWire,
  organizationOnTheWire,
  readCheck,
  readConnection,
  readConnectionSummary,
  readEvent,
  readFindings,
  readRevocation,
  readTriedCall,
} from './read-connection.ts';
import type * as wire from './wire.ts';

/** One connection, or several of one integration. */
export interface ConnectionRefs {
  providerConfigKey: string;
  connectionId: string | readonly string[];
}

/** Connections of the account. Methods throw GatewayError, NetworkError and TimeoutError. */
export class Connections {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * One page of connections, newest first unless `sort` says otherwise.
   *
   * @example
   * const { connections, total } = await client.connections.list({ status: 'reauthorization_required' });
   */
  async list(filter: ConnectionFilter = {}, options?: CallOptions): Promise<ConnectionPage> {
    const answer = await this.#manage('listConnections', { query: filterParams(filter), options });
    return {
      connections: fieldsList(answer.connections, 'connections').map(readConnectionSummary),
      nextCursor: optionalText(answer, 'next_cursor'),
      total: typeof answer.total === 'number' ? answer.total : undefined,
      totalIsComplete: answer.total_is_complete === true,
    };
  }

  /**
   * Connections, integrations and secret keys whose names contain every word of a text.
   *
   * @param options `limit`: of each kind, at most 50. @default 10
   *
   * @example
   * const { connections } = await client.connections.search('anna');
   */
  async search(text: string, options?: CallOptions & { limit?: number }): Promise<Findings> {
    const { data } = await this.#manage('search', { query: { q: text, limit: options?.limit }, options });
    return readFindings(fieldsOf(data, 'data'));
  }

  /**
   * Every connection, page after page; leaving the loop requests no more.
   *
   * @example
   * for await (const one of client.connections.all({ integrationId: 'google-drive' })) console.log(one.connectionId);
   */
  async *all(
    filter: Omit<ConnectionFilter, 'page' | 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<ConnectionSummary> {
    let cursor: string | undefined;
    do {
      const page = await this.list(cursor === undefined ? filter : { ...filter, cursor }, options);
      yield* page.connections;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /**
   * One connection. Tokens are in it only where the secret key may read credentials.
   *
   * @example
   * const { status, grantedScopes } = await client.connections.get(connection);
   */
  async get(
    ref: ConnectionRef,
    options?: CallOptions & { forceRefresh?: boolean; refreshToken?: boolean },
  ): Promise<Connection> {
    const query = { force_refresh: options?.forceRefresh, refresh_token: options?.refreshToken };
    return readConnection(await this.#manage('getConnection', { ...onTheWire(ref, query), options }));
  }

  /**
   * Makes a connection from a refresh token that exists already.
   *
   * @example
   * await client.connections.import({ ...connection, refreshToken: '1//0g…', endUser: { id: 'user-1' } });
   */
  async import(connection: ConnectionImport, options?: CreateOptions): Promise<Connection> {
    const body = {
      provider_config_key: connection.providerConfigKey,
      connection_id: connection.connectionId,
      subject: undefined,
      credentials: { type: 'OAUTH2', refresh_token: connection.refreshToken },
      consented_at: connection.consentedAt,
      metadata: connection.metadata,
      end_user: endUserOnTheWire(connection.endUser),
      organization: organizationOnTheWire(connection.organization),
      tags: connection.tags,
    };
    return readConnection(await this.#manage('importConnection', { body, options }));
  }

  /**
   * Connects a user of a Workspace domain, for whose data a service account acts; a repeated call returns the same connection.
   *
   * @example
   * const { connectionId } = await client.connections.connectSubject({ providerConfigKey: 'drive-domain', subject: 'user@example.com' });
   */
  async connectSubject(connection: SubjectConnection, options?: CreateOptions): Promise<Connection> {
    const body = {
      provider_config_key: connection.providerConfigKey,
      connection_id: undefined,
      subject: connection.subject,
      credentials: undefined,
      consented_at: undefined,
      metadata: connection.metadata,
      end_user: endUserOnTheWire(connection.endUser),
      organization: organizationOnTheWire(connection.organization),
      tags: connection.tags,
    };
    return readConnection(await this.#manage('importConnection', { body, options }));
  }

  /**
   * Changes a connection's end user, its tags and its budget.
   *
   * @example
   * await client.connections.update(connection, { tags: { plan: 'pro' } });
   */
  async update(ref: ConnectionRef, changes: ConnectionChanges, options?: CallOptions): Promise<void> {
    const body = {
      end_user: endUserOnTheWire(changes.endUser),
      organization: organizationOnTheWire(changes.organization),
      tags: changes.tags,
      budget: budgetOnTheWire(changes.budget),
    };
    await this.#manage('updateConnection', { ...onTheWire(ref), body, options });
  }

  /**
   * Forces one refresh now.
   *
   * @throws GatewayError `reauthorization_required` where the grant is dead
   *
   * @example
   * const { accessTokenExpiresAt } = await client.connections.refresh(connection);
   */
  async refresh(ref: ConnectionRef, options?: CallOptions): Promise<Connection> {
    return readConnection(await this.#manage('refreshConnection', { ...onTheWire(ref), options }));
  }

  /**
   * Makes one harmless call to the provider: works, or says exactly why not.
   *
   * @example
   * const { works } = await client.connections.check(connection);
   */
  async check(ref: ConnectionRef, options?: CallOptions): Promise<ConnectionCheck> {
    const { data } = await this.#manage('checkConnection', { ...onTheWire(ref), options });
    return readCheck(fieldsOf(data, 'data'));
  }

  /**
   * Makes one GET at the provider as the connection's user, for a person to look at; use proxied calls for everything else.
   *
   * @param target path and query at the provider, such as `/drive/v3/files?pageSize=3`
   * @returns the provider's answer whatever its status
   *
   * @example
   * const { status, body } = await client.connections.try(connection, '/drive/v3/files?pageSize=3');
   */
  async try(ref: ConnectionRef, target: string, options?: CallOptions): Promise<TriedCall> {
    const { data } = await this.#manage('tryConnection', { ...onTheWire(ref), body: { path: target }, options });
    return readTriedCall(fieldsOf(data, 'data'));
  }

  /**
   * The timeline of a connection, newest first; of a deleted one too.
   *
   * @param options `before`: `nextBefore` of the page before
   *
   * @example
   * const { events, nextBefore } = await client.connections.events(connection, { limit: 20 });
   */
  async events(ref: ConnectionRef, options?: CallOptions & { limit?: number; before?: string }): Promise<EventPage> {
    const query = { limit: options?.limit, cursor: options?.before };
    const answer = await this.#manage('listConnectionEvents', { ...onTheWire(ref, query), options });
    return {
      events: fieldsList(answer.events, 'events').map(readEvent),
      nextBefore: optionalText(answer, 'next_cursor'),
    };
  }

  /**
   * Deletes a connection and its tokens.
   *
   * @param options `revoke: true` also ends the grant at the provider. It is refused while other connections share it
   *   (`GatewayError` `conflict` names them) or when it is not known whether any do (`account_not_known`); `'if_last'` leaves a shared grant alone, `'force'` ends it for all
   *
   * @example
   * await client.connections.delete(connection, { revoke: 'if_last' });
   */
  async delete(
    ref: ConnectionRef,
    options?: CallOptions & { revoke?: boolean | 'if_last' | 'force' },
  ): Promise<Revocation> {
    const query = { revoke: options?.revoke };
    const answer = await this.#manage('deleteConnection', { ...onTheWire(ref, query), options });
    return readRevocation(optionalFields(answer, 'revocation'));
  }

  /**
   * Replaces the metadata of one connection or of several.
   *
   * @example
   * await client.connections.setMetadata(connection, { folder: 'invoices' });
   */
  async setMetadata(refs: ConnectionRefs, metadata: Fields, options?: CallOptions): Promise<void> {
    await this.#manage('setMetadata', { body: metadataBody(refs, metadata), options });
  }

  /**
   * Merges metadata into the existing, one level deep.
   *
   * @example
   * await client.connections.updateMetadata({ ...connection, connectionId: ['user-1', 'user-2'] }, { synced: true });
   */
  async updateMetadata(refs: ConnectionRefs, metadata: Fields, options?: CallOptions): Promise<void> {
    await this.#manage('updateMetadata', { body: metadataBody(refs, metadata), options });
  }
}

function filterParams(filter: ConnectionFilter) {
  const { tags = {}, connectionId, endUserId, endUserOrganizationId, integrationId, include, ...plain } = filter;
  const byTags: Record<`tags[${string}]`, string> = {};
  for (const [key, value] of Object.entries(tags)) byTags[`tags[${key}]`] = value;
  return {
    ...plain,
    include: include?.join(','),
    connection_id: connectionId,
    end_user_id: endUserId,
    end_user_organization_id: endUserOrganizationId,
    provider_config_key: typeof integrationId === 'string' ? integrationId : integrationId?.join(','),
    ...byTags,
  };
}

function metadataBody(
  { providerConfigKey, connectionId }: ConnectionRefs,
  metadata: Fields,
): Sent<wire.SetMetadataBody> {
  return { connection_id: connectionId, provider_config_key: providerConfigKey, metadata };
}
