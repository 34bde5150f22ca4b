import { type MakeSessionDependencies, makeSession } from '../gateway/authorization/make-session.ts';
import { type LimitRateDependencies, limitRate } from '../gateway/calls/limit-rate.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { type ConnectionRef, connectionRefKey } from '../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES } from '../gateway/core/limits.ts';
import { actorOf } from '../gateway/events/lifecycle-event.rules.ts';
import { endUserIdOf } from '../gateway/keys/agent.rules.ts';
import type { Agent } from './agent.ts';

export interface ConnectLinksDependencies extends MakeSessionDependencies, LimitRateDependencies {
  readonly connections: Pick<ConnectionStore, 'read'>;
}

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
    const endUserId = endUserIdOf(connection);
    if (endUserId !== agent.endUserId) return undefined;
    const { accountId, integrationId, connectionId } = ref;
    await limitRate(this.#deps, accountId, 'connect_sessions');
    const terms = {
      accountId,
      endUser: undefined,
      tags: {},
      allowedIntegrations: [integrationId],
      defaults: {},
      reconnect: { integrationId, connectionId },
      allowAccountChange: false,
      returnUrl: undefined,
      language: undefined,
      confirm: false,
      pick: undefined,
    };
    const { connectLink } = await makeSession(this.#deps, terms, { endUserId, requestId, actor: actorOf(agent.key) });
    this.#given.set(id, connectLink, nowMs + GIVEN_AGAIN_MS);
    return connectLink;
  }
}
