import type { PendingAuthorization } from '../gateway/authorization/connect-session.rules.ts';
import { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import type { FlowFailureKind } from '../gateway/authorization/flow-failure-texts.ts';
import type { TokenSet } from '../gateway/connections/connection.rules.ts';
import type { Clock } from '../gateway/core/ports.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { ClientCredentialsSource } from '../gateway/integrations/ports.ts';
import type { ProviderEndpoints } from '../gateway/providers/provider.rules.ts';
import { onlyIdentityScopes } from '../gateway/providers/scopes.rules.ts';
import { codeVerifierContext } from '../gateway/tokens/ciphertexts.rules.ts';
import type { TokenCipher, TokenEndpoint } from '../gateway/tokens/ports.ts';
import { judgeTokenResponse } from '../gateway/tokens/token-response.rules.ts';

export interface ExchangeDependencies {
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>;
  readonly cipher: TokenCipher;
  readonly endpoints: ProviderEndpoints;
  readonly clock: Clock;
}

/**
 * Exchanges the code for tokens, once: a code that may have been used must not be tried again (RFC 6749 section 4.1.2).
 *
 * @throws FlowFailure also for a grant that could not work
 */
export async function exchangeCode(
  deps: ExchangeDependencies,
  pending: PendingAuthorization,
  integration: Integration,
  code: string,
): Promise<TokenSet> {
  // Past the cache: a secret replaced minutes ago would waste the user's consent.
  const credentials = await deps.credentials.get(integration, { fresh: true });
  if (credentials === undefined) throw new FlowFailure('credentials_missing');
  if (credentials.clientId !== pending.clientId) throw new FlowFailure('integration_changed');
  const codeVerifier = await deps.cipher.decrypt(
    codeVerifierContext(pending.accountId, pending.integrationId, pending.stateHash),
    pending.encryptedCodeVerifier,
  );
  const result = await deps.tokenEndpoint.exchangeCode(deps.endpoints, {
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    code,
    redirectUri: pending.redirectUri,
    codeVerifier,
  });
  if (result.kind === 'failed') throw new FlowFailure('provider_unreachable', { detail: result.reason });
  const judgement = judgeTokenResponse(result.response, Math.floor(deps.clock.nowMs() / 1000));
  switch (judgement.kind) {
    case 'tokens':
      return workingGrant(judgement.tokens, pending);
    case 'dead_grant':
      throw new FlowFailure(deniedKind(judgement.error), { providerSaid: saidBy(judgement) });
    case 'client_fault':
      throw new FlowFailure('client_rejected', { providerSaid: saidBy(judgement) });
    case 'refused':
      throw new FlowFailure(refusedKind(judgement.error), { providerSaid: saidBy(judgement) });
    case 'transient':
      throw new FlowFailure('provider_unreachable', { detail: judgement.reason });
  }
}

/** Tokens that last, unless none is to be stored, and open something (OA-19). */
function workingGrant(tokens: TokenSet, pending: PendingAuthorization): TokenSet {
  const lasts = tokens.refreshToken !== undefined || pending.pick?.access === 'online';
  if (!lasts) throw new FlowFailure('no_refresh_token');
  if (onlyIdentityScopes(tokens.grantedScopes ?? pending.askedScopes)) throw new FlowFailure('only_sign_in');
  return tokens;
}

/** Google names two refusals of a person; every other dead grant is a code that is spent, old or another client's. */
function deniedKind(error: string): FlowFailureKind {
  if (error === 'admin_policy_enforced') return 'admin_blocked';
  return error === 'access_denied' ? 'account_restricted' : 'code_rejected';
}

/** A client that may not exchange codes at all is the developer's to correct (RFC 6749 section 5.2). */
function refusedKind(error: string): FlowFailureKind {
  return error === 'unauthorized_client' ? 'client_rejected' : 'provider_refused';
}

function saidBy(judgement: { readonly error: string; readonly description: string | undefined }): string {
  return judgement.description === undefined
    ? judgement.error
    : `${judgement.error}: ${judgement.description}`.slice(0, 300);
}
