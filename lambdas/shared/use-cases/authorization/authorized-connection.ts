import { type Connection, NO_REFRESH_UNDER_WAY } from '../../domain/connection.ts';
import { isDeclaredTesting, nextWarningAt } from '../../domain/forecast.ts';
import type { ConnectionRef } from '../../domain/identifiers.ts';
import type { RefreshPolicy } from '../../domain/refresh-policy.ts';
import { uniqueScopes } from '../../domain/scopes.ts';
import { nextRefreshAt } from '../../domain/token-freshness.ts';
import type { Random } from '../../ports.ts';
import { numericId } from '../connections/numeric-id.ts';
import type { GrantedAuthorization } from './store-connection.ts';

/** A grant with everything that goes into its row. */
export interface ConnectionParts extends GrantedAuthorization {
  readonly ref: ConnectionRef;
  /** The row to be replaced, deleted ones included. */
  readonly previous: Connection | undefined;
  readonly encryptedAccessToken: string;
  readonly encryptedRefreshToken: string;
  readonly nowMs: number;
  readonly random: Random;
  readonly refreshPolicy: RefreshPolicy;
}

/**
 * The connection after an authorization: new tokens and scopes, the old identity, age, description and history. Its
 * `sequence` is still the previous one.
 */
export function authorizedConnection(parts: ConnectionParts): Connection {
  const { ref, pending, session, integration, tokens, previous, nowMs } = parts;
  const existing = previous?.status === 'deleted' ? undefined : previous;
  const nowEpochSec = Math.floor(nowMs / 1000);
  const now = new Date(nowMs).toISOString();
  const epoch = (previous?.epoch ?? 0) + 1;
  const connection: Connection = {
    ...ref,
    provider: integration.provider,
    status: 'active',
    death: undefined,
    encryptedAccessToken: parts.encryptedAccessToken,
    encryptedRefreshToken: parts.encryptedRefreshToken,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    requestedScopes: pending.requestedScopes,
    grantedScopes: uniqueScopes(tokens.grantedScopes ?? pending.askedScopes),
    clientId: pending.clientId,
    providerAccount: parts.account,
    consentedAtEpochSec: nowEpochSec,
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
    testingAtConsent: isDeclaredTesting(integration),
    // Raised, so that a refresh in flight for the old grant can no longer write; equal, so that its escrow is outdated.
    epoch,
    tokenEpoch: epoch,
    ...NO_REFRESH_UNDER_WAY,
    refreshAtEpochSec: undefined,
    // A new connection is about to be used: keep it warm for its first day.
    lastUsedAtEpochSec: nowEpochSec,
    lastRefreshedAtEpochSec: undefined,
    sequence: previous?.sequence ?? 0,
    numericId: existing?.numericId ?? numericId(nowMs, parts.random),
    endUser: session.endUser ?? existing?.endUser,
    tags: Object.keys(session.tags).length > 0 ? session.tags : (existing?.tags ?? {}),
    metadata: existing?.metadata,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
  };
  const refreshAt = nextRefreshAt(
    connection,
    connection.accessTokenExpiresAtEpochSec,
    nowEpochSec,
    nowEpochSec,
    parts.refreshPolicy,
  );
  // Where nothing is refreshed ahead of use, a known end is announced in time all the same.
  const warningAt = nextWarningAt(connection, integration, nowEpochSec) ?? refreshAt;
  return { ...connection, refreshAtEpochSec: Math.min(refreshAt, warningAt) };
}
