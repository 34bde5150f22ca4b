import type { GrantDeath } from '../core/grant-death.ts';
import type { ConnectionRef, IntegrationRef, ListName } from '../core/identifiers.ts';
import type { LifecycleEvent, StoredEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { PickRecord, SessionOutcome } from './authorized-session.rules.ts';
import type { Census, CountedRow } from './census.rules.ts';
import type { ChangeCounts, ChangeRow } from './change-counts.rules.ts';
import type {
  CallFault,
  Connection,
  ConnectionFilter,
  ConnectionSummary,
  LeaseRelease,
  RefreshLease,
  StoredTokens,
} from './connection.rules.ts';
import type { FoundConnection, IndexOrder, IndexPlace, ListedSubject, PlacedConnection } from './index-rows.rules.ts';
import type { UnconfirmedGrant } from './unconfirmed-grant.rules.ts';
/** Ports of connections: their rows, leases and tokens, lists and counts, due work, and grants to end. */

/** The result of taking a lease: the winner's row is known without another read. */
export type LeaseResult =
  | { readonly taken: true; readonly lease: RefreshLease; readonly lostHash: string | undefined }
  | { readonly taken: false; readonly current: Connection | undefined };

export interface LeaseRequest {
  readonly owner: string;
  readonly attemptId: string;
  readonly attemptHash: string;
  readonly nowEpochSec: number;
  readonly expiresAtEpochSec: number;
  /** The refresh follows a 401 of the provider's API: the row stores when, for every process. */
  readonly afterRefusal?: boolean;
  /** Also for a connection marked dead: to restore it, or on an operator's request. */
  readonly evenIfDead?: boolean;
}

export interface ConnectionPage {
  readonly connections: ConnectionSummary[];
  /** Unreadable rows of the page: no list shows them, but deleting everything must include them. */
  readonly unreadable: readonly ConnectionRef[];
  /** Opaque position of the next page, or undefined at the end. */
  readonly next: string | undefined;
}

/** Records that the provider refuses a connection's calls. */
export interface CallFaultStore {
  /** Does nothing where it is recorded already, or the connection is not active. */
  mark(connection: Connection, fault: CallFault): Promise<void>;
  /** @param clearedAt ISO 8601 */
  clear(connection: Connection, clearedAt: string): Promise<void>;
}

/** The usable parts of an unreadable connection row (CR-10). */
export interface ConnectionRemains {
  /** Number of its last event; 0 where that cannot be read. */
  readonly sequence: number;
  /** Determines its places in lists, as far as readable; undefined where it has none. */
  readonly listed: ListedSubject | undefined;
  /** Ciphertext and OAuth client of the grant, where both are there. */
  readonly grant:
    | { readonly provider: ProviderId; readonly encryptedRefreshToken: string; readonly clientId: string }
    | undefined;
}

/** Which end of a list comes first. */
export type ListOrder = 'newest' | 'oldest';

/** A connection in a list, with the time of its last use. */
export interface ListedConnection extends ConnectionSummary {
  readonly lastUsedAtEpochSec: number | undefined;
}

/** Finds connections of an account by parts of their text; written with the connection, read eventually consistent. */
export interface ConnectionSearch {
  /**
   * Connections whose text contains every word, in no order.
   *
   * @param typed at least one word of `searchWords`
   * @param integrationIds undefined = all
   * @returns `complete` false where there are more than a search finds
   */
  find(
    accountId: string,
    typed: string,
    integrationIds: readonly string[] | undefined,
  ): Promise<{ readonly found: readonly FoundConnection[]; readonly complete: boolean }>;
  /** The first connections by name from the index, which is read as a whole whatever its size. */
  inOrder(accountId: string, wanted: IndexOrder): Promise<readonly PlacedConnection[]>;
  /** The number of connections of some integrations, from the index. */
  count(accountId: string, integrationIds: readonly string[]): Promise<number>;
  /** Those connections in the form of lists, each once, in the requested order; deleted ones are left out. */
  summaries(refs: readonly ConnectionRef[]): Promise<ListedConnection[]>;
}

/** A part of a list as its rows contain it; callers that show them read the connections. */
export interface ListedPage {
  readonly refs: readonly (ConnectionRef & { readonly position: string })[];
  /** Place to continue behind; undefined at the end. */
  readonly next: string | undefined;
}

/** Lists of some of an account's connections; written with the connection, read eventually consistent. */
export interface ConnectionLists {
  /** Whether every connection is in its lists: not before a walk has covered those of an earlier version. */
  isComplete(accountId: string): Promise<boolean>;
  /** A part of several lists together, in the order of age. @param integrationIds undefined = all */
  page(
    accountId: string,
    lists: readonly ListName[],
    integrationIds: readonly string[] | undefined,
    wanted: { readonly order: ListOrder; readonly after: string | undefined; readonly count: number },
  ): Promise<ListedPage>;
  /** Skips rows without reading them. @returns the place reached; undefined where the list ended before */
  passOver(
    accountId: string,
    list: ListName,
    order: ListOrder,
    after: string | undefined,
    count: number,
  ): Promise<string | undefined>;
  /** The number of rows in the lists; `complete` is false where there are more than one answer counts. */
  count(
    accountId: string,
    lists: readonly ListName[],
    integrationIds: readonly string[] | undefined,
  ): Promise<{ readonly total: number; readonly complete: boolean }>;
  /** A part of all connections in the order of their names. */
  byName(
    accountId: string,
    integrationIds: readonly string[] | undefined,
    isDescending: boolean,
    after: IndexPlace | undefined,
    count: number,
  ): Promise<{ readonly refs: readonly PlacedConnection[]; readonly next: IndexPlace | undefined }>;
}

/** Adds search entries and list rows to connections without them or with outdated folding: those of an earlier version or a restored backup. */
export interface SearchUpkeep {
  /** The walk's state; undefined before the first one. */
  read(accountId: string): Promise<SearchWalk | undefined>;
  /** Handles the next part of the account's list, and stores the place reached. @param walk undefined = from the beginning */
  goOn(
    accountId: string,
    walk: SearchWalk | undefined,
    nowEpochSec: number,
  ): Promise<{ readonly added: number; readonly isEnd: boolean }>;
}

export interface SearchWalk {
  /** Place in the account's list, oldest first; undefined at its end. */
  readonly position: string | undefined;
  readonly walkedAtEpochSec: number;
  /** Whether the walk has added every connection to its lists, or has begun to; undefined on a walk of an earlier version. */
  readonly lists: 'complete' | 'begun' | undefined;
  /** Whether it rewrites entries that an earlier version folded otherwise. */
  readonly isFolded: boolean;
}

/** The connect session that creates a connection, and ends with it. */
export interface AuthorizedSession {
  readonly sessionHash: string;
  readonly outcome: SessionOutcome;
  readonly mayAskAgain: boolean;
  /** The picked files, if the flow was for files: stored in the same write. */
  readonly pick?: PickRecord | undefined;
  /** The grant that waited for confirmation, if any: removed in the same write. */
  readonly unconfirmed?: UnconfirmedGrant | undefined;
}

export type GivenWarning = { readonly kind: 'expiry'; readonly number: number } | { readonly kind: 'token_limit' };

export interface ConnectionStore {
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<Connection | undefined>;
  /**
   * Creates or re-authorizes and ends the connect session, all or nothing; fenced by the epoch of the row it replaces. `session_over`:
   * the session has already yielded its connection. `conflict`: the row has changed, read it again.
   */
  saveAuthorized(
    connection: Connection,
    replacing: Connection | undefined,
    events: readonly LifecycleEvent[],
    session: AuthorizedSession,
  ): Promise<'saved' | 'session_over' | 'conflict'>;
  /** Creates or replaces outside an authorization flow; false when another writer was faster. */
  save(connection: Connection, replacing: Connection | undefined, event: LifecycleEvent): Promise<boolean>;
  takeLease(known: Connection, request: LeaseRequest): Promise<LeaseResult>;
  /**
   * New tokens with the events of other changes, all or nothing; a dead connection is active again. False when the epoch is no longer
   * the lease's, or another event of the connection interfered.
   */
  storeTokens(
    connection: Connection,
    lease: RefreshLease,
    tokens: StoredTokens,
    events?: readonly LifecycleEvent[],
  ): Promise<boolean>;
  /** Returns the lease without tokens; never touches another owner's. */
  releaseLease(connection: Connection, lease: RefreshLease, next: LeaseRelease): Promise<void>;
  /**
   * Returns the lease with the event of the refusal, all or nothing; false when another lease owns the row, or it is not active or has
   * changed.
   */
  reportRefusal(
    connection: Connection,
    lease: RefreshLease,
    next: LeaseRelease,
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** False when the epoch is no longer the lease's. */
  markDead(connection: Connection, lease: RefreshLease, death: GrantDeath, event: LifecycleEvent): Promise<boolean>;
  /**
   * Replaces a guessed cause by a proven one; erases the tokens where the provider requires it. False on a conflict.
   *
   * @param event undefined where the cause stays
   */
  explainDeath(connection: Connection, death: GrantDeath, event: LifecycleEvent | undefined): Promise<boolean>;
  /** Makes the access token count as expired, unless newer tokens are stored. */
  dropAccessToken(connection: Connection): Promise<void>;
  noteUse(connection: Connection, nowEpochSec: number, refreshAtEpochSec: number | undefined): Promise<void>;
  /** Replaces end user, tags and metadata; false on a conflict. @param before the connection as it was read */
  updateDescription(connection: Connection, before: Connection, event: LifecycleEvent): Promise<boolean>;
  /** Records a warning with its event, once; false when the row has changed or the warning was given. */
  warn(connection: Connection, warning: GivenWarning, event: LifecycleEvent): Promise<boolean>;
  /** Sets or ends the time until which every call is logged; false on a conflict. */
  setRecording(connection: Connection, event: LifecycleEvent): Promise<boolean>;
  /** Erases tokens and due keys, raises the epoch, writes the event and, where requested, the pending revocation. */
  delete(connection: Connection, event: LifecycleEvent, revocation?: PendingRevocation): Promise<boolean>;
  /** The usable parts of an unreadable row; undefined without one, or where it is deleted. */
  readRemains(ref: ConnectionRef): Promise<ConnectionRemains | undefined>;
  /** Removes such a row with its event and, where requested, the pending revocation; false when it is deleted already. */
  deleteRemains(
    ref: ConnectionRef,
    remains: ConnectionRemains,
    event: LifecycleEvent,
    revocation?: PendingRevocation,
  ): Promise<boolean>;
  /** @param order @default the newest first */
  list(
    accountId: string,
    filter: ConnectionFilter,
    limit: number,
    cursor: string | undefined,
    order?: ListOrder,
  ): Promise<ConnectionPage>;
  /** Skips connections of the whole list without reading them. @returns the place reached; undefined where the list ended before */
  passOver(
    accountId: string,
    count: number,
    cursor: string | undefined,
    order: ListOrder,
  ): Promise<{ readonly next: string | undefined }>;
  /** The number of connections in the list; `complete` is false where there are more than one answer counts. */
  count(accountId: string, filter: ConnectionFilter): Promise<{ readonly total: number; readonly complete: boolean }>;
  /** Postpones a due entry, or removes it from the index where undefined, unless the row has changed. */
  reschedule(connection: Connection, refreshAtEpochSec: number | undefined): Promise<void>;
  /** Records that the provider was asked to end the grant, unless the connection was consented to again since `endedAtEpochSec`. */
  noteGrantEnded(ref: ConnectionRef, endedAtEpochSec: number): Promise<void>;
  /** Live connections of any account that share a grant identity, and grants that wait for confirmation; newest consent first. */
  sharingGrant(clientId: string, subject: string, limit: number): Promise<GrantSharer[]>;
  /** Newest first; `beforeEventId` continues behind an event. */
  events(ref: ConnectionRef, limit: number, beforeEventId?: string): Promise<EventPage>;
}

/** A part of a connection's timeline. */
export interface EventPage {
  readonly events: StoredEvent[];
  /** Id of the event to continue behind; undefined at the end. */
  readonly next: string | undefined;
}

/** One live grant of a provider account. */
export interface GrantSharer extends ConnectionRef {
  readonly clientId: string;
  readonly consentedAtEpochSec: number;
  /** Set on a grant that waits for confirmation, with the session of a reconnect. */
  readonly unconfirmed?: { readonly reconnectSession: string | undefined } | undefined;
}

/** An account's grants that the provider still has to end. */
export interface RevocationList {
  /** Oldest first, eventually consistent; `complete` is false where there are more than one answer reads. */
  pending(accountId: string): Promise<{ readonly refs: readonly ConnectionRef[]; readonly complete: boolean }>;
}

/** Counters of changes of connections, by day and integration. */
export interface ChangeCountWriter {
  add(ref: IntegrationRef, day: string, counts: ChangeCounts): Promise<void>;
}

export interface ChangeCountReader {
  /** One row for each integration that something was counted of. */
  ofDay(accountId: string, day: string): Promise<readonly ChangeRow[]>;
}

/** Counts an account's connections, a part at a time. */
export interface CensusStore {
  read(accountId: string): Promise<Census | undefined>;
  /** Writes the next version; false when another writer was faster. */
  save(census: Census): Promise<boolean>;
  /** One page of the account's list behind `position`, oldest first; `next` is undefined at its end. */
  page(
    accountId: string,
    position: string | undefined,
  ): Promise<{ readonly rows: readonly CountedRow[]; readonly next: string | undefined }>;
}

/** A deleted connection's grant that the provider still has to end (TK-8). */
export interface PendingRevocation {
  readonly ref: ConnectionRef;
  readonly provider: ProviderId;
  /** Ciphertext under the connection's own context. */
  readonly encryptedRefreshToken: string;
  readonly clientId: string;
  /** The grant's account; undefined when no identity was granted. */
  readonly subject: string | undefined;
  readonly endUserId: string | undefined;
  readonly requestedAtEpochSec: number;
  readonly retryAtEpochSec: number;
  readonly failureCount: number;
}

/** A pending revocation, or a grant that was not confirmed: of a new connection, or of a re-authorization. */
export type DueEnding =
  | { readonly kind: 'revocation'; readonly ref: ConnectionRef }
  | { readonly kind: 'unconfirmed'; readonly ref: ConnectionRef; readonly reconnectSession: string | undefined };

export interface RevocationStore {
  /** Strongly consistent. */
  read(ref: ConnectionRef): Promise<PendingRevocation | undefined>;
  /** Grants to be ended whose time has come, oldest first. */
  due(shard: number, untilEpochSec: number, limit: number): Promise<DueEnding[]>;
  /** Removes the item with the event of its end; false when it is removed already. */
  finish(revocation: PendingRevocation, event: LifecycleEvent): Promise<boolean>;
  postpone(revocation: PendingRevocation, retryAtEpochSec: number): Promise<void>;
  /** Writes or replaces an item, due at its `retryAtEpochSec`: for a token that arrived after the deletion. */
  put(revocation: PendingRevocation): Promise<void>;
}

/** Grants that wait for the app's backend to confirm them (CS-15). */
export interface UnconfirmedGrantStore {
  /** Stores the grant and ends the session, all or nothing; false when the session has yielded one already. */
  save(
    grant: UnconfirmedGrant,
    session: { readonly outcome: SessionOutcome; readonly confirmationHash: string },
    event: LifecycleEvent,
  ): Promise<boolean>;
  /**
   * Strongly consistent, including grants past their deadline.
   *
   * @param reconnectSession hash of the session, for a grant of an existing connection
   */
  read(ref: ConnectionRef, reconnectSession?: string): Promise<UnconfirmedGrant | undefined>;
  /**
   * Erases the grant with its event and, where given, the pending revocation. `gone`: confirmed or ended meanwhile.
   * `revocation_pending`: another revocation under the same name must end first; nothing was changed.
   */
  end(
    grant: UnconfirmedGrant,
    event: LifecycleEvent,
    revocation: PendingRevocation | undefined,
  ): Promise<'ended' | 'gone' | 'revocation_pending'>;
  /** Makes the grant one that can only be ended, from `retryAtEpochSec` on. */
  close(grant: UnconfirmedGrant, retryAtEpochSec: number): Promise<void>;
}

/** The schedule's index of due connections. */
export interface ConnectionUpkeep {
  /** Postpones a due row whose work failed, whatever its state, and counts the failure. */
  postpone(ref: ConnectionRef, refreshAtEpochSec: number): Promise<void>;
  /** Identities whose `refreshAt` has passed, oldest first, behind `after`; one page of a shard. */
  duePage(shard: number, untilEpochSec: number, limit: number, after: DuePosition | undefined): Promise<DuePage>;
  /** Whether anything is due in a partition of the due index, of whatever kind of work. */
  hasDue(partition: number, untilEpochSec: number): Promise<boolean>;
}

/** Opaque place in a shard of the due index. */
export type DuePosition = Readonly<Record<string, unknown>>;

/** Deletes rows of deleted connections from another table. */
export interface RowClearing {
  /** Deletes some of a connection's rows from before a moment. @returns whether more are left */
  clearSome(ref: ConnectionRef, beforeMs: number): Promise<boolean>;
}

export interface DuePage {
  readonly refs: ConnectionRef[];
  /** Undefined at the end of the shard. */
  readonly next: DuePosition | undefined;
}
