import type { Connection } from '../connections/connection.rules.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import { REQUESTED_REFRESH_BUDGET_MS } from '../core/limits.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import { refreshError } from './access-tokens.ts';
import type { ConnectionRefresher } from './refresher.ts';

export interface RefreshNowDependencies {
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
}

/** A connection after a requested refresh: active, or dead with its cause. */
export type RefreshedConnection =
  | { readonly kind: 'fresh'; readonly connection: Connection }
  | { readonly kind: 'dead'; readonly connection: Connection; readonly death: GrantDeath };

/**
 * Refreshes on request.
 *
 * @param force also past a back-off, and for a connection marked dead: it is active again when the provider accepts its token
 * @throws GatewayError `unknown_connection`, `integration_credentials_rejected`, `token_refresh_unavailable`
 */
export async function refreshNow(
  deps: RefreshNowDependencies,
  connection: Connection,
  integration: Integration,
  force: boolean,
  requestId: string,
): Promise<RefreshedConnection> {
  const outcome = await deps.refresher.refresh(connection, integration, {
    wait: true,
    force,
    budgetMs: REQUESTED_REFRESH_BUDGET_MS,
    requestId,
  });
  switch (outcome.kind) {
    case 'fresh':
      return { kind: 'fresh', connection: outcome.connection };
    case 'dead':
      return { kind: 'dead', connection: outcome.connection, death: outcome.death };
    default:
      throw refreshError(outcome, 'asked', deps.endpointsOf(connection.provider).server);
  }
}
