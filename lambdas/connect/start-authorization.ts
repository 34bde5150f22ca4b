import { authorizationUrl } from '../gateway/authorization/authorization-url.rules.ts';
import {
  type ConnectSession,
  type PendingAuthorization,
  type PendingPick,
  reconnectTarget,
  requiredDomain,
  startObstacle,
} from '../gateway/authorization/connect-session.rules.ts';
import { pickObstacle } from '../gateway/authorization/pick.rules.ts';
import type { ConnectSessionStore } from '../gateway/authorization/ports.ts';
import { decideAccess, type RequestedAccess } from '../gateway/authorization/requested-access.rules.ts';
import { reusableConnections } from '../gateway/authorization/reusable-connection.ts';
import { type LimitRateDependencies, limitRate } from '../gateway/calls/limit-rate.ts';
import type { Connection } from '../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import { epochSecNow } from '../gateway/core/clock.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import { newConnectionId, sha256Base64url, sha256Hex } from '../gateway/core/identifiers.ts';
import { AUTHORIZATION_LIFETIME_SEC } from '../gateway/core/limits.ts';
import { ownMember } from '../gateway/core/own-member.ts';
import type { Random, TokenCipher } from '../gateway/core/ports.ts';
import { newEvent, sessionActor } from '../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { ClientIdSource, IntegrationStore } from '../gateway/integrations/ports.ts';
import { LANGUAGES, type Language } from '../gateway/languages/language.rules.ts';
import type { ProviderEndpoints, ProviderId, Providers } from '../gateway/providers/provider.rules.ts';
import { codeVerifierContext } from '../gateway/tokens/ciphertexts.rules.ts';
import { chooseIntegration, chooseScopes, usableClientId } from './choose-integration.ts';

export interface StartDependencies extends LimitRateDependencies {
  readonly sessions: ConnectSessionStore;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly clientIds: ClientIdSource;
  readonly cipher: TokenCipher;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly providers: Providers;
  readonly baseUrl: string;
  readonly random: Random;
}

export interface StartRequest {
  /** May be left out when the session allows exactly one. */
  readonly integrationId: string | undefined;
  /** Value of the binding cookie that this browser already has, if it is a valid one. */
  readonly bindingCookie: string | undefined;
  /** Checked origin of the window that waits for the result. */
  readonly openerOrigin: string | undefined;
  /** Language of the starting page; the session's takes precedence. */
  readonly language: Language;
  /** The browser's choices where the session fixed nothing; already checked. */
  readonly wishes?: StartWishes | undefined;
  readonly requestId: string;
}

/** Scopes and authorization parameters that a browser may choose itself. */
export interface StartWishes {
  readonly scopes: readonly string[] | undefined;
  /** Of `login_hint`, `hd`, `include_granted_scopes`, `prompt`. */
  readonly authorizationParams: Readonly<Record<string, string>>;
}

/** The address to open, and the cookie that binds the flow to the browser. */
export interface StartedAuthorization {
  readonly authorizationUrl: string;
  readonly bindingCookie: string;
  readonly integrationId: string;
}

/**
 * Starts an authorization for a connect session: state, PKCE, nonce and browser binding are new each time; only their
 * hashes or ciphertext are stored (OA-1, OA-3, CS-3, CS-4). A start that is refused takes nothing from the account's share
 * of starts, so that flooding one link leaves every other link working (CS-16).
 *
 * @throws GatewayError `invalid_body`, `unknown_integration`, `integration_credentials_rejected`, `conflict`,
 *   `rate_limited`
 */
export async function startAuthorization(
  deps: StartDependencies,
  session: ConnectSession,
  request: StartRequest,
): Promise<StartedAuthorization> {
  const knownBrowser = request.bindingCookie === undefined ? undefined : sha256Hex(request.bindingCookie);
  const obstacle = startObstacle(session, knownBrowser);
  if (obstacle !== undefined) throw notStarted(obstacle);
  const integration = await chooseIntegration(deps.integrations, session, request.integrationId);
  const { integrationId } = integration;
  const endpoints = deps.endpointsOf(integration.provider);
  const language = session.language ?? request.language;
  const clientId = await usableClientId(deps.clientIds, integration);
  const token = (bytes: number) => Buffer.from(deps.random.bytes(bytes)).toString('base64url');
  const target = reconnectTarget(session);
  const existing = await livingConnection(deps, session, target);
  // With the account of several, the user chooses.
  const reusable = target === undefined ? await reusableConnections(deps.connections, session, integrationId) : [];
  const expected = existing ?? (reusable.length === 1 ? reusable[0] : undefined);
  const defaults = ownMember(session.defaults, integrationId);
  const params = { ...request.wishes?.authorizationParams, ...defaults?.authorizationParams };
  const hostedDomain = requiredDomain(integration.hostedDomain, defaults?.authorizationParams.hd);
  const wantedScopes = chooseScopes(session, integration, request.wishes?.scopes);
  const pick = session.pick === undefined ? undefined : pickAccess(deps, integration, existing, clientId);
  const usual = decideAccess({
    wantedScopes,
    existing: existing?.status === 'active' ? existing : undefined,
    clientId,
    includeParameter:
      params.include_granted_scopes === undefined ? undefined : params.include_granted_scopes === 'true',
    integrationIncludes: integration.includeGrantedScopes,
    server: endpoints.server,
  });
  // The picker's scope is the only one: identity scopes with it break the picker (PK-5).
  const access: RequestedAccess =
    pick === undefined
      ? usual
      : { askedScopes: wantedScopes, expectedScopes: wantedScopes, includeGrantedScopes: false };
  const secrets = {
    state: token(32),
    codeVerifier: token(48),
    nonce: token(24),
    cookie: request.bindingCookie ?? token(32),
  };
  const stateHash = sha256Hex(secrets.state);
  const nowEpochSec = epochSecNow(deps.clock);
  const redirectUri = `${deps.baseUrl}/oauth/callback`;
  const pending: PendingAuthorization = {
    stateHash,
    accountId: session.accountId,
    integrationId,
    connectionId: target?.connectionId ?? newConnectionId(deps.random),
    sessionHash: session.sessionHash,
    isReconnect: target !== undefined,
    pick,
    clientId,
    issuer: endpoints.issuer,
    redirectUri,
    requestedScopes: access.expectedScopes,
    askedScopes: access.askedScopes,
    integrationScopes: integration.scopes,
    // A pick returns no ID token: its account is compared with the connection's.
    hostedDomain: pick === undefined ? hostedDomain : undefined,
    encryptedCodeVerifier: await deps.cipher.encrypt(
      codeVerifierContext(session.accountId, integrationId, stateHash),
      secrets.codeVerifier,
    ),
    nonce: secrets.nonce,
    browserHash: sha256Hex(secrets.cookie),
    openerOrigin: request.openerOrigin,
    language,
    createdAtEpochSec: nowEpochSec,
    expiresAtEpochSec: nowEpochSec + AUTHORIZATION_LIFETIME_SEC,
  };
  const event = newEvent(deps.clock, deps.random, 'AuthorizationStarted', {
    subject:
      target === undefined
        ? { accountId: session.accountId, integrationId }
        : { accountId: session.accountId, ...target },
    sequence: 0,
    endUserId: session.endUser?.id,
    requestId: request.requestId,
    actor: sessionActor(session),
  });
  const giveBack = await limitRate(deps, session.accountId, 'authorizations');
  let isStarted = false;
  try {
    isStarted = await deps.sessions.start(session, pending, event);
  } finally {
    if (!isStarted) await giveBack();
  }
  // Another browser has started since the session was read.
  if (!isStarted) throw notStarted('link_started_elsewhere');
  return {
    bindingCookie: secrets.cookie,
    integrationId,
    authorizationUrl: authorizationUrl(endpoints, {
      clientId,
      redirectUri,
      scopes: access.askedScopes,
      state: secrets.state,
      codeChallenge: sha256Base64url(secrets.codeVerifier),
      nonce: pick === undefined ? secrets.nonce : undefined,
      access: pick?.access ?? 'offline',
      pick: session.pick,
      includeGrantedScopes: access.includeGrantedScopes,
      // The browser's own `hd` only arranges the account chooser.
      hostedDomain: hostedDomain ?? params.hd,
      language: LANGUAGES[language].lang,
      ...accountChoice(session, expected, params),
    }),
  };
}

/**
 * The access that a pick requests: for a new connection with a refresh token, for an existing one as its provider's definition says
 * (PK-6).
 *
 * @throws GatewayError `conflict`
 */
function pickAccess(
  { providers }: StartDependencies,
  integration: Integration,
  existing: Connection | undefined,
  clientId: string,
): PendingPick {
  const provider = providers[integration.provider];
  const obstacle = existing === undefined ? undefined : pickObstacle(provider, existing, clientId);
  if (provider.picker === undefined) throw new GatewayError('conflict', 'This provider has no file picker.');
  if (obstacle !== undefined) throw new GatewayError('conflict', obstacle);
  return { access: existing === undefined ? 'offline' : provider.picker.accessToWiden };
}

function notStarted(forEndUser: NonNullable<ReturnType<typeof startObstacle>>): GatewayError {
  return new GatewayError(
    'conflict',
    forEndUser === 'link_started_elsewhere'
      ? 'This connect link was opened in another browser first, and only that browser can finish it. Continue there, or ask the app for a new link.'
      : 'This connect link was started too often. Ask the app that sent you here for a new one.',
    { forEndUser },
  );
}

async function livingConnection(
  deps: StartDependencies,
  session: ConnectSession,
  target: ConnectSession['reconnect'],
): Promise<Connection | undefined> {
  if (target === undefined) return undefined;
  const connection = await deps.connections.read({ accountId: session.accountId, ...target });
  if (connection !== undefined && connection.status !== 'deleted') return connection;
  throw new GatewayError('conflict', 'The connection was deleted. Ask the app to connect the account again.', {
    forEndUser: 'connection_deleted',
  });
}

/**
 * On a reconnect the provider gets the former account as a hint, so that the user need not choose; where another account is allowed,
 * the user always chooses.
 */
function accountChoice(
  session: ConnectSession,
  existing: Connection | undefined,
  params: Readonly<Record<string, string>>,
): { readonly loginHint: string | undefined; readonly selectAccount: boolean } {
  const mayChange = existing !== undefined && session.allowAccountChange;
  const account = existing?.providerAccount;
  return {
    loginHint: params.login_hint ?? (mayChange ? undefined : (account?.subject ?? account?.email ?? undefined)),
    selectAccount: mayChange || (params.prompt ?? '').split(' ').includes('select_account'),
  };
}
