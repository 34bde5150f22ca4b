import { authorizationUrl } from '../../gateway/authorization/authorization-url.rules.ts';
import { issuerSpellingsOf, judgeIdentity } from '../../gateway/authorization/callback.rules.ts';
import type { IdTokenVerifier } from '../../gateway/authorization/ports.ts';
import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { sha256Base64url, sha256Hex } from '../../gateway/core/identifiers.ts';
import type { CipherContext, Clock, Random, TokenCipher } from '../../gateway/core/ports.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { ClientCredentialsSource } from '../../gateway/integrations/ports.ts';
import type { ProviderEndpoints, ProviderId } from '../../gateway/providers/provider.rules.ts';
import type { TokenEndpoint } from '../../gateway/tokens/ports.ts';
import { judgeTokenResponse } from '../../gateway/tokens/token-response.rules.ts';
import type { Approval } from './approval.rules.ts';
import { feature } from './feature.ts';
import { APPROVAL_LINK_SEC } from './limits.rules.ts';
import type { PendingSignIn, SignInStore } from './ports.ts';

export interface SignInDependencies {
  readonly signIns: SignInStore;
  readonly credentials: ClientCredentialsSource;
  readonly cipher: TokenCipher;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>;
  readonly idTokens: IdTokenVerifier;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Whose sign-in it is to be. */
export interface SignInFor {
  readonly approval: Approval;
  readonly connection: Connection;
  readonly integration: Integration;
}

/** Begins the state of each sign-in, by which the callback sends the browser on. */
const [SIGN_IN_STATE] = Object.keys(feature.callbackStates);

const contextOf = (accountId: string, stateHash: string): CipherContext => ({
  accountId,
  integrationId: '',
  recordId: stateHash,
  field: 'approval.signIn',
  purpose: 'approvals',
});

/**
 * Sends a browser to the provider to show who its user is; nothing but the identity is asked for.
 *
 * @param cookie the binding cookie of the browser
 * @param token of the page to come back to
 * @returns undefined where the integration has no OAuth client
 */
export async function startSignIn(
  deps: SignInDependencies,
  { approval, connection, integration }: SignInFor,
  { cookie, token, language }: { readonly cookie: string; readonly token: string; readonly language: string },
): Promise<string | undefined> {
  const credentials = await deps.credentials.get(integration);
  if (credentials === undefined) return undefined;
  const random = (bytes: number) => Buffer.from(deps.random.bytes(bytes)).toString('base64url');
  const state = SIGN_IN_STATE + random(32);
  const codeVerifier = random(48);
  const nonce = random(24);
  const stateHash = sha256Hex(state);
  const { accountId, keyId, ulid } = approval;
  const sealed = await deps.cipher.encrypt(contextOf(accountId, stateHash), JSON.stringify({ codeVerifier, token }));
  await deps.signIns.put({
    approval: { accountId, keyId, ulid },
    stateHash,
    browserHash: sha256Hex(cookie),
    clientId: credentials.clientId,
    nonce,
    sealed,
    untilMs: deps.clock.nowMs() + APPROVAL_LINK_SEC * 1000,
  });
  return authorizationUrl(deps.endpointsOf(integration.provider), {
    clientId: credentials.clientId,
    redirectUri: redirectUri(deps.baseUrl),
    scopes: ['openid', 'email'],
    state,
    codeChallenge: sha256Base64url(codeVerifier),
    nonce,
    includeGrantedScopes: false,
    loginHint: connection.providerAccount?.email ?? undefined,
    hostedDomain: undefined,
    selectAccount: true,
    language,
    access: 'online',
  });
}

/** What a sign-in that came back opens: the text that only this deployment can read. */
export async function openSignIn(
  { cipher }: SignInDependencies,
  { approval, stateHash, sealed }: PendingSignIn,
): Promise<{ readonly codeVerifier: string; readonly token: string }> {
  // It was encrypted by this code for this place.
  return JSON.parse(await cipher.decrypt(contextOf(approval.accountId, stateHash), sealed));
}

/** Who signed in: the connection's own account, another, or nobody that the answer proves. */
export async function judgeSignIn(
  deps: SignInDependencies,
  pending: PendingSignIn,
  { connection, integration }: SignInFor,
  answer: { readonly code: string; readonly codeVerifier: string },
): Promise<'same' | 'other' | 'unproven'> {
  const endpoints = deps.endpointsOf(integration.provider);
  const credentials = await deps.credentials.get(integration, { fresh: true });
  if (credentials === undefined || credentials.clientId !== pending.clientId) return 'unproven';
  const { clientId, clientSecret } = credentials;
  const result = await deps.tokenEndpoint.exchangeCode(endpoints, {
    clientId,
    clientSecret,
    redirectUri: redirectUri(deps.baseUrl),
    ...answer,
  });
  if (result.kind === 'failed') return 'unproven';
  const judged = judgeTokenResponse(result.response, epochSecNow(deps.clock), endpoints.server);
  if (judged.kind !== 'tokens' || judged.tokens.idToken === undefined) return 'unproven';
  const issuers = issuerSpellingsOf(endpoints.server, endpoints.issuer);
  const claims = await deps.idTokens.verify(endpoints, judged.tokens.idToken, clientId, issuers);
  const identity = claims === undefined ? undefined : judgeIdentity(claims, pending.nonce);
  if (identity?.kind !== 'identified') return 'unproven';
  // A connection whose owner is not known has nobody who could decide for it.
  return identity.subject === connection.providerAccount?.subject ? 'same' : 'other';
}

function redirectUri(baseUrl: string): string {
  return `${baseUrl}/oauth/callback`;
}
