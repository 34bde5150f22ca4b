import type { PendingAuthorization } from '../../domain/connect-session.ts';
import type { ProviderAccount, TokenSet } from '../../domain/connection.ts';
import { judgeIdentity } from '../../domain/id-token.ts';
import type { Integration } from '../../domain/integration.ts';
import type { ProviderEndpoints } from '../../domain/provider.ts';
import { onlyIdentityScopes } from '../../domain/scopes.ts';
import { judgeTokenResponse } from '../../domain/token-response.ts';
import type { ClientCredentialsSource, Clock, IdTokenVerifier, TokenCipher, TokenEndpoint } from '../../ports.ts';
import { codeVerifierContext } from '../cipher-contexts.ts';
import { FlowFailure } from './flow-failure.ts';

export interface ExchangeDependencies {
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  readonly idTokens: IdTokenVerifier;
  readonly cipher: TokenCipher;
  readonly endpoints: ProviderEndpoints;
  readonly clock: Clock;
}

/** Exchanges the code for tokens, once. @throws FlowFailure */
export async function exchangeCode(
  deps: ExchangeDependencies,
  pending: PendingAuthorization,
  integration: Integration,
  code: string,
): Promise<TokenSet> {
  const credentials = await deps.credentials.get(integration);
  if (credentials === undefined || credentials.clientId !== pending.clientId) {
    throw new FlowFailure(400, 'callback_err', 'The app was reconfigured while you were connecting. Start again.');
  }
  const codeVerifier = await deps.cipher.decrypt(
    codeVerifierContext(pending.accountId, pending.integrationId, pending.stateHash),
    pending.encryptedCodeVerifier,
  );
  // Sent once: a code that may have been used must not be tried again (RFC 6749 section 4.1.2).
  const result = await deps.tokenEndpoint.exchangeCode(deps.endpoints, {
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    code,
    redirectUri: pending.redirectUri,
    codeVerifier,
  });
  if (result.kind === 'failed') {
    throw new FlowFailure(502, 'token_err', 'Google could not be reached to finish. Nothing was connected; start again.', result.reason);
  }
  const judgement = judgeTokenResponse(result.response, Math.floor(deps.clock.nowMs() / 1000));
  switch (judgement.kind) {
    case 'tokens':
      return judgement.tokens;
    case 'dead_grant':
      throw new FlowFailure(400, 'token_err', 'Google did not accept the answer of this flow. Start again.', judgement.description ?? judgement.error);
    case 'client_fault':
      throw new FlowFailure(
        400,
        'token_err',
        "Google refuses this app's OAuth client. The app's developer has to correct its client id, secret or redirect URI.",
        judgement.description ?? judgement.error,
      );
    case 'transient':
      throw new FlowFailure(502, 'token_err', 'Google could not finish right now. Nothing was connected; start again.', judgement.reason);
  }
}

/**
 * Who granted access; undefined when no identity was asked for. A grant that cannot work is refused here.
 *
 * @throws FlowFailure
 */
export async function identify(
  deps: ExchangeDependencies,
  pending: PendingAuthorization,
  tokens: TokenSet,
): Promise<ProviderAccount | undefined> {
  if (tokens.refreshToken === undefined) {
    throw new FlowFailure(
      400,
      'token_err',
      'Google sent no refresh token, so the connection would end within the hour. Nothing was connected; start again.',
    );
  }
  if (onlyIdentityScopes(tokens.grantedScopes ?? pending.requestedScopes)) {
    throw new FlowFailure(
      400,
      'callback_err',
      'You signed in but granted no access. Start again and tick at least one permission.',
    );
  }
  if (tokens.idToken === undefined) return undefined;
  const claims = await deps.idTokens.verify(deps.endpoints, tokens.idToken, pending.clientId);
  const judgement = claims === undefined ? undefined : judgeIdentity(claims, pending.nonce);
  if (judgement?.kind !== 'identified') {
    throw new FlowFailure(400, 'token_err', 'Google did not prove which account this is. Nothing was connected; start again.');
  }
  return { subject: judgement.subject, email: judgement.email };
}
