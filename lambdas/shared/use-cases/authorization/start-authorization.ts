import { authorizationUrl, scopesToRequest } from '../../domain/authorization-url.ts';
import type { ConnectSession } from '../../domain/connect-session.ts';
import { sha256Base64url, sha256Hex } from '../../domain/digest.ts';
import { GatewayError, refusal } from '../../domain/errors.ts';
import type { Integration } from '../../domain/integration.ts';
import { AUTHORIZATION_LIFETIME_SEC } from '../../domain/limits.ts';
import type { ProviderEndpoints } from '../../domain/provider.ts';
import type {
  ClientCredentialsSource,
  Clock,
  ConnectionStore,
  ConnectSessionStore,
  IntegrationStore,
  PendingAuthorizationStore,
  Random,
  TokenCipher,
} from '../../ports.ts';
import { codeVerifierContext } from '../cipher-contexts.ts';

export interface StartDependencies {
  readonly sessions: ConnectSessionStore;
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly authorizations: PendingAuthorizationStore;
  readonly credentials: ClientCredentialsSource;
  readonly cipher: TokenCipher;
  readonly endpoints: ProviderEndpoints;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface StartRequest {
  /** May be left out when the session allows exactly one. */
  readonly integrationId: string | undefined;
  /** Value of the binding cookie this browser already has, if it is one of ours. */
  readonly bindingCookie: string | undefined;
}

/** Where to send the browser, and the cookie that binds the flow to it. */
export interface StartedAuthorization {
  readonly authorizationUrl: string;
  readonly bindingCookie: string;
  readonly integrationId: string;
}

/**
 * Starts an authorization for a connect session: state, PKCE, nonce and browser binding are new each time; only their
 * hashes or ciphertext are stored (OA-1, OA-3, CS-3, CS-4).
 *
 * @throws GatewayError `invalid_body`, `unknown_integration`, `integration_credentials_rejected`, `conflict`
 */
export async function startAuthorization(
  deps: StartDependencies,
  session: ConnectSession,
  request: StartRequest,
): Promise<StartedAuthorization> {
  const integration = await chooseIntegration(deps, session, request.integrationId);
  const credentials = await deps.credentials.get(integration);
  if (credentials === undefined) {
    throw new GatewayError(
      'integration_credentials_rejected',
      integration.credentialsSource === 'test'
        ? 'The operator has not set up test credentials for this provider.'
        : 'This integration has no OAuth client id and secret yet.',
    );
  }
  const token = (bytes: number) => Buffer.from(deps.random.bytes(bytes)).toString('base64url');
  const bindingCookie = request.bindingCookie ?? token(32);
  const browserHash = sha256Hex(bindingCookie);
  if (!(await deps.sessions.start(session.sessionHash, browserHash))) {
    throw new GatewayError(
      'conflict',
      'This connect session was started in another browser or is already used. Ask for a new link.',
    );
  }
  const state = token(32);
  const stateHash = sha256Hex(state);
  const codeVerifier = token(48);
  const nonce = token(24);
  const nowEpochSec = Math.floor(deps.clock.nowMs() / 1000);
  const defaults = session.defaults[integration.integrationId];
  const requestedScopes = scopesToRequest(defaults?.scopes ?? integration.scopes);
  const redirectUri = `${deps.baseUrl}/oauth/callback`;
  const connectionId = session.reconnect?.connectionId ?? token(16);
  await deps.authorizations.create({
    stateHash,
    accountId: session.accountId,
    integrationId: integration.integrationId,
    connectionId,
    sessionHash: session.sessionHash,
    isReconnect: session.reconnect !== undefined,
    clientId: credentials.clientId,
    issuer: deps.endpoints.issuer,
    redirectUri,
    requestedScopes,
    encryptedCodeVerifier: await deps.cipher.encrypt(
      codeVerifierContext(session.accountId, integration.integrationId, stateHash),
      codeVerifier,
    ),
    nonce,
    browserHash,
    createdAtEpochSec: nowEpochSec,
    expiresAtEpochSec: nowEpochSec + AUTHORIZATION_LIFETIME_SEC,
  });
  const params = defaults?.authorizationParams ?? {};
  const loginHint = params.login_hint ?? (await reconnectHint(deps, session));
  return {
    bindingCookie,
    integrationId: integration.integrationId,
    authorizationUrl: authorizationUrl(deps.endpoints, {
      clientId: credentials.clientId,
      redirectUri,
      scopes: requestedScopes,
      state,
      codeChallenge: sha256Base64url(codeVerifier),
      nonce,
      includeGrantedScopes: params.include_granted_scopes === 'true',
      loginHint,
      hostedDomain: params.hd,
      selectAccount: (params.prompt ?? '').split(' ').includes('select_account'),
    }),
  };
}

async function chooseIntegration(
  deps: StartDependencies,
  session: ConnectSession,
  wanted: string | undefined,
): Promise<Integration> {
  const allowed = session.reconnect === undefined ? session.allowedIntegrations : [session.reconnect.integrationId];
  const integrationId = wanted ?? (allowed.length === 1 ? allowed[0] : undefined);
  if (integrationId === undefined) {
    throw refusal('invalid_body', [{ path: 'provider_config_key', message: 'name one of the integrations this session allows' }]);
  }
  if (allowed.length > 0 && !allowed.includes(integrationId)) {
    throw refusal('invalid_body', [{ path: 'provider_config_key', message: 'this session does not allow that integration' }]);
  }
  const integration = await deps.integrations.get({ accountId: session.accountId, integrationId });
  if (integration === undefined) throw new GatewayError('unknown_integration', 'There is no such integration.');
  return integration;
}

/** On a reconnect Google is told which account it was, so that the user need not choose. */
async function reconnectHint(deps: StartDependencies, session: ConnectSession): Promise<string | undefined> {
  if (session.reconnect === undefined) return undefined;
  const connection = await deps.connections.read({ accountId: session.accountId, ...session.reconnect });
  return connection?.providerAccount?.email ?? connection?.providerAccount?.subject;
}
