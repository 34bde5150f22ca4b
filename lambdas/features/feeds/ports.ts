import type { Connection } from '../../gateway/connections/connection.rules.ts';
import type { DuePosition } from '../../gateway/connections/ports.ts';
import type { MadeRequest } from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { LifecycleEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { StoredQuota } from '../../gateway/providers/project-quota.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider.rules.ts';
/** Ports of feeds: their rows, marks and channels, the provider's API, and a share of its quota. */
import type {
  ChannelRecord,
  DriveLog,
  Feed,
  FeedBatch,
  FeedLease,
  FeedMark,
  FeedProgress,
  FeedRef,
  FeedSettings,
  FeedWait,
  NewBatch,
} from './feed.rules.ts';
import type { FeedRefusal } from './feed-resource.rules.ts';
import type { FeedWish } from './feed-wish.rules.ts';
import type { KnownFolder } from './folder.rules.ts';
import type { StartsPlan } from './starts.rules.ts';

/** Written together with a feed's progress, all or nothing. */
export interface FeedWrite {
  /** Batches; the cursor of the same write leads behind them. */
  readonly batches?: readonly NewBatch[];
  readonly event?: LifecycleEvent | undefined;
  /** A channel that was opened. */
  readonly channel?: ChannelRecord;
  /** Ids of channels whose messages the feed no longer accepts. */
  readonly forgotten?: readonly string[];
  /** The current logs of shared drives. */
  readonly logs?: readonly DriveLog[];
  /** Ids of shared drives whose logs are no longer followed. */
  readonly leftDrives?: readonly string[];
  /** New memory of things. */
  readonly states?: readonly ThingState[];
  /** Names of things to forget. */
  readonly forgottenStates?: readonly string[];
  /** The new plan of reminders; `none` deletes the plan. */
  readonly starts?: StartsPlan | 'none';
  /** Ciphertext of the new key of the feed's memory. */
  readonly statesKey?: string;
  /** The feed is no longer overdue. */
  readonly isOverdueNoMore?: boolean;
}

/** A feed's memory of one thing: names and states of `meaning.rules.ts`. */
export interface ThingState {
  readonly name: string;
  /** Empty where only its place is known. */
  readonly state: string;
  /** Of a feed of a folder: id of the folder that it lies in. */
  readonly folder?: string | undefined;
  /** Of a folder in such a feed, as `KnownFolder`. */
  readonly listing?: string | undefined;
  readonly enters?: string | undefined;
  /** When a removed thing is forgotten. */
  readonly expiresAtEpochSec: number | undefined;
}

/** A consumer's own place in a feed. */
export interface FeedCursorName {
  readonly name: string;
  /** The last batch that the consumer has processed. */
  readonly sequence: number;
  readonly movedAt: string;
  /** Since when the consumer is known to be too far behind; removed when it has caught up. */
  readonly behindSince?: string | undefined;
}

export interface FeedStore {
  /** `existing`: the connection has a feed of this resource, which the answer names. `full`: it has the maximum number. */
  create(
    feed: Feed,
    event: LifecycleEvent,
  ): Promise<{ readonly kind: 'created' | 'full' } | { readonly kind: 'existing'; readonly feedId: string }>;
  /** Strongly consistent. */
  read(ref: FeedRef): Promise<Feed | undefined>;
  /**
   * Takes the lease and raises the epoch.
   *
   * @returns the row as it is under this lease, which may be newer than `known`; undefined when another process holds the feed, or has held or
   *   pulled it since `known` was read
   */
  takeLease(known: Feed, lease: FeedLease, nowMs: number): Promise<Feed | undefined>;
  /** The sealed position of a leased feed, under a key that this function may use. */
  position(feed: Feed): Promise<string | undefined>;
  /**
   * Writes progress and lease (undefined: returned). False when the row has another epoch, or another sequence than the one before
   * these batches. For each batch that is written, the oldest one over the limit is deleted.
   */
  save(feed: Feed, write: FeedWrite): Promise<boolean>;
  /**
   * Returns the lease after a write of unknown outcome: postpones the feed, changes nothing else, and raises the epoch, so that a write
   * that is still under way is refused. False where the lease is not the owner's any more.
   */
  giveUp(
    feed: FeedRef & Pick<Feed, 'epoch'>,
    owner: string,
    put: Pick<FeedProgress, 'failureCount' | 'notBeforeEpochSec' | 'pullAtEpochSec'>,
  ): Promise<boolean>;
  /** Number of the last batch that is stored, whatever the row says; 0 where there is none. Strongly consistent. */
  lastStored(ref: FeedRef): Promise<number>;
  /** Sets the sequence of a row that is behind its batches, under the lease; false where the row has changed. */
  renumber(feed: Feed, sequence: number): Promise<boolean>;
  /** Records since when a feed has been overdue, with the event that reports it; false where that is recorded already. */
  noteOverdue(ref: FeedRef, sinceEpochSec: number, event: LifecycleEvent): Promise<boolean>;
  /**
   * Removes the feed and its place at the connection under the feed's epoch; batches stay until their TTL. The removal stays recorded
   * for as long as a backup may contain the feed.
   */
  remove(feed: Feed, nowEpochSec: number, event: LifecycleEvent): Promise<boolean>;
  /** Logs of shared drives that a feed of `drives` follows, strongly consistent. */
  logs(ref: FeedRef): Promise<readonly DriveLog[]>;
  /** Ciphertext of the key of the feed's memory, strongly consistent. */
  statesKey(ref: FeedRef): Promise<string | undefined>;
  /** Memory of things, by name, strongly consistent; at most a hundred. */
  states(ref: FeedRef, names: readonly string[], nowEpochSec: number): Promise<ReadonlyMap<string, ThingState>>;
  /** The folders of a feed of a folder, strongly consistent. */
  folders(ref: FeedRef): Promise<readonly KnownFolder[]>;
  /**
   * Erases a feed's memory of things, its key first.
   *
   * @param holder the row as its holder has it; undefined for a feed that was removed
   * @returns `late` where some is left; `superseded` where the row is another one than the holder's
   */
  eraseStates(
    ref: FeedRef,
    holder: Pick<Feed, 'epoch' | 'sequence'> | undefined,
    isLate: () => boolean,
  ): Promise<'erased' | 'late' | 'superseded'>;
  /** A feed's plan of reminders, strongly consistent; undefined before its first look. */
  starts(ref: FeedRef): Promise<StartsPlan | undefined>;
  /** Postpones due reminders that cannot be reported yet. */
  postponeStarts(ref: FeedRef, nowEpochSec: number, untilEpochSec: number): Promise<void>;
  /** Deletes the plan of reminders of a feed that was removed. */
  removeStarts(ref: FeedRef): Promise<void>;
  /** The other feeds of its connection, strongly consistent. */
  siblings(feed: Pick<Feed, 'accountId' | 'feedId' | 'connection'>): Promise<readonly Feed[]>;
  readMark(ref: FeedRef): Promise<FeedMark>;
  /** Marks a feed because the channel of another one announced changes in their log. @returns the mark after that */
  passOn(ref: FeedRef, name: string, nowEpochSec: number): Promise<FeedMark>;
  /** Clears the mark unless it changed since it was read; false where it did. */
  clearMark(ref: FeedRef, known: FeedMark): Promise<boolean>;
  /** Releases an unanswered mark: the next message wakes a process again, or the sweep finds it. */
  leaveMark(ref: FeedRef): Promise<void>;
  /**
   * Postpones a mark that cannot be answered yet; false where its connection has changed since the mark was read, which must not wait.
   */
  postponeMark(ref: FeedRef, known: FeedMark, untilEpochSec: number): Promise<boolean>;
  removeMark(ref: FeedRef): Promise<void>;
  /** Stored batches above `after`, in order. */
  batches(ref: FeedRef, after: number, limit: number, nowEpochSec: number): Promise<readonly FeedBatch[]>;
  cursors(ref: FeedRef): Promise<readonly FeedCursorName[]>;
  /** Records that a consumer is too far behind, with the event that reports it; false when it has moved, or the event exists already. */
  noteBehind(ref: FeedRef, cursor: FeedCursorName, event: LifecycleEvent): Promise<boolean>;
}

/** A page of a partition of the due index. */
export interface DueFeeds {
  readonly refs: readonly (FeedRef & { readonly dueAtEpochSec: number })[];
  readonly oldestEpochSec: number | undefined;
  /** Undefined at the end of the partition. */
  readonly next: DuePosition | undefined;
}

/** The sweep's access to the due index. */
export interface FeedIndex {
  /** Feeds that are due or marked in a partition of the due index, oldest first, each once. */
  due(shard: number, untilEpochSec: number, limit: number, after: DuePosition | undefined): Promise<DueFeeds>;
  /** Postpones a feed that cannot be worked on, whatever its state. */
  postpone(ref: FeedRef, untilEpochSec: number): Promise<void>;
}

/** Marks set by changes of a connection. */
export interface FeedMarks {
  /** Marks a feed, due at once, because its connection has changed. @param change names it */
  markChange(ref: FeedRef, change: string, nowEpochSec: number): Promise<void>;
}

/** Access of the routes in addition to the work itself. */
export interface FeedDirectory {
  /** Ids, strongly consistent. */
  ofConnection(ref: ConnectionRef): Promise<readonly FeedRef[]>;
  /** Ids of an account's feeds, newest last, eventually consistent. */
  ofAccount(accountId: string): Promise<readonly FeedRef[]>;
  readMany(refs: readonly FeedRef[]): Promise<readonly Feed[]>;
  /** @param event reports the change; without one, only who declares the feed has changed */
  changeSettings(
    ref: FeedRef,
    settings: Partial<FeedSettings & Pick<Feed, 'managedBy'>>,
    event?: LifecycleEvent,
  ): Promise<boolean>;
  moveCursor(ref: FeedRef, cursor: FeedCursorName): Promise<void>;
  removeCursor(ref: FeedRef, name: string): Promise<void>;
}

/** Access of the inbox: looks a channel up and marks its feed. */
export interface InboxStore {
  channel(channelId: string): Promise<ChannelRecord | undefined>;
  /** Counts a message; true when no process was at work on the feed's mark, so that one has to be woken. */
  mark(channel: FeedRef & Pick<ChannelRecord, 'log'>, nowEpochSec: number): Promise<boolean>;
}

/** An answer of the provider to a call of a feed. */
export type FeedAnswer =
  | { readonly kind: 'ok'; readonly body: unknown }
  | {
      readonly kind: 'refusal';
      readonly refusal: FeedRefusal;
      readonly status: number;
      readonly retryAfterSec: number | undefined;
    }
  /** The connection needs a new authorization. */
  | { readonly kind: 'dead' }
  /** No token for now, or no answer. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterSec: number | undefined };

/** Counts the use that feeds make of a provider's quotas. */
export interface FeedCallCount {
  made(
    call: MadeRequest & {
      readonly connection: Connection;
      readonly provider: ProviderId;
      /** The Cloud project's quota, where it is known to differ. */
      readonly quota: StoredQuota | undefined;
      /** Absent: it has just ended. */
      readonly endedAtMs?: number;
    },
  ): void;
}

/** For which feed a call is made. */
export interface CalledFeed {
  readonly feed: Pick<Feed, 'accountId' | 'feedId' | 'connection' | 'resource'>;
  /** As read in this turn. */
  readonly connection: Connection;
  readonly integration: Integration;
  readonly requestId: string;
  /** Deadline of its answer: no request is sent that may end later (TB-4). */
  readonly endByMs: number;
}

/** Places of feeds at their connections, which the asking function cannot write. */
export interface FeedPlaces {
  /** Whether the place of this resource at this connection is the feed's. */
  isOf(connection: ConnectionRef, resource: string, feedId: string): Promise<boolean>;
}

/** Calls the provider's API as a connection's user. */
export interface FeedCaller {
  /** @throws Error for a failure of the gateway itself */
  call(called: CalledFeed, wish: FeedWish): Promise<FeedAnswer>;
}

/** The holder of the quota that a feed uses: a Cloud project, and within it a user, have one for each API. */
export interface FeedQuotaOwner {
  readonly accountId: string;
  readonly cloudProject: string;
  readonly provider: ProviderId;
  /** The account at the provider, or the connection where it is not known. */
  readonly user: string;
  /** The Cloud project's quota, where it is known to differ from new ones. */
  readonly own?: StoredQuota | undefined;
}

/** Whether background calls may begin in this minute. */
export interface FeedPace {
  /** Seconds until so many lists may begin; undefined: now. */
  waitSec(owner: FeedQuotaOwner, lists: number): Promise<number | undefined>;
  /** Records that the provider reported a used-up minute of the project, or of the user in it. */
  spent(owner: FeedQuotaOwner, level: 'project' | 'user'): Promise<void>;
}

/** The feeds' share of a Cloud project's quota. */
export interface FeedQuota {
  /** Takes so many lists that begin at once; otherwise returns the reason and when to try again. */
  admit(owner: FeedQuotaOwner, nowEpochSec: number, lists?: number): Promise<FeedWait | undefined>;
  /** Blocks all calls to this API before a time, for feeds of the project or of the user in it. */
  block(owner: FeedQuotaOwner, level: 'project' | 'user', untilEpochSec: number): Promise<void>;
}

/** Attributes of a feed's rows that are sealed: positions, and the key of what the feed remembers. */
export type SealedAttribute = 'encryptedCursor' | 'listing' | 'encryptedKey';

/** A sealed value in a row. */
export interface SealedValue {
  readonly pk: string;
  readonly sk: string;
  readonly attribute: SealedAttribute;
  readonly sealed: string;
}

export interface FeedSeals {
  /** Values that 0.2.0 sealed; undefined for a feed that does not exist. */
  underKeysOfTokens(
    ref: FeedRef,
  ): Promise<{ readonly integrationId: string; readonly values: readonly SealedValue[] } | undefined>;
  /** Replaces a value; false where it has changed. */
  replace(value: SealedValue, resealed: string): Promise<boolean>;
}
