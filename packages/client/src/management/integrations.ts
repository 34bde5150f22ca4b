import { fieldsOf, optionalNumber, type Unread } from '../http/fields.ts';
import { type AgentToolList, readAcceptedTools, readToolLists } from './agent-tools.ts';
import { budgetOnTheWire } from './budget.ts';
import {
  changesOnTheWire,
  type DelegationCheck,
  type DelegationState,
  delegationOnTheWire,
  readDelegationCheck,
  readDelegationState,
} from './delegation.ts';
import type {
  Integration,
  IntegrationChanges,
  IntegrationSettings,
  NewIntegration,
  OAuthClient,
  QuickstartIntegration,
  Readiness,
} from './integration-types.ts';
import { type CallOptions, type CreateOptions, everyPage, type Manage, type Sent } from './manage.ts';
import { quotaOnTheWire } from './own-quota.ts';
import { readIntegration, readReadiness } from './read-integration.ts';
import type * as wire from './wire.ts';

/** Integrations of the account. Methods throw GatewayError, NetworkError and TimeoutError. */
export class Integrations {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * All integrations, newest first.
   *
   * @example
   * for (const { uniqueKey } of await client.integrations.list()) console.log(uniqueKey);
   */
  async list(options?: CallOptions): Promise<Integration[]> {
    return (await everyPage(this.#manage, 'listIntegrations', options)).map(readIntegration);
  }

  /**
   * One integration. `include: ['credentials']` adds the client id; client secrets are never returned.
   *
   * @example
   * const { scopes } = await client.integrations.get('google-drive');
   */
  async get(uniqueKey: string, options?: CallOptions & { include?: readonly 'credentials'[] }): Promise<Integration> {
    const ids = { integrationId: uniqueKey };
    const { data } = await this.#manage('getIntegration', { ids, query: { include: options?.include }, options });
    return readIntegration(fieldsOf(data, 'data'));
  }

  /**
   * Makes an integration with an OAuth client of your own.
   *
   * @example
   * await client.integrations.create({ provider: 'google-drive', uniqueKey: 'drive', credentials: { clientId: '…', clientSecret: '…' } });
   */
  async create(integration: NewIntegration, options?: CreateOptions): Promise<Integration> {
    return written(await this.#manage('createIntegration', { body: newOnTheWire(integration), options }));
  }

  /**
   * Makes an integration on the operator's test credentials.
   *
   * @example
   * await client.integrations.createQuickstart({ provider: 'google-calendar', uniqueKey: 'calendar' });
   */
  async createQuickstart(integration: QuickstartIntegration, options?: CreateOptions): Promise<Integration> {
    return written(await this.#manage('createQuickstartIntegration', { body: newOnTheWire(integration), options }));
  }

  /**
   * Changes an integration.
   *
   * @example
   * await client.integrations.update('drive', { credentials: { clientSecret: '…' } });
   */
  async update(uniqueKey: string, changes: IntegrationChanges, options?: CallOptions): Promise<Integration> {
    const body = {
      ...settingsOnTheWire(changes),
      unique_key: changes.uniqueKey,
      delegation: changesOnTheWire(changes.delegation),
      agentic: undefined,
      credentials: clientOnTheWire(changes.credentials),
      credentials_source: changes.credentialsSource,
    };
    return written(await this.#manage('updateIntegration', { ids: { integrationId: uniqueKey }, body, options }));
  }

  /**
   * Deletes an integration with all its connections; many of them take several calls.
   *
   * @param options `revoke: true` also ends the grants at the provider, `'if_last'` only those that are not shared
   * @returns how many connections were deleted
   *
   * @example
   * const deleted = await client.integrations.delete('drive', { revoke: 'if_last' });
   */
  async delete(uniqueKey: string, options?: CallOptions & { revoke?: boolean | 'if_last' }): Promise<number> {
    const ids = { integrationId: uniqueKey };
    const answer = await this.#manage('deleteIntegration', { ids, query: { revoke: options?.revoke }, options });
    return optionalNumber(answer, 'deleted_connections') ?? 0;
  }

  /**
   * Scopes by review class, publishing status, and what going live still needs.
   *
   * @example
   * const { ready } = await client.integrations.readiness('drive');
   */
  async readiness(uniqueKey: string, options?: CallOptions): Promise<Readiness> {
    const { data } = await this.#manage('getIntegrationReadiness', { ids: { integrationId: uniqueKey }, options });
    return readReadiness(fieldsOf(data, 'data'));
  }

  /**
   * Tools of Google's MCP servers, which assistants of agentic integrations call, with those that wait to be accepted.
   *
   * @param options `fetch: true` asks the servers first
   *
   * @example
   * const [calendar] = await client.integrations.agentTools({ fetch: true });
   */
  async agentTools({ fetch = false, ...options }: CallOptions & { fetch?: boolean } = {}): Promise<AgentToolList[]> {
    return readToolLists(
      fetch ? await this.#manage('fetchAgentTools', { options }) : await this.#manage('listAgentTools', { options }),
    );
  }

  /**
   * Accepts changed or new tools as they are now.
   *
   * @param tools with the `hash` of what you have seen waiting
   *
   * @example
   * await client.integrations.acceptAgentTools('google-calendar', 'full', [{ name: 'list_events', hash: '…' }]);
   */
  async acceptAgentTools(
    provider: string,
    endpoint: 'full' | 'self',
    tools: readonly { readonly name: string; readonly hash: string }[],
    options?: CallOptions,
  ): Promise<AgentToolList> {
    const body = { endpoint, tools };
    return readAcceptedTools(await this.#manage('acceptAgentTools', { ids: { provider }, body, options }));
  }

  /**
   * The values that administrators list for a service account, and its state in each of their domains.
   *
   * @example
   * const { clientId, scopes, adminUrl } = await client.integrations.delegation('drive-domain');
   */
  async delegation(uniqueKey: string, options?: CallOptions): Promise<DelegationState> {
    return readDelegationState(await this.#manage('getDelegation', { ids: { integrationId: uniqueKey }, options }));
  }

  /**
   * Asks Google whether a service account may act for a user, scope by scope.
   *
   * @example
   * const { works, scopes } = await client.integrations.checkDelegation('drive-domain', 'user@example.com');
   */
  async checkDelegation(uniqueKey: string, address: string, options?: CallOptions): Promise<DelegationCheck> {
    const ids = { integrationId: uniqueKey };
    return readDelegationCheck(await this.#manage('checkDelegation', { ids, body: { address }, options }));
  }
}

function written({ data, warnings }: Unread<wire.ChangedIntegration>): Integration {
  return readIntegration({ warnings, ...fieldsOf(data, 'data') });
}

function newOnTheWire(integration: NewIntegration): Sent<wire.CreateIntegrationBody> {
  return {
    ...settingsOnTheWire(integration),
    provider: integration.provider,
    unique_key: integration.uniqueKey,
    kind: integration.delegation === undefined ? undefined : 'delegated',
    delegation: delegationOnTheWire(integration.delegation),
    agentic: integration.agentic,
    credentials: clientOnTheWire(integration.credentials),
    credentials_source: integration.credentialsSource,
  };
}

function settingsOnTheWire(settings: IntegrationSettings) {
  return {
    display_name: settings.displayName,
    public_name: settings.publicName,
    public_names: settings.publicNames,
    scopes: settings.scopes,
    publishing_status: settings.publishingStatus,
    audience: settings.audience,
    mode: settings.mode,
    include_granted_scopes: settings.includeGrantedScopes,
    hosted_domain: settings.hostedDomain,
    budget: budgetOnTheWire(settings.budget),
    quota: quotaOnTheWire(settings.quota),
  };
}

function clientOnTheWire(
  client: Partial<OAuthClient> | undefined,
): Unread<wire.UpdateIntegrationBody['credentials']> | undefined {
  if (client === undefined) return undefined;
  return { type: 'OAUTH2', client_id: client.clientId, client_secret: client.clientSecret };
}
