import type { Connection } from '../domain/connection.ts';
import type { Integration } from '../domain/integration.ts';
import {
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
  REFRESH_TOKENS_WARN_FROM,
  TESTING_GRANT_LIFETIME_SEC,
} from '../domain/limits.ts';
import { onlyIdentityScopes } from '../domain/scopes.ts';
import type { ConnectionStore } from '../ports.ts';

/** What lies ahead of a live grant. Times in epoch seconds; undefined = does not apply. */
export interface Forecasts {
  /** An External app in Testing loses every grant seven days after consent. */
  readonly testingModeEndsAtEpochSec: number | undefined;
  /** The end the user chose. */
  readonly accessEndsAtEpochSec: number | undefined;
  /** Live refresh tokens of the account under this client, once near Google's limit. */
  readonly refreshTokens: { readonly live: number; readonly limit: number } | undefined;
}

/** What others share with a connection; undefined where no identity was granted. */
export interface GrantNeighbours {
  /** Other live connections of the same provider account and Cloud project: one revocation ends them all. */
  readonly sharing: number;
  /** Live connections under the very same OAuth client, this one included. */
  readonly underClient: number;
}

/** Counts who shares a grant: one index query, bounded. */
export async function grantNeighbours(
  connections: ConnectionStore,
  connection: Connection,
): Promise<GrantNeighbours | undefined> {
  const subject = connection.providerAccount?.subject;
  if (subject === undefined) return undefined;
  const sharers = await connections.sharingGrant(
    connection.clientId,
    subject,
    REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT * 2,
  );
  const isOther = (sharer: (typeof sharers)[number]) =>
    sharer.accountId !== connection.accountId ||
    sharer.integrationId !== connection.integrationId ||
    sharer.connectionId !== connection.connectionId;
  const others = sharers.filter(isOther);
  return {
    sharing: others.length,
    underClient: others.filter(({ clientId }) => clientId === connection.clientId).length + 1,
  };
}

/** Foresees how a live grant will end; a dead one has nothing ahead. */
export function forecastsOf(
  connection: Connection,
  integration: Integration,
  neighbours: GrantNeighbours | undefined,
): Forecasts {
  const alive = connection.status === 'active';
  const endsWithTesting =
    integration.publishingStatus === 'testing' &&
    integration.audience === 'external' &&
    !onlyIdentityScopes(connection.grantedScopes);
  const live = neighbours?.underClient ?? 0;
  return {
    testingModeEndsAtEpochSec:
      alive && endsWithTesting ? connection.consentedAtEpochSec + TESTING_GRANT_LIFETIME_SEC : undefined,
    accessEndsAtEpochSec: alive ? connection.refreshTokenExpiresAtEpochSec : undefined,
    refreshTokens:
      alive && live >= REFRESH_TOKENS_WARN_FROM ? { live, limit: REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT } : undefined,
  };
}
