import type { UnconfirmedGrantStore } from '../../gateway/authorization/ports.ts';
import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { getAsUser, type SmallAnswer } from '../../gateway/connections/send-small-request.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { GrantDeath } from '../../gateway/core/grant-death.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import type { Upstream } from '../../gateway/core/upstream.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { Provider, ProviderEndpoints, ProviderId } from '../../gateway/providers/provider.rules.ts';
import { accessTokenContext } from '../../gateway/tokens/ciphertexts.rules.ts';
import { tokenFreshness } from '../../gateway/tokens/freshness.rules.ts';
import type { TokenCipher } from '../../gateway/tokens/ports.ts';
import { refreshNow } from '../../gateway/tokens/refresh-now.ts';
import type { ConnectionRefresher } from '../../gateway/tokens/refresher.ts';
import { type HealthJudgement, judgeHealthCheck } from './judge-health-check.ts';

export interface CheckConnectionDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly unconfirmed: Pick<UnconfirmedGrantStore, 'read'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly cipher: TokenCipher;
  readonly upstream: Upstream;
  readonly endpoints: ProviderEndpoints;
  readonly providerOf: (id: ProviderId) => Provider;
  readonly clock: Clock;
}

/** A connection that was tried out. */
export type CheckResult =
  | { readonly kind: 'judged'; readonly judgement: HealthJudgement; readonly upstreamStatus: number | undefined }
  | { readonly kind: 'dead'; readonly death: GrantDeath }
  /** The gateway could not get a token: the error says whose fault it is. */
  | { readonly kind: 'no_token'; readonly error: GatewayError };

/**
 * Makes one harmless call as the connection's user and says what came of it. A refused token is refreshed and tried once
 * more, as a proxied call would.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`
 */
export async function checkConnection(
  deps: CheckConnectionDependencies,
  ref: ConnectionRef,
  requestId: string,
): Promise<CheckResult> {
  const { connection, integration } = await findConnection(deps, ref);
  const expired = tokenFreshness(connection, Math.floor(deps.clock.nowMs() / 1000)) === 'expired';
  const ready = expired ? await renew(deps, connection, integration, false, requestId) : alive(connection);
  if (ready.kind !== 'alive') return ready;
  const answer = await call(deps, ready.connection, integration);
  if (answer.kind !== 'answered' || answer.status !== 401) return judged(answer);
  const renewed = await renew(deps, ready.connection, integration, true, requestId);
  return renewed.kind === 'alive' ? judged(await call(deps, renewed.connection, integration)) : renewed;
}

type Readiness = { readonly kind: 'alive'; readonly connection: Connection } | Exclude<CheckResult, { kind: 'judged' }>;

function alive(connection: Connection): Readiness {
  const { death } = connection;
  return death === undefined ? { kind: 'alive', connection } : { kind: 'dead', death };
}

async function renew(
  deps: CheckConnectionDependencies,
  connection: Connection,
  integration: Integration,
  force: boolean,
  requestId: string,
): Promise<Readiness> {
  try {
    const outcome = await refreshNow(deps.refresher, connection, integration, force, requestId);
    return alive(outcome.connection);
  } catch (error) {
    if (error instanceof GatewayError && error.code !== 'unknown_connection') return { kind: 'no_token', error };
    throw error;
  }
}

async function call(
  deps: CheckConnectionDependencies,
  connection: Connection,
  integration: Integration,
): Promise<SmallAnswer> {
  if (connection.encryptedAccessToken === undefined) return { kind: 'failed', reason: 'invalid_response' };
  const accessToken = await deps.cipher.decrypt(accessTokenContext(connection), connection.encryptedAccessToken);
  const { healthCheckPath } = deps.providerOf(integration.provider);
  return getAsUser(deps.upstream, deps.endpoints.apiOrigin, healthCheckPath, accessToken);
}

function judged(answer: SmallAnswer): CheckResult {
  const upstreamStatus = answer.kind === 'answered' ? answer.status : undefined;
  return { kind: 'judged', judgement: judgeHealthCheck(answer), upstreamStatus };
}
