/** Encryption, the provider's token endpoint, and tokens that name somebody. */
import type { IdTokenClaims } from '../domain/id-token.ts';
import type { Operator } from '../domain/operator.ts';
import type { ProviderEndpoints } from '../domain/provider.ts';
import type { TokenHttpResponse } from '../domain/token-response.ts';

/** Where a ciphertext lives: part of its AAD, so it decrypts nowhere else. */
export interface CipherContext {
  readonly accountId: string;
  readonly integrationId: string;
  readonly recordId: string;
  readonly field: string;
}

export interface TokenCipher {
  encrypt(context: CipherContext, plaintext: string): Promise<string>;
  /** @throws CipherError for anything that does not decrypt, with one opaque message */
  decrypt(context: CipherContext, ciphertext: string): Promise<string>;
}

/** An OAuth token request that got a complete answer, or an explanation why not. */
export type TokenCallResult =
  | { readonly kind: 'answered'; readonly response: TokenHttpResponse }
  /** `ambiguous`: the request may have been applied. */
  | { readonly kind: 'failed'; readonly reason: string; readonly ambiguous: boolean };

export interface TokenEndpoint {
  /** @param timeoutMs shorter than a token call's own limit where the caller has less time */
  refresh(
    endpoints: ProviderEndpoints,
    clientId: string,
    clientSecret: string,
    refreshToken: string,
    timeoutMs?: number,
  ): Promise<TokenCallResult>;
  exchangeCode(
    endpoints: ProviderEndpoints,
    exchange: {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly code: string;
      readonly redirectUri: string;
      readonly codeVerifier: string;
    },
  ): Promise<TokenCallResult>;
  revoke(endpoints: ProviderEndpoints, token: string): Promise<TokenCallResult>;
}

export interface IdTokenVerifier {
  /**
   * Claims of an ID token whose signature, issuer, audience and times hold; undefined otherwise.
   *
   * @param issuers spellings of the one issuer
   */
  verify(
    endpoints: ProviderEndpoints,
    idToken: string,
    clientId: string,
    issuers: readonly string[],
  ): Promise<IdTokenClaims | undefined>;
}

/** What a verifier says of an operator's token. `unavailable`: the issuer's keys are out of reach. */
export type OperatorTokenJudgement =
  | { readonly kind: 'valid'; readonly operator: Operator }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unavailable' };

export interface OperatorTokenVerifier {
  /** Judges an access token of the deployment's issuer; never throws for what a token may be. */
  verify(token: string): Promise<OperatorTokenJudgement>;
}
