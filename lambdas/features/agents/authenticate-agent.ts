import { BoundedCache } from '../../gateway/core/bounded-cache.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { GatewayRequest } from '../../gateway/core/http-message.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES, KEY_CACHE_MS } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { acceptedKey, bearerToken, isCompactJws } from '../../gateway/keys/credentials.rules.ts';
import { readKeyLimits } from '../../gateway/keys/key-limits.rules.ts';
import type { CallerStore, KeyGate } from '../../gateway/keys/ports.ts';
import { sentAuthorization } from '../../gateway/keys/sent-credential.rules.ts';
import { accountOfAgentKey, isAgentRecord, readAgentBinding } from './agent.rules.ts';
import type { Agent } from './agent.ts';
import type { AgentTokens } from './agent-tokens.ts';
import { refuseAgentsOverRest } from './over-rest.rules.ts';
import type { AgentsOverRest } from './settings.rules.ts';

export interface AuthenticateDependencies {
  readonly callers: Pick<CallerStore, 'load'>;
  readonly gate: KeyGate;
  readonly clock: Clock;
  readonly agentsOverRest: AgentsOverRest;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  /** Undefined where no issuer's tokens are taken. */
  readonly tokens: AgentTokens | undefined;
}

/** Shows whose assistant calls; a good key is remembered for a minute, a bad one never. */
export class AgentDirectory {
  readonly #deps: AuthenticateDependencies;
  readonly #agents = new BoundedCache<Agent>(CACHE_MAX_ENTRIES);

  constructor(deps: AuthenticateDependencies) {
    this.#deps = deps;
  }

  /**
   * The agent behind a request's head; nothing of its body is read (MC-32). How often an address sends a wrong key is not counted:
   * assistants of many users share the addresses of those who run them (MC-23).
   *
   * @param isCounted whether the request is one of the calls that a key may make in a minute
   * @throws GatewayError `missing_auth_header`, `invalid_headers`, `invalid_secret_key`, `key_expired`, `rate_limited`; `forbidden` where
   *   the deployment serves no assistants over REST (GA-21), and for tokens without a scope; `service_unavailable`
   */
  async resolve(request: Pick<GatewayRequest, 'headers'>, isCounted = true): Promise<Agent> {
    const agent = await this.#identify(request);
    if (isCounted) this.#deps.gate.countKey(agent.key.keyHash, this.#deps.clock.nowMs());
    return this.#deps.agentsOverRest === 'allow' ? agent : this.#onlyAgentic(agent);
  }

  /** The agent without the connections that its tools would call REST APIs for. @throws GatewayError `forbidden` where none is left */
  async #onlyAgentic(agent: Agent): Promise<Agent> {
    const found = await Promise.all(agent.connections.map((ref) => this.#deps.integrations.get(ref)));
    const connections = agent.connections.filter((_, at) => found[at]?.agentic === true);
    if (connections.length === 0) refuseAgentsOverRest(this.#deps.agentsOverRest);
    return { ...agent, connections, missing: [] };
  }

  async #identify({ headers }: Pick<GatewayRequest, 'headers'>): Promise<Agent> {
    const sent = bearerToken(sentAuthorization(headers)) ?? '';
    const accountId = accountOfAgentKey(sent);
    const nowMs = this.#deps.clock.nowMs();
    const { tokens } = this.#deps;
    if (tokens !== undefined && isCompactJws(sent)) return tokens.resolve(sent);
    if (accountId === undefined) throw wrongKey(sent);
    const keyHash = sha256Hex(sent);
    const agent = this.#agents.get(keyHash, nowMs) ?? (await this.#load(keyHash, accountId, nowMs));
    const expiresAt = readKeyLimits(agent.key.limits ?? {})?.expiresAt;
    if (expiresAt !== undefined && nowMs >= Date.parse(expiresAt)) {
      throw new GatewayError('key_expired', `This agent key ended at ${expiresAt}.`);
    }
    return agent;
  }

  async #load(keyHash: string, accountId: string, nowMs: number): Promise<Agent> {
    const loaded = await this.#deps.callers.load({ keyHash, integration: undefined, connection: undefined });
    const key = acceptedKey(loaded.key, { keyHash, accountId });
    const binding = key?.agent === undefined || !isAgentRecord(key) ? undefined : readAgentBinding(key.agent);
    if (key === undefined || binding === undefined) throw wrongKey('');
    const agent: Agent = {
      key,
      endUserId: binding.endUserId,
      connections: binding.connections.map((one) => ({ accountId, ...one })),
      tools: binding.tools,
      missing: [],
    };
    this.#agents.set(keyHash, agent, nowMs + KEY_CACHE_MS);
    return agent;
  }
}

/** The same error for every wrong key. Other credentials are recognized only by their form, and the error names their kind. */
function wrongKey(sent: string): GatewayError {
  const isSecretKey = sent.startsWith('sk_');
  return new GatewayError(
    'invalid_secret_key',
    isSecretKey
      ? 'This is a secret key, which belongs on a server. Assistants use agent keys (ak_…): POST /account/agents makes one.'
      : 'This agent key is not valid: it may be incomplete, revoked, or from another gateway. Send it as Authorization: Bearer <AGENT_KEY>.',
  );
}
