import { type Connection, endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import { listsOfEndUser } from '../../gateway/connections/index-rows.rules.ts';
import type { ConnectionLists, ConnectionStore } from '../../gateway/connections/ports.ts';
import { BoundedCache } from '../../gateway/core/bounded-cache.ts';
import { FIRST_ACCOUNT_ID } from '../../gateway/core/contract.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES, CONNECTION_CACHE_MS, KEY_CACHE_MS } from '../../gateway/core/limits.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { MethodMeaning, ProviderId } from '../../gateway/providers/provider.rules.ts';
import type { Agent, MissingConnection } from './agent.ts';
import { type SignedInSettings, signedInKeyHash, signedInRecord, TOKEN_SCOPES } from './signed-in-agent.rules.ts';

/** A verifier's judgement of a token. `unavailable`: the issuer's metadata or keys cannot be reached. */
export type TokenJudgement =
  | {
      readonly kind: 'valid';
      readonly subject: string;
      readonly scopes: readonly string[];
      readonly expiresAtMs: number;
    }
  | { readonly kind: 'invalid' | 'unavailable' };

export interface AgentTokensDependencies {
  readonly verifier: { verify(token: string): Promise<TokenJudgement> };
  readonly settings: SignedInSettings;
  /** Every method that limits can name. */
  readonly allMethods: readonly MethodMeaning[];
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly lists: Pick<ConnectionLists, 'page'>;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly clock: Clock;
}

/** Connections of one end user that are looked at. */
const CONNECTIONS_MAX = 50;

/** Shows whose assistant calls with an access token of the integrator's own issuer: the gateway is its resource server, and no more (MC-5). */
export class AgentTokens {
  readonly #deps: AgentTokensDependencies;
  /** By the digest of the token, for as long as it and what it reaches are remembered. */
  readonly #agents = new BoundedCache<Agent>(CACHE_MAX_ENTRIES);
  readonly #records = new BoundedCache<SecretKeyRecord>(CACHE_MAX_ENTRIES);

  constructor(deps: AgentTokensDependencies) {
    this.#deps = deps;
  }

  /** @throws GatewayError `invalid_secret_key` for every wrong token alike, `forbidden` for one without a scope, `service_unavailable` */
  async resolve(token: string): Promise<Agent> {
    const { verifier, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const digest = sha256Hex(token);
    const known = this.#agents.get(digest, nowMs);
    if (known !== undefined) return known;
    const judged = await verifier.verify(token);
    if (judged.kind !== 'valid') throw refused(judged.kind);
    const sets = Object.keys(TOKEN_SCOPES).filter((scope) => judged.scopes.includes(scope));
    if (sets.length === 0) {
      const message = `This access token has none of the scopes ${Object.keys(TOKEN_SCOPES).join(', ')}.`;
      throw new GatewayError('forbidden', message);
    }
    const key = this.#recordOf(judged.subject, sets, nowMs);
    const agent: Agent = { key, endUserId: judged.subject, tools: undefined, ...(await this.#reach(judged.subject)) };
    // A user who has just connected must not get an old answer that a connection is missing.
    const keptMs = agent.missing.length > 0 ? 0 : CONNECTION_CACHE_MS;
    if (keptMs > 0) this.#agents.set(digest, agent, Math.min(judged.expiresAtMs, nowMs + keptMs));
    return agent;
  }

  #recordOf(subject: string, scopes: readonly string[], nowMs: number): SecretKeyRecord {
    const { settings, allMethods } = this.#deps;
    const id = `${signedInKeyHash(settings, subject)} ${scopes.join(' ')}`;
    const known = this.#records.get(id, nowMs);
    if (known !== undefined) return known;
    const record = signedInRecord(settings, allMethods, subject, scopes, nowMs);
    this.#records.set(id, record, nowMs + KEY_CACHE_MS);
    return record;
  }

  /** The end user's connections in the integrations of assistants, at most one of a provider (MC-30). */
  async #reach(subject: string): Promise<Pick<Agent, 'connections' | 'missing'>> {
    const { settings, integrations, lists, connections } = this.#deps;
    const accountId = FIRST_ACCOUNT_ID;
    const [page, known] = await Promise.all([
      lists.page(accountId, listsOfEndUser(subject), settings.integrations, {
        order: 'newest',
        after: undefined,
        count: CONNECTIONS_MAX,
      }),
      Promise.all(settings.integrations.map((integrationId) => integrations.get({ accountId, integrationId }))),
    ]);
    const read = await Promise.all(page.refs.map((ref) => connections.read(ref)));
    const theirs = read.filter(
      (one) => one !== undefined && one.status !== 'deleted' && endUserIdOf(one) === subject,
    ) as readonly Connection[];
    const reached: Connection[] = [];
    const missing: MissingConnection[] = [];
    for (const provider of new Set(known.flatMap((one) => one?.provider ?? []))) {
      const one = theOne(theirs, provider);
      const integrationId = known.find((integration) => integration?.provider === provider)?.integrationId;
      if (one === 'several') missing.push({ provider, integrationId: undefined });
      else if (one === undefined) missing.push({ provider, integrationId });
      else reached.push(one);
    }
    return {
      connections: reached.map(({ integrationId, connectionId }) => ({ accountId, integrationId, connectionId })),
      missing,
    };
  }
}

function refused(kind: 'invalid' | 'unavailable'): GatewayError {
  if (kind === 'unavailable') {
    const message = 'The gateway cannot fetch the keys with which it checks sign-ins. Try again.';
    return new GatewayError('service_unavailable', message, { retryAfterSec: 30 });
  }
  return new GatewayError('invalid_secret_key', 'This access token is not valid here or has expired. Sign in again.');
}

/** The connection of a provider that assistants have: the only one, or the one with the tag `agent: primary`. */
function theOne(all: readonly Connection[], provider: ProviderId): Connection | 'several' | undefined {
  const of = all.filter((one) => one.provider === provider);
  const primary = of.filter(({ tags }) => ownMember(tags, 'agent') === 'primary');
  const [one, ...others] = primary.length > 0 ? primary : of;
  return others.length > 0 ? 'several' : one;
}
