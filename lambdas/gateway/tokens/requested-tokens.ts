import type { Connection } from '../connections/connection.rules.ts';
import { unknownConnection } from '../connections/find-connection.ts';
import { epochSecNow } from '../core/clock.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import type { Clock, TokenCipher } from '../core/ports.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { TokenSource, UsableToken } from './access-tokens.ts';
import { accessTokenContext } from './ciphertexts.rules.ts';
import { tokenFreshness } from './freshness.rules.ts';
import { type RefreshedConnection, type RefreshNowDependencies, refreshNow } from './refresh-now.ts';

export interface RequestedTokensDependencies extends RefreshNowDependencies {
  readonly cipher: TokenCipher;
  readonly clock: Clock;
}

/** Why a call is not sent: the connection's grant has ended. */
export interface EndedGrant {
  readonly kind: 'dead';
  readonly death: GrantDeath;
}

/**
 * Tokens for calls that the gateway makes for itself as a connection's user. An expired token is refreshed first; after a refusal the
 * refresh is forced.
 *
 * @throws GatewayError `unknown_connection` for one that was deleted meanwhile, `integration_credentials_rejected`,
 * `token_refresh_unavailable`
 */
export function requestedTokens(
  deps: RequestedTokensDependencies,
  { connection, integration }: { readonly connection: Connection; readonly integration: Integration },
  requestId: string,
): TokenSource<UsableToken, EndedGrant> {
  const refresh = (current: Connection, force: boolean) => refreshNow(deps, current, integration, force, requestId);
  const opened = async (refreshed: RefreshedConnection): Promise<UsableToken | EndedGrant> => {
    if (refreshed.kind === 'dead') return refreshed;
    const { connection: current } = refreshed;
    if (current.death !== undefined) return { kind: 'dead', death: current.death };
    if (current.encryptedAccessToken === undefined) throw unknownConnection();
    const accessToken = await deps.cipher.decrypt(accessTokenContext(current), current.encryptedAccessToken);
    return { accessToken, connection: current };
  };
  return {
    async first() {
      const isExpired = tokenFreshness(connection, epochSecNow(deps.clock)) === 'expired';
      return opened(isExpired ? await refresh(connection, false) : { kind: 'fresh', connection });
    },
    renewed: async (refused) => opened(await refresh(refused.connection, true)),
  };
}
