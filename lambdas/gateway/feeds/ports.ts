import type { Connection } from '../connections/connection.rules.ts';
import type { DuePosition } from '../connections/ports.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { StoredQuota } from '../providers/project-quota.rules.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
/** What feeds need from outside: their rows, marks and channels, the provider's API, and a share of its quota. */
import type {
  ChannelRecord,
  DriveLog,
  Feed,
  FeedBatch,
  FeedLease,
  FeedMark,
  FeedRef,
  FeedSettings,
  FeedWait,
  NewBatch,
} from './feed.rules.ts';
import type { FeedCall, FeedRefusal } from './feed-resource.rules.ts';
import type { KnownFolder } from './folder.rules.ts';
import type { StartsPlan } from './starts.rules.ts';

/** What is written together with a feed's progress, all or nothing. */
export interface FeedWrite {
  /** The cursor of the same write leads behind them. */
  readonly batches?: readonly NewBatch[];
  readonly event?: LifecycleEvent | undefined;
  /** A channel that was opened. */
  readonly channel?: ChannelRecord;
  /** Ids of channels whose messages are no more the feed's. */
  readonly forgotten?: readonly string[];
  /** Logs of shared drives as they are now. */
  readonly logs?: readonly DriveLog[];
  /** Ids of shared drives whose logs are followed no more. */
  readonly leftDrives?: readonly string[];
  /** What is remembered of things from now on. */
  readonly states?: readonly ThingState[];
  /** Names of things that are remembered no more. */
  readonly forgottenStates?: readonly string[];
  /** What is known of reminders from now on. */
  readonly starts?: StartsPlan;
  /** Ciphertext of the key of what is remembered from now on. */
  readonly statesKey?: string;
  /** The feed does not stand still any more. */
  readonly isOverdueNoMore?: boolean;
}

/** What a feed remembers of one thing: names and states of `meaning.rules.ts`. */
export interface ThingState {
  readonly name: string;
  /** Empty where only its place is known. */
  readonly state: string;
  /** Of a feed of a folder: id of the folder that it lies in. */
  readonly folder?: string | undefined;
  /** Of a folder in such a feed, as `KnownFolder`. */
  readonly listing?: string | undefined;
  readonly enters?: string | undefined;
  /** Of what has gone: when that is forgotten. */
  readonly expiresAtEpochSec: number | undefined;
}

/** A consumer's own place in a feed. */
export interface FeedCursorName {
  readonly name: string;
  /** The last batch that the consumer has processed. */
  readonly sequence: number;
  readonly movedAt: string;
  /** Since when it is known that the consumer is too far behind; forgotten when it has caught up. */
  readonly behindSince?: string | undefined;
}

export interface FeedStore {
  /** `existing`: the connection has a feed of this resource; the answer names it. `full`: it has as many as it may. */
  create(
    feed: Feed,
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
  /**
   * Writes progress and lease (undefined: given back). False when the row has another epoch, or another sequence than the one before
   * these batches. For each batch that is written, the oldest one over the limit is deleted.
   */
  save(feed: Feed, write: FeedWrite): Promise<boolean>;
  /** Number of the last batch that is stored, whatever the row says; 0 where there is none. Strongly consistent. */
  lastStored(ref: FeedRef): Promise<number>;
  /** Sets the sequence of a row that is behind its batches, under the lease; false where the row has changed. */
  renumber(feed: Feed, sequence: number): Promise<boolean>;
  /** Notes since when a feed stands still, with the event that reports it; false where that is noted already. */
  noteOverdue(ref: FeedRef, sinceEpochSec: number, event: LifecycleEvent): Promise<boolean>;
  /**
   * Removes the feed and its place at the connection under the feed's epoch; batches stay until they run out. That it was removed is
   * noted for as long as a backup may have it.
   */
  remove(feed: Feed, nowEpochSec: number): Promise<boolean>;
  /** Logs of shared drives that a feed of `drives` follows, strongly consistent. */
  logs(ref: FeedRef): Promise<readonly DriveLog[]>;
  /** Ciphertext of the key of what is remembered, strongly consistent. */
  statesKey(ref: FeedRef): Promise<string | undefined>;
  /** What is remembered of things, by name, strongly consistent; at most a hundred. */
  states(ref: FeedRef, names: readonly string[], nowEpochSec: number): Promise<ReadonlyMap<string, ThingState>>;
  /** The folders of a feed of a folder, strongly consistent. */
  folders(ref: FeedRef): Promise<readonly KnownFolder[]>;
  /** Erases what a feed remembers of things, its key first; false where some is left. */
  eraseStates(ref: FeedRef, isLate: () => boolean): Promise<boolean>;
  /** What a feed knows of its reminders, strongly consistent; undefined before its first look. */
  starts(ref: FeedRef): Promise<StartsPlan | undefined>;
  /** Moves reminders that are due and cannot be told yet to a later place in the due index. */
  postponeStarts(ref: FeedRef, nowEpochSec: number, untilEpochSec: number): Promise<void>;
  removeStarts(ref: FeedRef): Promise<void>;
  /** The other feeds of its connection, strongly consistent. */
  siblings(feed: Pick<Feed, 'accountId' | 'feedId' | 'connection'>): Promise<readonly Feed[]>;
  readMark(ref: FeedRef): Promise<FeedMark>;
  /** Marks a feed because the channel of another one says that there is something in their log. @returns the mark as it is then */
  passOn(ref: FeedRef, name: string, nowEpochSec: number): Promise<FeedMark>;
  /** Cleans the mark unless something came since it was read; false where it did. */
  clearMark(ref: FeedRef, known: FeedMark): Promise<boolean>;
  /** Leaves an unanswered mark to anyone who comes first: the next message wakes somebody again, or the sweep finds it. */
  leaveMark(ref: FeedRef): Promise<void>;
  /**
   * Moves a mark that cannot be answered yet to a later place in the due index; false where its connection has changed since the mark
   * was read, which is not put off.
   */
  postponeMark(ref: FeedRef, known: FeedMark, untilEpochSec: number): Promise<boolean>;
  removeMark(ref: FeedRef): Promise<void>;
  /** Stored batches above `after`, in order. */
  batches(ref: FeedRef, after: number, limit: number, nowEpochSec: number): Promise<readonly FeedBatch[]>;
  cursors(ref: FeedRef): Promise<readonly FeedCursorName[]>;
  /** Notes that a consumer is too far behind, with the event that tells so; false when it has moved, or that was told already. */
  noteBehind(ref: FeedRef, cursor: FeedCursorName, event: LifecycleEvent): Promise<boolean>;
}

/** A page of a partition of the due index. */
export interface DueFeeds {
  readonly refs: readonly (FeedRef & { readonly dueAtEpochSec: number })[];
  readonly oldestEpochSec: number | undefined;
  /** Undefined at the end of the partition. */
  readonly next: DuePosition | undefined;
}

/** What the sweep reads and puts off. */
export interface FeedIndex {
  /** Feeds that are due or marked in a partition of the due index, oldest first, each once. */
  due(shard: number, untilEpochSec: number, limit: number, after: DuePosition | undefined): Promise<DueFeeds>;
  /** Moves a feed that cannot be worked on, whatever state it is in. */
  postpone(ref: FeedRef, untilEpochSec: number): Promise<void>;
}

/** What follows a change of a connection. */
export interface FeedMarks {
  /** Marks a feed, due at once, because its connection has changed. @param change names it */
  markChange(ref: FeedRef, change: string, nowEpochSec: number): Promise<void>;
}

/** What the routes read and write in addition to the work itself. */
export interface FeedDirectory {
  /** Ids, strongly consistent. */
  ofConnection(ref: ConnectionRef): Promise<readonly FeedRef[]>;
  /** Ids of an account's feeds, newest last, eventually consistent. */
  ofAccount(accountId: string): Promise<readonly FeedRef[]>;
  readMany(refs: readonly FeedRef[]): Promise<readonly Feed[]>;
  changeSettings(ref: FeedRef, settings: Partial<FeedSettings>): Promise<boolean>;
  moveCursor(ref: FeedRef, cursor: FeedCursorName): Promise<void>;
  removeCursor(ref: FeedRef, name: string): Promise<void>;
}

/** What the inbox may do: look a channel up, and mark its feed. */
export interface InboxStore {
  channel(channelId: string): Promise<ChannelRecord | undefined>;
  /** Counts a message; true when nobody was at work on the feed's mark, so that somebody is to be woken. */
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

/** Counts what feeds take of a provider's quotas. */
export interface FeedCallCount {
  /** A call has ended; without a status it had no answer. */
  made(call: {
    readonly connection: Connection;
    readonly provider: ProviderId;
    /** What its Cloud project may take, where that is known to differ. */
    readonly quota: StoredQuota | undefined;
    readonly method: string;
    readonly target: string;
    readonly status: number | undefined;
    readonly bytesIn: number;
    readonly bytesOut: number;
    readonly startedAtMs: number;
  }): void;
}

/** Calls the provider's API as a connection's user. */
export interface FeedCaller {
  call(connection: Connection, integration: Integration, call: FeedCall, requestId: string): Promise<FeedAnswer>;
}

/** Whose quota a feed takes from: a Cloud project and, within it, a user have one of each API. */
export interface FeedQuotaOwner {
  readonly accountId: string;
  readonly cloudProject: string;
  readonly provider: ProviderId;
  /** The account at the provider, or the connection where it is not known. */
  readonly user: string;
  /** What the Cloud project may take, where that is known to differ from new ones. */
  readonly own?: StoredQuota | undefined;
}

/** Whether calls that nobody waits for may begin in this minute. */
export interface FeedPace {
  /** Seconds until so many lists may begin; undefined: now. */
  waitSec(owner: FeedQuotaOwner, lists: number): Promise<number | undefined>;
  /** The provider says that the minute of the project, or of the user in it, is used up. */
  spent(owner: FeedQuotaOwner, whom: 'project' | 'user'): Promise<void>;
}

/** The share of a Cloud project's quota that feeds may take. */
export interface FeedQuota {
  /** Takes so many lists, begun at once; otherwise why there are none, and when there may be again. */
  admit(owner: FeedQuotaOwner, nowEpochSec: number, lists?: number): Promise<FeedWait | undefined>;
  /** No feed of the project, or of the user in it, asks this API for anything before this. */
  block(owner: FeedQuotaOwner, whom: 'project' | 'user', untilEpochSec: number): Promise<void>;
}
