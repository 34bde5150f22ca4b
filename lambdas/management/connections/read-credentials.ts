import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import type { Clock, Random, TokenCipher } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { AuditTrail } from '../../gateway/events/ports.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { deadConnection } from '../../gateway/tokens/access-tokens.ts';
import { accessTokenContext, refreshTokenContext } from '../../gateway/tokens/ciphertexts.rules.ts';
import { tokenFreshness } from '../../gateway/tokens/freshness.rules.ts';
import { type RefreshNowDependencies, refreshNow } from '../../gateway/tokens/refresh-now.ts';

export interface ReadCredentialsDependencies extends RefreshNowDependencies {
  readonly cipher: TokenCipher;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly random: Random;
}

/** Tokens in clear, for a caller that may have them. */
export interface ReadCredentials {
  readonly accessToken: string;
  readonly expiresAtEpochSec: number;
  /** Only where it was asked for. */
  readonly refreshToken: string | undefined;
}

/**
 * A usable access token of a connection, and its refresh token on request. The read is in the audit trail before the
 * tokens are returned (TK-12, LG-5).
 *
 * @throws GatewayError `reauthorization_required` and errors of `refreshNow`
 */
export async function readCredentials(
  deps: ReadCredentialsDependencies,
  known: { readonly connection: Connection; readonly integration: Integration },
  request: { readonly withRefreshToken: boolean; readonly requestId: string; readonly actor: string },
): Promise<{ readonly connection: Connection; readonly credentials: ReadCredentials | undefined }> {
  const connection = await usable(deps, known, request.requestId);
  const { encryptedAccessToken, encryptedRefreshToken } = connection;
  if (encryptedAccessToken === undefined) return { connection, credentials: undefined };
  const [accessToken, refreshToken] = await Promise.all([
    deps.cipher.decrypt(accessTokenContext(connection), encryptedAccessToken),
    // A service account has none: its row contains the user instead.
    request.withRefreshToken && encryptedRefreshToken !== undefined && connection.delegated !== true
      ? deps.cipher.decrypt(refreshTokenContext(connection), encryptedRefreshToken)
      : undefined,
  ]);
  await deps.audit.append(
    newEvent(deps.clock, deps.random, 'ConnectionCredentialsRead', {
      subject: {
        accountId: connection.accountId,
        integrationId: connection.integrationId,
        connectionId: connection.connectionId,
      },
      sequence: 0,
      endUserId: connection.endUser?.id,
      says: { credentials: request.withRefreshToken ? 'refresh_token' : 'access_token' },
      requestId: request.requestId,
      actor: request.actor,
    }),
  );
  return {
    connection,
    credentials: { accessToken, refreshToken, expiresAtEpochSec: connection.accessTokenExpiresAtEpochSec },
  };
}

async function usable(
  deps: ReadCredentialsDependencies,
  { connection, integration }: { readonly connection: Connection; readonly integration: Integration },
  requestId: string,
): Promise<Connection> {
  if (connection.death !== undefined) throw deadConnection(connection.death);
  if (tokenFreshness(connection, epochSecNow(deps.clock)) !== 'expired') return connection;
  const outcome = await refreshNow(deps, connection, integration, false, requestId);
  if (outcome.kind === 'dead') throw deadConnection(outcome.death);
  return outcome.connection;
}
