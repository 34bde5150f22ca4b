import type { Connection } from '../connections/connection.rules.ts';
import { GatewayError } from '../core/errors.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import { REQUESTED_REFRESH_BUDGET_MS } from '../core/limits.ts';
import { explainRefusal } from '../integrations/client-fault.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ConnectionRefresher } from './refresher.ts';

/** A connection after a refresh that was asked for: alive, or dead with its cause. */
export type RefreshedConnection =
  | { readonly kind: 'fresh'; readonly connection: Connection }
  | { readonly kind: 'dead'; readonly connection: Connection; readonly death: GrantDeath };

/**
 * Refreshes because somebody asks.
 *
 * @param force also past a back-off, and for a connection marked dead: it lives again when the provider takes its token
 * @throws GatewayError `unknown_connection`, `integration_credentials_rejected`, `token_refresh_unavailable`
 */
export async function refreshNow(
  refresher: Pick<ConnectionRefresher, 'refresh'>,
  connection: Connection,
  integration: Integration,
  force: boolean,
  requestId: string,
): Promise<RefreshedConnection> {
  const outcome = await refresher.refresh(connection, integration, {
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
    case 'gone':
      throw new GatewayError('unknown_connection', 'There is no connection with this id under this integration.');
    case 'client_fault':
      throw new GatewayError(
        'integration_credentials_rejected',
        `The provider refuses this integration's OAuth client (${outcome.error}). Correct its client id and secret; the connection is not at fault.`,
      );
    case 'transient':
      throw new GatewayError(
        'token_refresh_unavailable',
        outcome.refused === true
          ? explainRefusal(outcome.reason)
          : 'The token cannot be refreshed right now. The connection is not at fault; try again.',
        { retryAfterSec: Math.max(1, outcome.retryAfterSec) },
      );
    case 'busy':
      throw new GatewayError('token_refresh_unavailable', 'The token is being refreshed. Try again.', {
        retryAfterSec: 1,
      });
  }
}
