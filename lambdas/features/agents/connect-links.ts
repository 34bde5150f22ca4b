import {
  type MakeSessionDependencies,
  makeSession,
  type SessionTerms,
} from '../../gateway/authorization/make-session.ts';
import { type LimitRateDependencies, limitRate } from '../../gateway/calls/limit-rate.ts';
import { endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { BoundedCache } from '../../gateway/core/bounded-cache.ts';
import { type ConnectionRef, connectionRefKey, integrationRefKey } from '../../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES } from '../../gateway/core/limits.ts';
import { actorOf } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Agent } from './agent.ts';

export interface ConnectLinksDependencies extends MakeSessionDependencies, LimitRateDependencies {
  readonly connections: Pick<ConnectionStore, 'read'>;
  /** Where the app confirms new connections; undefined: assistants get no link for one. */
  readonly confirmUrl: string | undefined;
}

/** What all such sessions have in common. */
const TERMS = {
  endUser: undefined,
  tags: {},
  defaults: {},
  reconnect: undefined,
  allowAccountChange: false,
  language: undefined,
  pick: undefined,
} as const;

/** A link is given again this long: an assistant that asks in a loop makes no more of them. */
const GIVEN_AGAIN_MS = 10 * 60_000;

/**
 * Makes the links that an assistant passes on to its user. The assistant can open a link itself, with an account of its choice, so a link
 * alone connects nothing (MC-41): one for an existing connection takes only the account that it has, and one for a new connection
 * needs the app's backend to confirm who came back.
 */
export class ConnectLinks {
  readonly #deps: ConnectLinksDependencies;
  readonly #given = new BoundedCache<string>(CACHE_MAX_ENTRIES);

  constructor(deps: ConnectLinksDependencies) {
    this.#deps = deps;
  }

  /**
   * Undefined for a connection that is gone, is another end user's by now, or whose account is not known, so that any account would
   * pass. @throws GatewayError `rate_limited`
   */
  async reconnect(ref: ConnectionRef, agent: Agent, requestId: string): Promise<string | undefined> {
    const nowMs = this.#deps.clock.nowMs();
    const id = `${agent.key.keyHash}#${connectionRefKey(ref)}`;
    const given = this.#given.get(id, nowMs);
    if (given !== undefined) return given;
    const connection = await this.#deps.connections.read(ref);
    if (connection === undefined || connection.status === 'deleted') return undefined;
    if (endUserIdOf(connection) !== agent.endUserId || connection.providerAccount === undefined) return undefined;
    const { accountId, integrationId, connectionId } = ref;
    const reconnect = { integrationId, connectionId };
    const terms = { ...TERMS, allowedIntegrations: [integrationId], reconnect, returnUrl: undefined, confirm: false };
    return this.#make(id, accountId, terms, agent, requestId);
  }

  /** For a connection that is to be the agent's end user's. @throws GatewayError `rate_limited` */
  async connect(integrationId: string, agent: Agent, requestId: string): Promise<string | undefined> {
    const { confirmUrl: returnUrl } = this.#deps;
    if (returnUrl === undefined) return undefined;
    const { accountId } = agent.key;
    const { endUserId = '' } = agent;
    const id = `${agent.key.keyHash}#${integrationRefKey({ accountId, integrationId })}`;
    const given = this.#given.get(id, this.#deps.clock.nowMs());
    if (given !== undefined) return given;
    const endUser = { id: endUserId, email: null, displayName: null, tags: null, organization: null };
    const terms = {
      ...{ ...TERMS, returnUrl, confirm: true },
      ...{ allowedIntegrations: [integrationId], endUser, tags: { end_user_id: endUserId } },
    };
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
