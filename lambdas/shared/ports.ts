/**
 * Interfaces the use cases need from the world. Adapters implement them; tests may too.
 */
import type {
  ConnectSession,
  ConnectSessionStatus,
  PendingAuthorization,
  SessionOutcome,
} from './domain/connect-session.ts';
import type { Connection, ConnectionSummary, RefreshLease } from './domain/connection.ts';
import type { GrantDeath } from './domain/grant-death.ts';
import type { IdTokenClaims } from './domain/id-token.ts';
import type { ConnectionRef, IntegrationRef } from './domain/identifiers.ts';
import type { ClientCredentials, ClientFaultMark, Integration } from './domain/integration.ts';
import type { LifecycleEvent } from './domain/lifecycle-event.ts';
import type { Operator } from './domain/operator.ts';
import type { ProviderEndpoints, ProviderId } from './domain/provider.ts';
import type { SecretKeyRecord } from './domain/secret-key.ts';
import type { TokenHttpResponse } from './domain/token-response.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

export interface Random {
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). */
  number(): number;
}

/** The three records a proxied call stands on. */
export interface CallerRecords {
  readonly key: SecretKeyRecord | undefined;
  readonly integration: Integration | undefined;
  readonly connection: Connection | undefined;
}

/** Which of them are wanted. */
export interface CallerQuery {
  readonly keyHash: string | undefined;
  readonly integration: IntegrationRef | undefined;
  readonly connection: ConnectionRef | undefined;
}

export interface CallerStore {
  /** All wanted records in one read; eventually consistent. */
  load(query: CallerQuery): Promise<CallerRecords>;
}

export interface SecretKeyStore {
  find(keyHash: string): Promise<SecretKeyRecord | undefined>;
  /** False when the hash exists already, revoked or not. */
  create(record: SecretKeyRecord, event: LifecycleEvent): Promise<boolean>;
  list(accountId: string): Promise<SecretKeyRecord[]>;
  revoke(accountId: string, keyHash: string, revokedAt: string, event: LifecycleEvent): Promise<boolean>;
  /** Notes a key's use; a revoked or unknown key is left alone. */
  noteUse(keyHash: string, nowEpochSec: number): Promise<void>;
}

export interface IntegrationStore {
  get(ref: IntegrationRef): Promise<Integration | undefined>;
  list(accountId: string): Promise<Integration[]>;
  /** False when the id is taken. */
  create(integration: Integration, event: LifecycleEvent): Promise<boolean>;
  /** Replaces what an operator may change, on condition of the version; false on a conflict. */
  update(integration: Integration, expectedVersion: number, event: LifecycleEvent): Promise<boolean>;
  delete(ref: IntegrationRef, event: LifecycleEvent): Promise<boolean>;
  /** Moves an integration to another id, all or nothing. `taken`: the new id is in use; `conflict`: the old one has changed. */
  rename(from: Integration, to: Integration, event: LifecycleEvent): Promise<'renamed' | 'taken' | 'conflict'>;
  /** Sets or moves the mark; the event is written only when there was none. */
  markClientFault(ref: IntegrationRef, mark: ClientFaultMark, event: LifecycleEvent): Promise<void>;
  /** Removes the mark with its event, once. */
  clearClientFault(ref: IntegrationRef, event: LifecycleEvent): Promise<void>;
}

/** A lease attempt's result: the winner's row is known without another read. */
export type LeaseResult =
  | { readonly taken: true; readonly lease: RefreshLease; readonly lostHash: string | undefined }
  | { readonly taken: false; readonly current: Connection | undefined };

export interface LeaseRequest {
  readonly owner: string;
  readonly attemptId: string;
  readonly attemptHash: string;
  readonly nowEpochSec: number;
  readonly expiresAtEpochSec: number;
  /** Also for a connection that is marked dead: to heal it, or because an operator asks. */
  readonly evenIfDead?: boolean;
}

/** New tokens of a refresh, encrypted. */
export interface StoredTokens {
  readonly encryptedAccessToken: string;
  /** Absent: the provider sent none, the old one stays. */
  readonly encryptedRefreshToken: string | undefined;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[];
  readonly refreshAtEpochSec: number;
  readonly nowEpochSec: number;
  /** Set when the refresh serves a call: the use is noted in the same write. */
  readonly lastUsedAtEpochSec?: number | undefined;
}

export interface ConnectionPage {
  readonly connections: ConnectionSummary[];
  /** Opaque position of the next page, or undefined at the end. */
  readonly next: string | undefined;
}

export interface ConnectionFilter {
  readonly integrationIds?: readonly string[];
  readonly status?: string;
  readonly endUserId?: string;
  readonly organizationId?: string;
  readonly connectionId?: string;
  /** All of them must be there with these values. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Part of the connection id, the end user's id or e-mail. */
  readonly search?: string;
}

export interface ConnectionStore {
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<Connection | undefined>;
  /**
   * Creates or re-authorizes and ends the connect session, all or nothing; fenced by the epoch of the row it replaces.
   * `session_over`: the session has yielded its connection already. `conflict`: the row has changed, read it again.
   */
  saveAuthorized(
    connection: Connection,
    replacing: Connection | undefined,
    events: readonly LifecycleEvent[],
    session: { readonly sessionHash: string; readonly outcome: SessionOutcome; readonly mayAskAgain: boolean },
  ): Promise<'saved' | 'session_over' | 'conflict'>;
  /** Creates or replaces outside an authorization flow; false when somebody was faster. */
  save(connection: Connection, replacing: Connection | undefined, event: LifecycleEvent): Promise<boolean>;
  takeLease(known: Connection, request: LeaseRequest): Promise<LeaseResult>;
  /** False when the epoch is no longer the lease's. */
  storeTokens(connection: Connection, lease: RefreshLease, tokens: StoredTokens): Promise<boolean>;
  /** Gives the lease back without tokens; never touches another owner's. */
  releaseLease(
    connection: Connection,
    lease: RefreshLease,
    next: { readonly retryAtEpochSec: number | undefined; readonly failureCount: number; readonly answered: boolean },
  ): Promise<void>;
  /** False when the epoch is no longer the lease's. */
  markDead(connection: Connection, lease: RefreshLease, death: GrantDeath, event: LifecycleEvent): Promise<boolean>;
  noteUse(connection: Connection, nowEpochSec: number, refreshAtEpochSec: number): Promise<void>;
  /** Replaces end user, tags and metadata; false on a conflict. */
  updateDescription(connection: Connection, event: LifecycleEvent | undefined): Promise<boolean>;
  /** Erases tokens and due keys, raises the epoch, writes the event and, where asked for, what is still to be revoked. */
  delete(connection: Connection, event: LifecycleEvent, revocation?: PendingRevocation): Promise<boolean>;
  list(accountId: string, filter: ConnectionFilter, limit: number, cursor: string | undefined): Promise<ConnectionPage>;
  /** Identities whose `refreshAt` has passed, oldest first. */
  due(shard: number, untilEpochSec: number, limit: number): Promise<ConnectionRef[]>;
  /** Puts a due entry off, or takes it out of the index where undefined, unless the row has moved on. */
  reschedule(connection: Connection, refreshAtEpochSec: number | undefined): Promise<void>;
  /** Live connections of any account that share a grant identity, newest consent first. */
  sharingGrant(clientId: string, subject: string, limit: number): Promise<GrantSharer[]>;
  /** Newest first; `beforeEventId` continues behind an event. */
  events(ref: ConnectionRef, limit: number, beforeEventId?: string): Promise<LifecycleEvent[]>;
}

/** Writes of the schedule and of recoveries, beside the token writes of `ConnectionStore`. */
export interface ConnectionUpkeep {
  /** New tokens for a connection marked dead, which lives again, with its event; false when the epoch is no longer the lease's. */
  revive(connection: Connection, lease: RefreshLease, tokens: StoredTokens, event: LifecycleEvent): Promise<boolean>;
  /** Notes a warning with its event, once; false when the row has moved on or the warning was given. */
  warn(connection: Connection, warning: GivenWarning, event: LifecycleEvent): Promise<boolean>;
  /** Puts off a due row whose work failed, whatever state it is in, and counts the failure. */
  postpone(ref: ConnectionRef, refreshAtEpochSec: number): Promise<void>;
  /** Identities whose `refreshAt` has passed, oldest first, behind `after`; one page of a shard. */
  duePage(shard: number, untilEpochSec: number, limit: number, after: DuePosition | undefined): Promise<DuePage>;
}

export type GivenWarning = { readonly kind: 'expiry'; readonly number: number } | { readonly kind: 'token_limit' };

/** Opaque place in a shard of the due index. */
export type DuePosition = Readonly<Record<string, unknown>>;

export interface DuePage {
  readonly refs: ConnectionRef[];
  /** Undefined at the end of the shard. */
  readonly next: DuePosition | undefined;
}

/** Tokens that could not be written to their row: kept under a key of their own until a later lease adopts them. */
export interface EscrowedTokens {
  readonly ref: ConnectionRef;
  /** Epoch of the lease that got them; counts only above the row's `tokenEpoch`. */
  readonly epoch: number;
  /** Ciphertexts under the connection's own contexts. */
  readonly encryptedAccessToken: string;
  readonly encryptedRefreshToken: string;
  readonly accessTokenExpiresAtEpochSec: number;
  readonly grantedScopes: readonly string[];
  readonly createdAtEpochSec: number;
}

export interface EscrowStore {
  /** Keeps the tokens of the latest epoch. */
  put(tokens: EscrowedTokens): Promise<void>;
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<EscrowedTokens | undefined>;
  /** Those that wait to be adopted, oldest first. */
  due(shard: number, untilEpochSec: number, limit: number): Promise<ConnectionRef[]>;
  postpone(tokens: EscrowedTokens, refreshAtEpochSec: number): Promise<void>;
  /** Removes what was adopted or outdated, unless newer tokens lie there by now. */
  remove(tokens: EscrowedTokens): Promise<void>;
}

/** Counts deaths per integration, so that many at once are seen as one incident. */
export interface DeathCounter {
  /** Deaths within the current window, this one included. */
  note(ref: IntegrationRef, nowEpochSec: number): Promise<number>;
}

/** A deleted connection's grant that the provider is still to be told to end (TK-8). */
export interface PendingRevocation {
  readonly ref: ConnectionRef;
  /** Ciphertext under the connection's own context. */
  readonly encryptedRefreshToken: string;
  readonly clientId: string;
  /** Whose grant it is; undefined when no identity was granted. */
  readonly subject: string | undefined;
  readonly endUserId: string | undefined;
  readonly requestedAtEpochSec: number;
  readonly retryAtEpochSec: number;
  readonly failureCount: number;
}

export interface RevocationStore {
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<PendingRevocation | undefined>;
  /** Those whose time has come, oldest first. */
  due(shard: number, untilEpochSec: number, limit: number): Promise<ConnectionRef[]>;
  /** Removes the item with the event that says how it ended; false when it is gone already. */
  finish(revocation: PendingRevocation, event: LifecycleEvent): Promise<boolean>;
  postpone(revocation: PendingRevocation, retryAtEpochSec: number): Promise<void>;
  /** Writes or replaces an item, due at its `retryAtEpochSec`: for a token that arrived after the deletion. */
  put(revocation: PendingRevocation): Promise<void>;
}

/** What an account may do only so often. */
export type LimitedUse = 'connect_sessions' | 'authorizations';

/** Counts uses per account in fixed windows of `RATE_WINDOW_SEC`. */
export interface RateCounter {
  /** Counts one use; false when the window has had `most` already, which counts nothing. */
  count(accountId: string, use: LimitedUse, most: number, nowEpochSec: number): Promise<boolean>;
}

export interface AuditTrail {
  /** Writes an event that reports no change of a record, such as a read of credentials. */
  append(event: LifecycleEvent): Promise<void>;
}

/** Where an integration's own OAuth client secret is kept. */
export interface ClientSecretStore {
  /** Name of the secret of an integration. */
  nameOf(ref: IntegrationRef): string;
  read(secretId: string): Promise<ClientCredentials | undefined>;
  write(secretId: string, credentials: ClientCredentials): Promise<void>;
  /** Gone at once; a missing one is fine. */
  delete(secretId: string): Promise<void>;
}

/** Where the operator's OAuth client for test connections of a provider is kept. */
export interface TestCredentialsStore {
  read(provider: ProviderId): Promise<ClientCredentials | undefined>;
  write(provider: ProviderId, client: { readonly clientId: string; readonly clientSecret: string }): Promise<void>;
  /** Leaves the container empty; an empty one is fine. */
  clear(provider: ProviderId): Promise<void>;
}

/** One live grant of a provider account. */
export interface GrantSharer extends ConnectionRef {
  readonly clientId: string;
  readonly consentedAtEpochSec: number;
}

export interface ConnectSessionStore {
  create(session: ConnectSession, event: LifecycleEvent): Promise<void>;
  find(sessionHash: string): Promise<ConnectSession | undefined>;
  /**
   * Notes the start in one browser, keeps what the callback will need and writes the event, all or nothing; false when
   * another browser had started, the session is over or was started too often.
   */
  start(session: ConnectSession, pending: PendingAuthorization, event: LifecycleEvent): Promise<boolean>;
  /** Ends a session that yielded nothing, with its event; the event is written also when the session is over already. */
  finish(
    sessionHash: string,
    status: ConnectSessionStatus,
    outcome: SessionOutcome,
    event: LifecycleEvent,
  ): Promise<void>;
  delete(sessionHash: string): Promise<void>;
}

export interface PendingAuthorizationStore {
  /** Spends the state by one conditional write; undefined when unknown or spent by another request. */
  spend(stateHash: string, requestId: string): Promise<PendingAuthorization | undefined>;
}

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

export interface ClientCredentialsSource {
  /** The integration's OAuth client, or undefined when none is set up. `fresh` skips the cache. */
  get(integration: Integration, options?: { readonly fresh?: boolean }): Promise<ClientCredentials | undefined>;
}

/** Where the deployment's first secret key lies in clear, for the deployer alone. */
export interface FirstSecretKey {
  read(): Promise<string | undefined>;
  /** Stores the key unless there is one; returns the one that counts. */
  writeOnce(secretKey: string): Promise<string>;
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
  /** Claims of an ID token whose signature, issuer, audience and times hold; undefined otherwise. */
  verify(endpoints: ProviderEndpoints, idToken: string, clientId: string): Promise<IdTokenClaims | undefined>;
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

/** Structured log entries; only allow-listed members are written (LG-2). */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields, error?: unknown): void;
}

export interface LogFields {
  readonly requestId?: string;
  readonly accountId?: string;
  readonly integrationId?: string;
  readonly code?: string;
  readonly status?: number;
  readonly outcome?: string;
  readonly cause?: string;
  readonly route?: string;
  readonly durationMs?: number;
  readonly count?: number;
  readonly upstreamStatus?: number;
}

/** Counters by outcome and cause, in the embedded metric format. */
export interface Metrics {
  count(name: string, dimensions?: Readonly<Record<string, string>>, value?: number): void;
}
