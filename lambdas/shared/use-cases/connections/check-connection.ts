import type { Connection } from '../../domain/connection.ts';
import { GatewayError } from '../../domain/errors.ts';
import type { GrantDeath } from '../../domain/grant-death.ts';
import type { ConnectionRef } from '../../domain/identifiers.ts';
import type { Integration } from '../../domain/integration.ts';
import type { Provider, ProviderEndpoints, ProviderId } from '../../domain/provider.ts';
import { tokenFreshness } from '../../domain/token-freshness.ts';
import type { Upstream } from '../../domain/upstream.ts';
import type { Clock, ConnectionStore, IntegrationStore, TokenCipher, UnconfirmedGrantStore } from '../../ports.ts';
import { accessTokenContext } from '../cipher-contexts.ts';
import type { ConnectionRefresher } from '../refresh/refresh-connection.ts';
import { refreshNow } from '../refresh/refresh-now.ts';
import { findConnection } from './find-connection.ts';
import { type HealthJudgement, judgeHealthCheck } from './judge-health-check.ts';
import { getAsUser, type SmallAnswer } from './send-small-request.ts';

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
