import {
  type Connection,
  type EndUser,
  NO_REFRESH_UNDER_WAY,
  NOTHING_KNOWN_OF_GRANT,
  type TokenSet,
  type WholeConnection,
} from '../../gateway/connections/connection.rules.ts';
import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { healthWord, isDeclaredTesting, nextLookAt } from '../../gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import type { Upstream } from '../../gateway/core/http-message.ts';
import { type ConnectionRef, keptPrints, newConnectionId, numericId } from '../../gateway/core/identifiers.ts';
import {
  IMPORTED_TIME_MIN_EPOCH_SEC,
  IMPORTED_TIME_SLACK_SEC,
  REQUESTED_REFRESH_BUDGET_MS,
  TOKEN_CALL_TIMEOUT_MS,
  TOKEN_LIFETIME_MAX_SEC,
} from '../../gateway/core/limits.ts';
import type { Clock, Logger, Random, TokenCipher } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { ProviderEndpoints, ProviderId } from '../../gateway/providers/provider.rules.ts';
import { onlyIdentityScopes, uniqueScopes } from '../../gateway/providers/scopes.rules.ts';
import { accessTokenContext, refreshTokenContext } from '../../gateway/tokens/ciphertexts.rules.ts';
import { nextRefreshAt, type RefreshPolicy } from '../../gateway/tokens/freshness.rules.ts';
import { noteGrant } from '../../gateway/tokens/note-grant.ts';
import type { ConsentLog, TokenEndpoint } from '../../gateway/tokens/ports.ts';
import { callTokenEndpoint } from '../../gateway/tokens/token-endpoint.ts';
import { identifyAccount } from './identify-account.ts';
import { mirroredTags } from './update-description.ts';

export interface ImportConnectionDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly consents: Pick<ConsentLog, 'note'>;
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly upstream: Upstream;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshPolicy: RefreshPolicy;
  readonly logger: Logger;
}

/** A grant from elsewhere. */
export interface ImportedGrant {
  /** Undefined: one is made. */
  readonly connectionId: string | undefined;
  readonly refreshToken: string;
  /** Time of the consent, where known. */
  readonly consentedAtEpochSec: number | undefined;
  /** As sent; validated but not stored, because the import gets a new access token. */
  readonly accessTokenExpiresAtEpochSec: number | undefined;
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string;
  readonly actor: string;
}

/**
 * Imports a grant whose refresh token the caller has. The token is used once before anything is stored, which proves that it is alive
 * and belongs to this integration's OAuth client, and shows its scopes.
 *
 * @throws GatewayError `unknown_integration`, `invalid_body`, `conflict`, `integration_credentials_rejected`,
 * `token_refresh_unavailable`
 */
export async function importConnection(
  deps: ImportConnectionDependencies,
  integrationRef: { readonly accountId: string; readonly integrationId: string },
  grant: ImportedGrant,
): Promise<{ readonly connection: Connection; readonly integration: Integration }> {
  const nowEpochSec = epochSecNow(deps.clock);
  const problems = timeProblems(grant, nowEpochSec);
  if (problems.length > 0) throw refusal('invalid_body', problems);
  const integration = await findIntegration(deps, integrationRef);
  if (integration.delegation !== undefined) {
    const message = 'an integration of kind delegated takes a subject, and no refresh token';
    throw refusal('invalid_body', [{ path: 'credentials', message }]);
  }
  const connectionId = grant.connectionId ?? newConnectionId(deps.random);
  const ref: ConnectionRef = { ...integrationRef, connectionId };
  const previous = await deps.connections.read(ref);
  if (previous !== undefined && previous.status !== 'deleted') throw taken();
  const { clientId, tokens } = await proveToken(deps, integration, grant.refreshToken);
  const grantedScopes = uniqueScopes(tokens.grantedScopes ?? integration.scopes);
  if (onlyIdentityScopes(grantedScopes)) {
    throw refusal('invalid_body', [
      { path: 'credentials.refresh_token', message: 'grants sign-in only, so no call could be made with it' },
    ]);
  }
  const account = await identifyAccount(
    deps.upstream,
    deps.endpointsOf(integration.provider),
    tokens.accessToken,
    grantedScopes,
  );
  const connection = await build(deps, integration, ref, grant, { clientId, tokens, grantedScopes, account, previous });
  const event = newEvent(deps.clock, deps.random, 'ConnectionCreated', {
    subject: ref,
    sequence: connection.sequence,
    endUserId: grant.endUser?.id,
    says: { reason: 'imported' },
    health: healthWord(connection, { ...integration, clientFault: undefined }, epochSecNow(deps.clock)),
    requestId: grant.requestId,
    actor: grant.actor,
  });
  if (!(await deps.connections.save(connection, previous, event))) throw taken();
  await noteGrant(deps, integration, { ...connection, account }, false, grant.requestId);
  return { connection, integration };
}

/** Impossible times: seconds mistaken for milliseconds, a wrong clock, a consent in the future (TK-15). */
export function timeProblems(
  grant: Pick<ImportedGrant, 'consentedAtEpochSec' | 'accessTokenExpiresAtEpochSec'>,
  nowEpochSec: number,
): Problem[] {
  const latestEpochSec = nowEpochSec + IMPORTED_TIME_SLACK_SEC;
  const lies = (epochSec: number | undefined, untilEpochSec: number) =>
    epochSec === undefined || (epochSec >= IMPORTED_TIME_MIN_EPOCH_SEC && epochSec <= untilEpochSec);
  const problems: Problem[] = [];
  if (!lies(grant.consentedAtEpochSec, latestEpochSec)) {
    problems.push({
      path: 'consented_at',
      message: 'must be between 2004 and now; omit it if unknown',
    });
  }
  if (!lies(grant.accessTokenExpiresAtEpochSec, latestEpochSec + TOKEN_LIFETIME_MAX_SEC)) {
    problems.push({
      path: 'credentials.expires_at',
      message: 'must be between 2004 and a day from now, when every access token has expired; it may be omitted',
    });
  }
  return problems;
}

async function proveToken(
  deps: ImportConnectionDependencies,
  integration: Integration,
  refreshToken: string,
): Promise<{ readonly clientId: string; readonly tokens: TokenSet }> {
  const clientId = (await deps.credentials.get(integration))?.clientId;
  if (clientId === undefined) throw rejected('it has no OAuth client id and secret yet');
  const call = await callTokenEndpoint(deps, {
    integration,
    clientId,
    refreshToken,
    callTimeoutMs: TOKEN_CALL_TIMEOUT_MS,
    untilMs: deps.clock.nowMs() + REQUESTED_REFRESH_BUDGET_MS,
  });
  if (call.kind === 'no_credentials' || call.kind === 'client_changed')
    throw rejected('its OAuth client has just changed');
  if (call.kind === 'unanswered') throw unavailable(undefined);
  switch (call.judgement.kind) {
    case 'tokens':
      return { clientId, tokens: call.judgement.tokens };
    case 'dead_grant':
      throw unusable(
        call.judgement.error === 'access_denied'
          ? 'the provider restricts the account it belongs to (access_denied): the user or their administrator has to lift that first'
          : `the provider refuses it (${call.judgement.error}): it has ended, or belongs to another OAuth client than this integration's`,
      );
    case 'refused':
      throw unusable(
        call.judgement.error === 'unauthorized_client'
          ? "this token belongs to another OAuth client than this integration's (unauthorized_client)"
          : `the provider refuses it (${call.judgement.error})`,
      );
    case 'client_fault':
      throw rejected(`the provider refuses its OAuth client (${call.judgement.error})`);
    case 'transient':
      throw unavailable(call.judgement.retryAfterSec);
  }
}

interface Proven {
  readonly clientId: string;
  readonly tokens: TokenSet;
  readonly grantedScopes: readonly string[];
  readonly account: Connection['providerAccount'];
  readonly previous: Connection | undefined;
}

async function build(
  deps: ImportConnectionDependencies,
  integration: Integration,
  ref: ConnectionRef,
  grant: ImportedGrant,
  { clientId, tokens, grantedScopes, account, previous }: Proven,
): Promise<Connection> {
  const nowMs = deps.clock.nowMs();
  const nowEpochSec = Math.floor(nowMs / 1000);
  const refreshToken = tokens.refreshToken ?? grant.refreshToken;
  const { server } = deps.endpointsOf(integration.provider);
  const [encryptedAccessToken, encryptedRefreshToken] = await Promise.all([
    deps.cipher.encrypt(accessTokenContext(ref), tokens.accessToken),
    deps.cipher.encrypt(refreshTokenContext(ref), refreshToken),
  ]);
  const epoch = (previous?.epoch ?? 0) + 1;
  const connection: WholeConnection = {
    ...ref,
    provider: integration.provider,
    status: 'active',
    death: undefined,
    encryptedAccessToken,
    encryptedRefreshToken,
    tokenPrints: keptPrints(refreshToken, server.grants.endsAreStated),
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    requestedScopes: integration.scopes,
    grantedScopes,
    clientId,
    providerAccount: account,
    // Never later than the import, or it would count as a consent after a revocation in the next minute (TK-15).
    consentedAtEpochSec: Math.min(grant.consentedAtEpochSec ?? nowEpochSec, nowEpochSec),
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
    testingAtConsent: isDeclaredTesting(integration),
    epoch,
    tokenEpoch: epoch,
    ...NO_REFRESH_UNDER_WAY,
    ...NOTHING_KNOWN_OF_GRANT,
    delegated: undefined,
    language: undefined,
    callsRecordedUntilEpochSec: undefined,
    budget: undefined,
    refreshAtEpochSec: undefined,
    lastUsedAtEpochSec: undefined,
    lastRefreshedAtEpochSec: nowEpochSec,
    sequence: (previous?.sequence ?? 0) + 1,
    numericId: numericId(nowMs, deps.random),
    endUser: grant.endUser,
    tags: mirroredTags(grant.tags, grant.endUser),
    metadata: grant.metadata,
    createdAt: new Date(nowMs).toISOString(),
    updatedAt: new Date(nowMs).toISOString(),
  };
  const refreshAt = nextRefreshAt(
    connection,
    tokens.accessTokenExpiresAtEpochSec,
    undefined,
    nowEpochSec,
    deps.refreshPolicy,
  );
  // Not refreshed until used; a known end is still reported in time and detected afterwards.
  const lookAt = nextLookAt(connection, integration, nowEpochSec) ?? refreshAt;
  return { ...connection, refreshAtEpochSec: Math.min(refreshAt, lookAt) };
}

function taken(): GatewayError {
  return new GatewayError('conflict', 'There is already a connection with this connection_id under this integration.');
}

function unusable(why: string): GatewayError {
  return refusal('invalid_body', [{ path: 'credentials.refresh_token', message: `${why}. Nothing was imported.` }]);
}

function rejected(why: string): GatewayError {
  return new GatewayError(
    'integration_credentials_rejected',
    `The integration cannot be used: ${why}. Nothing was imported.`,
  );
}

function unavailable(retryAfterSec: number | undefined): GatewayError {
  return new GatewayError(
    'token_refresh_unavailable',
    'The provider could not confirm the refresh token right now. Nothing was imported; try again.',
    { retryAfterSec: Math.max(1, retryAfterSec ?? 5) },
  );
}
