/** Ports of token refresh: the token endpoint, escrow, consents, counters of deaths. */
import type { EndedGrant, StatedEnd } from '../core/grant-death.ts';
import type { ConnectionRef, IntegrationRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import type { DelegatedDomain } from './delegation.rules.ts';
import type { TokenHttpResponse } from './token-response.rules.ts';

/** An OAuth token request that got a complete answer, or the reason why it did not. */
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
  /** Exchanges a service account's assertion (RFC 7523 section 2.1). */
  exchangeAssertion(endpoints: ProviderEndpoints, assertion: string, timeoutMs: number): Promise<TokenCallResult>;
  /**
   * @param client sent where the server wants it
   * @returns undefined where the server has no revocation endpoint
   */
  revoke(
    endpoints: ProviderEndpoints,
    token: string,
    client?: { readonly clientId: string; readonly clientSecret: string },
  ): Promise<TokenCallResult> | undefined;
}

/** Tokens that could not be written to their row: stored under a key of their own until a later lease adopts them. */
export interface EscrowedTokens {
  readonly ref: ConnectionRef;
  /** Epoch of the lease that got them; counts only above the row's `tokenEpoch`. */
  readonly epoch: number;
  /** Ciphertexts under the connection's own contexts. */
  readonly encryptedAccessToken: string;
  readonly encryptedRefreshToken: string;
  /** Index keys of the refresh token; absent on rows without any, and on older ones. */
  readonly tokenPrints?: string | undefined;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[];
  readonly createdAtEpochSec: number;
}

export interface EscrowStore {
  /** Keeps the tokens of the latest epoch. */
  put(tokens: EscrowedTokens): Promise<void>;
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<EscrowedTokens | undefined>;
  /** Tokens to adopt, oldest first. */
  due(shard: number, untilEpochSec: number, limit: number): Promise<ConnectionRef[]>;
  postpone(tokens: EscrowedTokens, refreshAtEpochSec: number): Promise<void>;
  /** Removes adopted or outdated tokens, unless newer ones have replaced them. */
  remove(tokens: EscrowedTokens): Promise<void>;
}

/** Counts deaths per integration, so that many at once are seen as one incident. */
export interface DeathCounter {
  /** Deaths within the current window, including this one. */
  note(ref: IntegrationRef, nowEpochSec: number): Promise<number>;
}

/**
 * When provider accounts consented to OAuth clients. Each consent creates a refresh token that lives on at the provider, even if the
 * connection was replaced or deleted here.
 */
export interface ConsentLog {
  note(clientId: string, subject: string, atEpochSec: number): Promise<void>;
  /** Epoch seconds, strongly consistent; the latest few hundred. */
  times(clientId: string, subject: string): Promise<readonly number[]>;
  /** The provider has ended every grant of the account. */
  forget(clientId: string, subject: string): Promise<void>;
}

/** Domains of an integration, one row each, which decides for all connections of the domain. */
export interface DelegatedDomainStore {
  read(ref: IntegrationRef, domain: string): Promise<DelegatedDomain | undefined>;
  list(ref: IntegrationRef): Promise<DelegatedDomain[]>;
  /** Domains due by then, up to so many lost ones and so many others, longest waiting first. */
  due(untilEpochSec: number, limit: number): Promise<DelegatedDomain[]>;
  /**
   * Claims the one question of a period, for the user of a connection; false where another process has it.
   *
   * @param lookUntilEpochSec the row's new value; undefined: it stays
   */
  claimProbe(
    domain: DelegatedDomain,
    nextProbeAtEpochSec: number,
    connectionId: string | undefined,
    lookUntilEpochSec?: number,
  ): Promise<boolean>;
  /** Removes a domain from the due ones until a call for one of its users. */
  rest(domain: DelegatedDomain): Promise<void>;
  /** Records the provider's answer, with the event of the change; false where it was on record. */
  note(
    change: IntegrationRef &
      Pick<DelegatedDomain, 'domain' | 'sinceEpochSec' | 'askedForConnectionId'> & {
        readonly status: 'granted' | 'lost';
        readonly probeAtEpochSec: number;
        readonly lookUntilEpochSec: number;
      },
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** Records which organization checked it; false where another one did before. */
  noteCheck(
    ref: IntegrationRef,
    domain: string,
    organizationId: string | undefined,
    atEpochSec: number,
  ): Promise<boolean>;
  /** Forgets the domains of a deleted integration. */
  forget(ref: IntegrationRef): Promise<void>;
}

/** The provider's statements about grants, as a feature keeps them. */
export interface EndEvidence {
  /** The statement that explains an end. Strongly consistent. */
  statedEnd(grant: EndedGrant): Promise<StatedEnd | undefined>;
}
