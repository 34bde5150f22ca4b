import { type MakeSessionDependencies, makeSession, type SessionTerms } from '../gateway/authorization/make-session.ts';
import { type LimitRateDependencies, limitRate } from '../gateway/calls/limit-rate.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { type ConnectionRef, connectionRefKey, integrationRefKey } from '../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES } from '../gateway/core/limits.ts';
import { actorOf } from '../gateway/events/lifecycle-event.rules.ts';
import { endUserIdOf } from '../gateway/keys/agent.rules.ts';
import type { Agent } from './agent.ts';

export interface ConnectLinksDependencies extends MakeSessionDependencies, LimitRateDependencies {
  readonly connections: Pick<ConnectionStore, 'read'>;
}

/** What all such sessions have in common. */
const TERMS = {
  endUser: undefined,
  tags: {},
  defaults: {},
  reconnect: undefined,
  allowAccountChange: false,
  returnUrl: undefined,
  language: undefined,
  confirm: false,
  pick: undefined,
} as const;

/** A link is given again this long: an assistant that asks in a loop makes no more of them. */
const GIVEN_AGAIN_MS = 10 * 60_000;

/**
 * Makes the links by which the person behind a connection grants access again: the same account, and nobody else's (MC-34). Each is a
 * connect session as the integrator's backend would make it.
 */
export class ConnectLinks {
  readonly #deps: ConnectLinksDependencies;
  readonly #given = new BoundedCache<string>(CACHE_MAX_ENTRIES);

  constructor(deps: ConnectLinksDependencies) {
    this.#deps = deps;
  }

  /** Undefined for a connection that is gone, or is another end user's by now. @throws GatewayError `rate_limited` */
  async reconnect(ref: ConnectionRef, agent: Agent, requestId: string): Promise<string | undefined> {
    const nowMs = this.#deps.clock.nowMs();
    const id = `${agent.key.keyHash}#${connectionRefKey(ref)}`;
    const given = this.#given.get(id, nowMs);
    if (given !== undefined) return given;
    const connection = await this.#deps.connections.read(ref);
    if (connection === undefined || connection.status === 'deleted') return undefined;
    if (endUserIdOf(connection) !== agent.endUserId) return undefined;
    const { accountId, integrationId, connectionId } = ref;
    const reconnect = { integrationId, connectionId };
    return this.#make(id, accountId, { ...TERMS, allowedIntegrations: [integrationId], reconnect }, agent, requestId);
  }

  /** For a connection that is to be the agent's end user's. @throws GatewayError `rate_limited` */
  async connect(integrationId: string, agent: Agent, requestId: string): Promise<string> {
    const { accountId } = agent.key;
    const { endUserId = '' } = agent;
    const id = `${agent.key.keyHash}#${integrationRefKey({ accountId, integrationId })}`;
    const given = this.#given.get(id, this.#deps.clock.nowMs());
    if (given !== undefined) return given;
    const endUser = { id: endUserId, email: null, displayName: null, tags: null, organization: null };
    const terms = { ...TERMS, allowedIntegrations: [integrationId], endUser, tags: { end_user_id: endUserId } };
    return this.#make(id, accountId, terms, agent, requestId);
  }

  async #make(
    id: string,
    accountId: string,
    terms: Omit<SessionTerms, 'accountId'>,
    agent: Agent,
    requestId: string,
  ): Promise<string> {
    await limitRate(this.#deps, accountId, 'connect_sessions');
    const about = { endUserId: agent.endUserId, requestId, actor: actorOf(agent.key) };
    const { connectLink } = await makeSession(this.#deps, { accountId, ...terms }, about);
    this.#given.set(id, connectLink, this.#deps.clock.nowMs() + GIVEN_AGAIN_MS);
    return connectLink;
  }
}
