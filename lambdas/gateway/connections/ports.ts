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
/** What connections need from outside: their rows, their lease and tokens, lists and counts, what is due, grants that are to end. */

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
  /** The refresh answers a 401 of the provider's API: the row remembers when, for every process. */
  readonly afterRefusal?: boolean;
  /** Also for a connection that is marked dead: to heal it, or because an operator asks. */
  readonly evenIfDead?: boolean;
}

export interface ConnectionPage {
  readonly connections: ConnectionSummary[];
  /** Rows among them that cannot be read: no list shows them, but deleting everything must not forget them. */
  readonly unreadable: readonly ConnectionRef[];
  /** Opaque position of the next page, or undefined at the end. */
  readonly next: string | undefined;
}

/** Where it is noted that the provider refuses a connection's calls. */
export interface CallFaultStore {
  /** Nothing happens where it is noted already, or the connection is not active. */
  mark(connection: Connection, fault: CallFault): Promise<void>;
  /** @param clearedAt ISO 8601 */
  clear(connection: Connection, clearedAt: string): Promise<void>;
}

/** What is left of a connection's row that cannot be read (CR-10). */
export interface ConnectionRemains {
  /** Number of its last event; 0 where that cannot be read. */
  readonly sequence: number;
  /** What its places in lists follow from, as far as it can be read; undefined where it has none. */
  readonly listed: ListedSubject | undefined;
  /** Ciphertext and OAuth client of the grant, where both are there. */
  readonly grant:
    | { readonly provider: ProviderId; readonly encryptedRefreshToken: string; readonly clientId: string }
    | undefined;
}

/** Which end of a list comes first. */
export type ListOrder = 'newest' | 'oldest';

/** A connection as lists show it, with the time of its last use. */
export interface ListedConnection extends ConnectionSummary {
  readonly lastUsedAtEpochSec: number | undefined;
}

/** Finds connections of an account by parts of what they say; written with the connection, read eventually consistent. */
export interface ConnectionSearch {
  /**
   * Connections whose text holds every word, in no order.
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
  /**
   * The first connections by name, as the index has them: it is read as a whole, however many there are.
   */
  inOrder(accountId: string, wanted: IndexOrder): Promise<readonly PlacedConnection[]>;
  /** How many connections of some integrations there are, as the index has them. */
  count(accountId: string, integrationIds: readonly string[]): Promise<number>;
  /** Those connections as a list shows them, each once, in the order asked for; the ones that are gone are left out. */
  summaries(refs: readonly ConnectionRef[]): Promise<ListedConnection[]>;
}

/** A part of a list, as its rows say it; anyone who shows them reads the connections. */
export interface ListedPage {
  readonly refs: readonly (ConnectionRef & { readonly position: string })[];
  /** Place to continue behind; undefined at the end. */
  readonly next: string | undefined;
}

/** Lists of some of an account's connections; written with the connection, read eventually consistent. */
export interface ConnectionLists {
  /** Whether every connection is in its lists; not before a walk has seen those that an earlier version stored. */
  isComplete(accountId: string): Promise<boolean>;
  /** A part of several lists together, in the order of age. @param integrationIds undefined = all */
  page(
    accountId: string,
    lists: readonly ListName[],
    integrationIds: readonly string[] | undefined,
    wanted: { readonly order: ListOrder; readonly after: string | undefined; readonly count: number },
  ): Promise<ListedPage>;
  /** Goes over rows without reading them. @returns the place that was reached; undefined where the list ended before */
  passOver(
    accountId: string,
    list: ListName,
    order: ListOrder,
    after: string | undefined,
    count: number,
  ): Promise<string | undefined>;
  /** How many rows the lists have; `complete` is false where there are more than one answer counts. */
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

/** Gives a search entry and rows in lists to connections that have none, or an entry that was folded otherwise: those an earlier version or a restored backup wrote. */
export interface SearchUpkeep {
  /** Where the walk is; undefined before the first one. */
  read(accountId: string): Promise<SearchWalk | undefined>;
  /** Looks at the next part of the account's list, and keeps where it was left. @param walk undefined = from the beginning */
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
  /** Whether the walk has put every connection into its lists, or has begun to; undefined on a walk of an earlier version. */
  readonly lists: 'complete' | 'begun' | undefined;
  /** Whether it rewrites entries that an earlier version folded otherwise. */
  readonly isFolded: boolean;
}

/** The connect session that a connection comes of, as it ends with it. */
export interface AuthorizedSession {
  readonly sessionHash: string;
  readonly outcome: SessionOutcome;
  readonly mayAskAgain: boolean;
  /** What was picked in the flow, if it was for files: kept with the same write. */
  readonly pick?: PickRecord | undefined;
  /** The grant that has waited for confirmation, if it has: removed with the same write. */
  readonly unconfirmed?: UnconfirmedGrant | undefined;
}

export type GivenWarning = { readonly kind: 'expiry'; readonly number: number } | { readonly kind: 'token_limit' };

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
    session: AuthorizedSession,
  ): Promise<'saved' | 'session_over' | 'conflict'>;
  /** Creates or replaces outside an authorization flow; false when somebody was faster. */
  save(connection: Connection, replacing: Connection | undefined, event: LifecycleEvent): Promise<boolean>;
  takeLease(known: Connection, request: LeaseRequest): Promise<LeaseResult>;
  /**
   * New tokens with the events of what else they change, all or nothing; a connection that was dead lives again. False when the
   * epoch is no longer the lease's, or another event of the connection came between.
   */
  storeTokens(
    connection: Connection,
    lease: RefreshLease,
    tokens: StoredTokens,
    events?: readonly LifecycleEvent[],
  ): Promise<boolean>;
  /** Gives the lease back without tokens; never touches another owner's. */
  releaseLease(connection: Connection, lease: RefreshLease, next: LeaseRelease): Promise<void>;
  /** Gives the lease back with the event of the refusal, all or nothing; false when the row is another's, not active or has moved on. */
  tellRefusal(connection: Connection, lease: RefreshLease, next: LeaseRelease, event: LifecycleEvent): Promise<boolean>;
  /** False when the epoch is no longer the lease's. */
  markDead(connection: Connection, lease: RefreshLease, death: GrantDeath, event: LifecycleEvent): Promise<boolean>;
  /**
   * Replaces a guess by a cause that is proven; erases the tokens where the provider requires it. False on a conflict.
   *
   * @param event undefined where the cause stays as it is
   */
  explainDeath(connection: Connection, death: GrantDeath, event: LifecycleEvent | undefined): Promise<boolean>;
  /** The access token counts as expired from now on, unless newer tokens are there. */
  dropAccessToken(connection: Connection): Promise<void>;
  noteUse(connection: Connection, nowEpochSec: number, refreshAtEpochSec: number | undefined): Promise<void>;
  /** Replaces end user, tags and metadata; false on a conflict. @param before the connection as it was read */
  updateDescription(connection: Connection, before: Connection, event: LifecycleEvent): Promise<boolean>;
  /** Notes a warning with its event, once; false when the row has moved on or the warning was given. */
  warn(connection: Connection, warning: GivenWarning, event: LifecycleEvent): Promise<boolean>;
  /** Sets or ends the time until which every call is logged; false on a conflict. */
  setRecording(connection: Connection, event: LifecycleEvent): Promise<boolean>;
  /** Erases tokens and due keys, raises the epoch, writes the event and, where asked for, what is still to be revoked. */
  delete(connection: Connection, event: LifecycleEvent, revocation?: PendingRevocation): Promise<boolean>;
  /** What can be used of a row that cannot be read as a whole; undefined where there is none, or it is deleted. */
  readRemains(ref: ConnectionRef): Promise<ConnectionRemains | undefined>;
  /** Removes such a row with its event and, where asked for, what is still to be revoked; false when it is gone. */
  deleteRemains(
    ref: ConnectionRef,
    remains: ConnectionRemains,
    event: LifecycleEvent,
    revocation?: PendingRevocation,
  ): Promise<boolean>;
  /** @param order the newest first where nothing is said */
  list(
    accountId: string,
    filter: ConnectionFilter,
    limit: number,
    cursor: string | undefined,
    order?: ListOrder,
  ): Promise<ConnectionPage>;
  /** Goes over connections of the whole list without reading them. @returns where it stands; undefined where the list ended before */
  passOver(
    accountId: string,
    count: number,
    cursor: string | undefined,
    order: ListOrder,
  ): Promise<{ readonly next: string | undefined }>;
  /** How many the list has; `complete` is false where there are more than one answer counts. */
  count(accountId: string, filter: ConnectionFilter): Promise<{ readonly total: number; readonly complete: boolean }>;
  /** Puts a due entry off, or takes it out of the index where undefined, unless the row has moved on. */
  reschedule(connection: Connection, refreshAtEpochSec: number | undefined): Promise<void>;
  /** Notes that the provider was told to end the grant, unless the connection was consented to again since `endedAtEpochSec`. */
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

/** Which grants an account still waits for the provider to end. */
export interface RevocationList {
  /** Oldest first, eventually consistent; `complete` is false where there are more than one answer reads. */
  pending(accountId: string): Promise<{ readonly refs: readonly ConnectionRef[]; readonly complete: boolean }>;
}

/** Counters of what became of connections, by day and integration. */
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
  /** Writes the next version; false when somebody was faster. */
  save(census: Census): Promise<boolean>;
  /** One page of the account's list behind `position`, oldest first; `next` is undefined at its end. */
  page(
    accountId: string,
    position: string | undefined,
  ): Promise<{ readonly rows: readonly CountedRow[]; readonly next: string | undefined }>;
}

/** A deleted connection's grant that the provider is still to be told to end (TK-8). */
export interface PendingRevocation {
  readonly ref: ConnectionRef;
  readonly provider: ProviderId;
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

/** Grants that wait for the app's backend to confirm them (CS-15). */
export interface UnconfirmedGrantStore {
  /** Keeps the grant and ends the session with it, all or nothing; false when the session has yielded one already. */
  save(
    grant: UnconfirmedGrant,
    session: { readonly outcome: SessionOutcome; readonly confirmationHash: string },
    event: LifecycleEvent,
  ): Promise<boolean>;
  /**
   * Strongly consistent, also of grants whose time is over.
   *
   * @param reconnectSession hash of the session, for a grant of a connection that exists
   */
  read(ref: ConnectionRef, reconnectSession?: string): Promise<UnconfirmedGrant | undefined>;
  /**
   * Erases the grant with its event and, where given, what is still to be revoked. `gone`: confirmed or ended meanwhile.
   * `revocation_pending`: another revocation under the same name must end first; nothing was changed.
   */
  end(
    grant: UnconfirmedGrant,
    event: LifecycleEvent,
    revocation: PendingRevocation | undefined,
  ): Promise<'ended' | 'gone' | 'revocation_pending'>;
  /** Makes the grant one that can only be ended, and tries that at `retryAtEpochSec`. */
  close(grant: UnconfirmedGrant, retryAtEpochSec: number): Promise<void>;
}

/** The schedule's index of due connections. */
export interface ConnectionUpkeep {
  /** Puts off a due row whose work failed, whatever state it is in, and counts the failure. */
  postpone(ref: ConnectionRef, refreshAtEpochSec: number): Promise<void>;
  /** Identities whose `refreshAt` has passed, oldest first, behind `after`; one page of a shard. */
  duePage(shard: number, untilEpochSec: number, limit: number, after: DuePosition | undefined): Promise<DuePage>;
  /** Whether anything is due in a partition of the due index, of whatever kind of work. */
  hasDue(partition: number, untilEpochSec: number): Promise<boolean>;
}

/** Opaque place in a shard of the due index. */
export type DuePosition = Readonly<Record<string, unknown>>;

/** Deletes rows that deleted connections leave in another table. */
export interface RowClearing {
  /** Deletes some of a connection's rows from before a moment. @returns whether there are more */
  clearSome(ref: ConnectionRef, beforeMs: number): Promise<boolean>;
}

export interface DuePage {
  readonly refs: ConnectionRef[];
  /** Undefined at the end of the shard. */
  readonly next: DuePosition | undefined;
}
