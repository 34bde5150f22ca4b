import { missingAccess } from '../../gateway/authorization/requested-access.rules.ts';
import { authorizedConnection } from '../../gateway/authorization/store-connection.ts';
import type {
  Connection,
  ConnectionSummary,
  EndUser,
  ProviderAccount,
} from '../../gateway/connections/connection.rules.ts';
import type { UnconfirmedGrant } from '../../gateway/connections/unconfirmed-grant.rules.ts';
import { deathOnTheWire } from '../../gateway/http/error-response.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { RefreshPolicy } from '../../gateway/tokens/freshness.rules.ts';
import type { RevocationReport } from '../../gateway/tokens/revoke-grant.ts';
import type { Forecasts, GrantSharing } from '../connections/describe-connection.ts';
import type { ReadCredentials } from '../connections/read-credentials.ts';
import { isoTime, isoTimeOrNull } from '../integrations/integration-routes.ts';

/** A connection in a list. */
export function connectionListItem(connection: Omit<ConnectionSummary, 'position'>): Record<string, unknown> {
  return { ...shared(connection), created: connection.createdAt, cause: connection.cause ?? null };
}

/** The same with the time of its last use, which a list shows where it was asked for. */
export function usedConnectionListItem(
  connection: Omit<ConnectionSummary, 'position'> & { readonly lastUsedAtEpochSec?: number | undefined },
): Record<string, unknown> {
  return { ...connectionListItem(connection), last_used_at: isoTimeOrNull(connection.lastUsedAtEpochSec) };
}

/** A connection by itself. `credentials` is empty unless the key may read them. */
export function connectionOnTheWire(
  connection: Connection,
  about: {
    readonly sharing: GrantSharing | undefined;
    readonly forecasts: Forecasts;
    readonly credentials: ReadCredentials | undefined;
  },
): Record<string, unknown> {
  const { forecasts, sharing, credentials } = about;
  const limit = forecasts.refreshTokenLimit;
  return {
    ...shared({ ...connection, cause: connection.death?.cause }),
    connection_config: {},
    webhook_url_override: null,
    created_at: connection.createdAt,
    updated_at: connection.updatedAt,
    last_fetched_at: isoTimeOrNull(connection.lastUsedAtEpochSec),
    credentials: credentials === undefined ? {} : credentialsOnTheWire(connection, credentials),
    cause: connection.death?.cause ?? null,
    death: connection.death === undefined ? null : deathOnTheWire(connection.death),
    requested_scopes: connection.requestedScopes,
    granted_scopes: connection.grantedScopes,
    missing_scopes: missingAccess(connection.requestedScopes, connection.grantedScopes),
    consented_at: isoTime(connection.consentedAtEpochSec),
    access_token_expires_at: isoTime(connection.accessTokenExpiresAtEpochSec),
    last_used_at: isoTimeOrNull(connection.lastUsedAtEpochSec),
    last_refreshed_at: isoTimeOrNull(connection.lastRefreshedAtEpochSec),
    shares_grant_with: sharing?.sharing ?? null,
    forecasts: {
      testing_mode_ends_at: isoTimeOrNull(forecasts.testingModeEndsAtEpochSec),
      access_ends_at: isoTimeOrNull(forecasts.accessEndsAtEpochSec),
      refresh_token_limit: limit === undefined ? null : { live: limit.live, limit: limit.limit },
    },
  };
}

/** What will be a connection once it is confirmed: shown as one that cannot be used. */
export function unconfirmedOnTheWire(
  unconfirmed: UnconfirmedGrant,
  integration: Integration,
  policy: RefreshPolicy,
): Record<string, unknown> {
  const { ref, grant, endUser, tags, numericId } = unconfirmed;
  const nowMs = grant.consentedAtEpochSec * 1000;
  const connection = authorizedConnection({
    ref,
    grant,
    integration,
    endUser,
    tags,
    numericId,
    nowMs,
    previous: undefined,
    refreshPolicy: policy,
  });
  const forecasts = {
    testingModeEndsAtEpochSec: undefined,
    accessEndsAtEpochSec: undefined,
    refreshTokenLimit: undefined,
  };
  return {
    ...connectionOnTheWire(connection, { sharing: undefined, forecasts, credentials: undefined }),
    status: 'pending_confirmation',
    errors: [{ type: 'auth', log_id: ref.connectionId }],
    last_used_at: null,
    last_fetched_at: null,
  };
}

/** What became of the grant at the provider after a deletion. */
export function revocationOnTheWire(report: RevocationReport): Record<string, unknown> {
  return {
    status: report.status,
    reason: report.reason ?? null,
    retry_at: isoTimeOrNull(report.retryAtEpochSec),
    shares_grant_with: report.sharing ?? null,
  };
}

function shared(connection: Omit<ConnectionSummary, 'position'>): Record<string, unknown> {
  const dead = connection.status === 'reauthorization_required';
  return {
    id: connection.numericId,
    connection_id: connection.connectionId,
    provider_config_key: connection.integrationId,
    provider: connection.provider,
    // The timeline under this id tells more: GET /connections/{id}/events.
    errors: dead ? [{ type: 'auth', log_id: connection.connectionId }] : [],
    end_user: connection.endUser === undefined ? null : endUserOnTheWire(connection.endUser),
    tags: connection.tags,
    metadata: connection.metadata ?? null,
    status: connection.status,
    provider_account: connection.providerAccount === undefined ? null : accountOnTheWire(connection.providerAccount),
  };
}

function accountOnTheWire({ subject, email, hostedDomain }: ProviderAccount): Record<string, unknown> {
  return { subject, email, ...(hostedDomain === undefined ? {} : { hosted_domain: hostedDomain }) };
}

function endUserOnTheWire(endUser: EndUser): Record<string, unknown> {
  const { organization } = endUser;
  return {
    id: endUser.id,
    display_name: endUser.displayName,
    email: endUser.email,
    tags: endUser.tags,
    organization: organization === null ? null : { id: organization.id, display_name: organization.displayName },
  };
}

function credentialsOnTheWire(connection: Connection, credentials: ReadCredentials): Record<string, unknown> {
  const { accessToken, refreshToken } = credentials;
  const expiresAt = isoTime(credentials.expiresAtEpochSec);
  const tokens = { access_token: accessToken, expires_at: expiresAt };
  if (refreshToken === undefined) return { type: 'OAUTH2', ...tokens };
  return {
    type: 'OAUTH2',
    ...tokens,
    refresh_token: refreshToken,
    raw: { ...tokens, refresh_token: refreshToken, token_type: 'Bearer', scope: connection.grantedScopes.join(' ') },
  };
}
