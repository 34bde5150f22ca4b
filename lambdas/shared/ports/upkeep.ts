/** What keeps connections alive and accounted for beside the calls: the due index, escrow, revocations, counters, the audit trail. */
import type { Census, Tally } from '../domain/census.ts';
import type { Connection, RefreshLease } from '../domain/connection.ts';
import type { ConnectionRef, IntegrationRef } from '../domain/identifiers.ts';
import type { LifecycleEvent } from '../domain/lifecycle-event.ts';
import type { StoredTokens } from './connections.ts';

/** Writes of the schedule and of recoveries, beside the token writes of `ConnectionStore`. */
export interface ConnectionUpkeep {
  /**
   * New tokens with the events of what else they change, all or nothing; a connection marked dead lives again. False when the
   * epoch is no longer the lease's, or another event of the connection came between.
   */
  storeWithEvents(
    connection: Connection,
    lease: RefreshLease,
    tokens: StoredTokens,
    events: readonly LifecycleEvent[],
  ): Promise<boolean>;
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

/**
 * When provider accounts consented to OAuth clients. Each consent makes a refresh token that lives on at the provider, also
 * where the connection was made anew or deleted here.
 */
export interface ConsentLog {
  note(clientId: string, subject: string, atEpochSec: number): Promise<void>;
  /** Epoch seconds, strongly consistent; the latest few hundred. */
  times(clientId: string, subject: string): Promise<readonly number[]>;
  /** The provider has ended every grant of the account. */
  forget(clientId: string, subject: string): Promise<void>;
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

/** A pending revocation, or a grant that nobody confirmed: of a new connection, or of one that a session authorized again. */
export type DueEnding =
  | { readonly kind: 'revocation'; readonly ref: ConnectionRef }
  | { readonly kind: 'unconfirmed'; readonly ref: ConnectionRef; readonly reconnectSession: string | undefined };

export interface RevocationStore {
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<PendingRevocation | undefined>;
  /** Grants to be ended whose time has come, oldest first. */
  due(shard: number, untilEpochSec: number, limit: number): Promise<DueEnding[]>;
  /** Removes the item with the event that says how it ended; false when it is gone already. */
  finish(revocation: PendingRevocation, event: LifecycleEvent): Promise<boolean>;
  postpone(revocation: PendingRevocation, retryAtEpochSec: number): Promise<void>;
  /** Writes or replaces an item, due at its `retryAtEpochSec`: for a token that arrived after the deletion. */
  put(revocation: PendingRevocation): Promise<void>;
}

/** Which grants an account still waits for the provider to end. */
export interface RevocationList {
  /** Oldest first, eventually consistent; `complete` is false where there are more than one answer reads. */
  pending(accountId: string): Promise<{ readonly refs: readonly ConnectionRef[]; readonly complete: boolean }>;
}

/** Counts an account's connections, a part at a time. */
export interface CensusStore {
  read(accountId: string): Promise<Census | undefined>;
  /** Writes the next version; false when somebody was faster. */
  save(census: Census): Promise<boolean>;
  /** One page of the account's list behind `position`, oldest first; `next` is undefined at its end. */
  countPage(
    accountId: string,
    position: string | undefined,
  ): Promise<{ readonly tally: Tally; readonly next: string | undefined }>;
}

/** What an account may do only so often. */
export type LimitedUse = 'connect_sessions' | 'authorizations';

/** Counts uses per account in fixed windows of `RATE_WINDOW_SEC`. */
export interface RateCounter {
  /** Counts one use; false when the window has had `most` already, which counts nothing. */
  count(accountId: string, use: LimitedUse, most: number, nowEpochSec: number): Promise<boolean>;
  /** Takes back a use that was counted at `countedAtEpochSec`. */
  giveBack(accountId: string, use: LimitedUse, countedAtEpochSec: number): Promise<void>;
}

export interface AuditTrail {
  /** Writes an event that reports no change of a record, such as a read of credentials. */
  append(event: LifecycleEvent): Promise<void>;
}
