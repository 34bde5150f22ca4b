import { DUE_PARTITIONS, DUE_SHARDS } from '../../gateway/core/contract.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { ManagedBy } from '../../gateway/core/managed-by.rules.ts';
import type { FeedChange, FeedResource, GapReason } from './feed-resource.rules.ts';
import {
  CHANNEL_RENEWAL_JITTER,
  CHANNEL_RENEWAL_SHARE,
  FEED_BATCH_MAX_BYTES,
  FEED_BATCH_MAX_CHANGES,
  FEED_BATCHES_KEPT,
  FEED_BUSY_CHANGES,
  FEED_BUSY_INTERVAL_MS,
  FEED_DRIVES_MAX,
  FEED_FOLDERS_MAX,
  FEED_OVERDUE_SEC,
  FEED_PULL_INTERVAL_MS,
} from './limits.rules.ts';

/** Which feed: its id is unique in its account. */
export interface FeedRef {
  readonly accountId: string;
  readonly feedId: string;
}

/**
 * `starting`: there is no first cursor yet, and nothing is promised. `watching`: a channel is open. `polling`: push is not available.
 * `paused`: the connection needs a new authorization. `failing`: the provider refuses the resource.
 */
export const FEED_STATES = ['starting', 'watching', 'polling', 'paused', 'failing'] as const;
export type FeedState = (typeof FEED_STATES)[number];

/** States in the API. `waiting`: the next pull waits for Google's quota; it is never stored, because earlier versions do not know the word. */
export const SHOWN_FEED_STATES = [...FEED_STATES, 'waiting'] as const;
export type ShownFeedState = (typeof SHOWN_FEED_STATES)[number];

/** How batches are delivered: by the event bus and the route, or by the route only. */
export const FEED_DELIVERIES = ['bus', 'pull'] as const;
export type FeedDelivery = (typeof FEED_DELIVERIES)[number];

/** A push channel of the provider. Its token is kept as a digest, with the channel's own record. */
export interface FeedChannel {
  readonly id: string;
  /** The provider's id of the watched resource; needed to stop the channel. */
  readonly resourceId: string;
  readonly openedAtEpochSec: number;
  /** As granted, not as asked for. */
  readonly endsAtEpochSec: number;
  readonly renewAtEpochSec: number;
}

/** What a feed without a channel knows of the channels of other feeds of its connection on the same log. */
export type LentChannel = Pick<FeedChannel, 'endsAtEpochSec' | 'renewAtEpochSec'>;

/** The log of a shared drive, which a feed of `drives` follows alongside the user's own. */
export interface DriveLog {
  readonly driveId: string;
  /** Ciphertext of the cursor behind what was read. */
  readonly encryptedCursor: string;
  /** As those of a feed. */
  readonly channels: readonly FeedChannel[];
  readonly watchAtEpochSec: number;
}

/** Settings that the owner of a feed may change. */
export interface FeedSettings {
  readonly delivery: FeedDelivery;
  /** Seconds between two pulls without a message while a channel is open. */
  readonly safetyIntervalSec: number;
  /** The same while there is none. */
  readonly pollIntervalSec: number;
  /** Whether changes say what they were. */
  readonly meaning: boolean;
  /** Whether changes with the word `seen` are delivered, too. */
  readonly seen: boolean;
  /** Minutes before the start of a calendar event at which it is reported. */
  readonly reminders: readonly number[];
}

/** The right of one process to work on a feed; `epoch` of the feed fences its writes. */
export interface FeedLease {
  readonly owner: string;
  readonly expiresAtMs: number;
}

/**
 * Why a feed waits for Google's quota. `quota_share_used`: feeds have used their share of the Cloud project's minute, or interactive
 * calls need the rest. `rate_limited`: Google has refused a call for the quota of the project, so that all its feeds wait, or of the
 * account, whose feeds wait alone.
 */
export const FEED_WAIT_REASONS = ['quota_share_used', 'rate_limited'] as const;
export type FeedWaitReason = (typeof FEED_WAIT_REASONS)[number];

/** Until when a feed waits for quota, and why. */
export interface FeedWait {
  readonly reason: FeedWaitReason;
  readonly untilEpochSec: number;
}

/** The members that work on a feed changes; written as a whole under its lease. Times are epoch seconds unless named otherwise. */
export interface FeedProgress {
  readonly state: FeedState;
  /** Why it polls, pauses or fails: a code of `explainFeed`. */
  readonly reason: string | undefined;
  /** Ciphertext of a `FeedCursor`. */
  readonly encryptedCursor: string | undefined;
  /** The Google account and OAuth client that the cursor belongs to. */
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  /** Number of the last batch; 0 before the first. */
  readonly sequence: number;
  /** Newest first, at most two: a new one is open before the old one is stopped. */
  readonly channels: readonly FeedChannel[];
  /** No channel is asked for before this. */
  readonly watchAtEpochSec: number;
  /** When the next pull without a message is due. */
  readonly pullAtEpochSec: number;
  /** No call to the provider before this, after failures. */
  readonly notBeforeEpochSec: number;
  /** Why the feed waits until then, where the reason is Google's quota; void once `notBeforeEpochSec` has changed. */
  readonly waiting: FeedWait | undefined;
  readonly failureCount: number;
  /** Since when the provider has refused the resource without a break. */
  readonly refusedSinceEpochSec: number | undefined;
  readonly lastPullAtMs: number;
  readonly lastPullChanges: number;
  /** When the last batch was stored. */
  readonly lastBatchAtEpochSec: number | undefined;
  /** When the cursor was last fetched again after the provider had refused it. */
  readonly lastGapAtEpochSec: number | undefined;
  /** Consecutive safety pulls that found changes without a message. */
  readonly unannounced: number;
  /** When the first channel on the log of a shared drive is to be replaced; undefined where there is none. */
  readonly logsDueAtEpochSec: number | undefined;
  /** Id of the shared drive that the next turn continues with, where time or quota did not suffice for all. */
  readonly logsFrom: string | undefined;
  /** How many shared drives a feed of `drives` follows, so that rows of their logs are missed when they are gone. */
  readonly drivesFollowed: number | undefined;
  /** Since when the feed remembers things; things created later are new. */
  readonly statesSinceMs: number | undefined;
  /** Of a feed of a folder, the log that reports it: id of its shared drive, or empty for the user's own. */
  readonly followedLog: string | undefined;
  /** Set while messages of another feed's channel reach this one (CH-24). */
  readonly lentChannel: LentChannel | undefined;
}

/** A resource of a connection whose changes are collected. */
export interface Feed extends FeedRef, FeedSettings, FeedProgress {
  readonly connection: ConnectionRef;
  readonly endUserId: string | undefined;
  readonly resource: FeedResource;
  /** Numbers that were skipped when the feed was restored from a backup; absent otherwise. */
  readonly leap?: SequenceLeap | undefined;
  /** Since when the feed has been overdue, once the sweep has reported it; absent otherwise. */
  readonly overdueSinceEpochSec?: number | undefined;
  /** The stack that declares it; absent without one. */
  readonly managedBy?: ManagedBy | undefined;
  /** Raised by every taker of the lease, and by a holder that gives up. */
  readonly epoch: number;
  readonly lease: FeedLease | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

/**
 * Numbers without a batch. A feed restored from a backup cannot know how many batches it had stored since: it continues far behind
 * them, with a gap, so that no consumer waits for numbers that it has already read.
 */
export interface SequenceLeap {
  /** The last number before. */
  readonly from: number;
  /** The number of the gap, the next batch. */
  readonly to: number;
}

/** A numbered piece of a feed. */
export interface FeedBatch {
  readonly sequence: number;
  /**
   * `gap`: changes may be missing before it, and a consumer compares its whole store. `starts`: events that begin soon, which are not
   * changes.
   */
  readonly kind: 'changes' | 'gap' | 'starts';
  readonly reason: GapReason | undefined;
  readonly changes: readonly FeedChange[];
  /** ISO 8601 UTC. */
  readonly storedAt: string;
}

/** A batch as it is stored: with its event's id and the feed it belongs to. */
export interface NewBatch extends FeedBatch {
  readonly eventId: string;
  readonly requestId: string;
}

/** Effects of messages; `marked` while no pull has answered one. */
export interface FeedMark {
  /** Messages so far; a pull answers those it had read before it began. */
  readonly messages: number;
  readonly lastMessageAtEpochSec: number | undefined;
  readonly marked: boolean;
  /** Id of the connection's last change that no turn has followed yet; undefined without one. */
  readonly follows: string | undefined;
  /** Ids of the shared drives whose channels sent a message. */
  readonly logs: readonly string[];
  /** Whether a message of the feed's own channel still has to be passed on to the other feeds of its log. */
  readonly announced: boolean;
  /** Id of the last message passed on from another feed's channel; undefined once a turn has followed it. */
  readonly passedOn: string | undefined;
}

/** A channel, as the inbox looks it up. */
export interface ChannelRecord extends FeedRef {
  readonly channelId: string;
  /** Id of the shared drive whose log it watches; undefined where that is the feed's own. */
  readonly log?: string | undefined;
  readonly tokenHash: string;
  readonly endsAtEpochSec: number;
}

const LOG_MARK = 'log ';

/** The member of a mark that records a message of a shared drive's channel. */
export function markedLog(driveId: string): string {
  return LOG_MARK + driveId;
}

/** The shared drives that a mark's members name. */
export function logsMarked(members: readonly string[]): string[] {
  return members.filter((name) => name.startsWith(LOG_MARK)).map((name) => name.slice(LOG_MARK.length));
}

/** State of a new feed, due at once. */
export function newProgress(nowEpochSec: number): FeedProgress {
  return {
    state: 'starting',
    reason: undefined,
    encryptedCursor: undefined,
    subject: undefined,
    clientId: undefined,
    sequence: 0,
    channels: [],
    watchAtEpochSec: nowEpochSec,
    pullAtEpochSec: nowEpochSec,
    notBeforeEpochSec: 0,
    waiting: undefined,
    failureCount: 0,
    refusedSinceEpochSec: undefined,
    lastPullAtMs: 0,
    lastPullChanges: 0,
    lastBatchAtEpochSec: undefined,
    lastGapAtEpochSec: undefined,
    unannounced: 0,
    logsDueAtEpochSec: undefined,
    logsFrom: undefined,
    drivesFollowed: undefined,
    statesSinceMs: undefined,
    followedLog: undefined,
    lentChannel: undefined,
  };
}

/** Partition of the due index that a feed and its mark belong to; ids end in random characters (ULID). */
export function feedShardOf(feedId: string): number {
  const tail = feedId.slice(-2);
  const number = (tail.codePointAt(0) ?? 0) * 31 + (tail.codePointAt(1) ?? 0);
  return DUE_PARTITIONS.feeds + (number % DUE_SHARDS);
}

/** Partition of the due index that a feed's reminders belong to. */
export function startsShardOf(feedId: string): number {
  return feedShardOf(feedId) - DUE_PARTITIONS.feeds + DUE_PARTITIONS.reminders;
}

/** The feed's own channel that is open at a moment, if there is one. */
export function ownChannel(feed: Pick<FeedProgress, 'channels'>, nowEpochSec: number): FeedChannel | undefined {
  const newest = feed.channels[0];
  return newest !== undefined && newest.endsAtEpochSec > nowEpochSec ? newest : undefined;
}

/** A feed, or the log of a shared drive, which borrows no channel. */
type Watched = Pick<FeedProgress, 'channels'> & Partial<Pick<FeedProgress, 'lentChannel'>>;

/** The channel whose messages reach the feed at a moment, its own or another feed's. */
export function liveChannel(feed: Watched, nowEpochSec: number): LentChannel | undefined {
  const { lentChannel } = feed;
  if (lentChannel !== undefined && lentChannel.endsAtEpochSec > nowEpochSec) return lentChannel;
  return ownChannel(feed, nowEpochSec);
}

/**
 * When a channel is replaced: at 80 % of the life that was granted, spread by 5 % to both sides (CF-20).
 *
 * @param random01 uniform in [0, 1)
 */
export function renewalAt(openedAtEpochSec: number, endsAtEpochSec: number, random01: number): number {
  const share = CHANNEL_RENEWAL_SHARE + (2 * random01 - 1) * CHANNEL_RENEWAL_JITTER;
  return openedAtEpochSec + Math.floor(Math.max(0, endsAtEpochSec - openedAtEpochSec) * share);
}

/** Whether a channel is to be opened now. */
export function isWatchDue(feed: Watched & Pick<FeedProgress, 'watchAtEpochSec'>, nowEpochSec: number): boolean {
  if (feed.watchAtEpochSec > nowEpochSec) return false;
  const live = liveChannel(feed, nowEpochSec);
  return live === undefined || live.renewAtEpochSec <= nowEpochSec;
}

/** When the next work without a message is due: the feed's place in the due index. */
export function feedDueAt(feed: FeedProgress): number {
  const logsDueAt = feed.logsDueAtEpochSec ?? Number.POSITIVE_INFINITY;
  return Math.max(Math.min(watchDueAt(feed), logsDueAt, feed.pullAtEpochSec), feed.notBeforeEpochSec);
}

/** When a channel is to be opened or replaced. */
export function watchDueAt(feed: Watched & Pick<FeedProgress, 'watchAtEpochSec'>): number {
  const { channels, lentChannel, watchAtEpochSec } = feed;
  return Math.max((lentChannel ?? channels[0])?.renewAtEpochSec ?? 0, watchAtEpochSec);
}

/** The wait for quota that a feed is in; undefined where it does not wait, or waits for something else. */
export function quotaWait(feed: Pick<FeedProgress, 'waiting' | 'notBeforeEpochSec'>, nowEpochSec: number) {
  const { waiting, notBeforeEpochSec } = feed;
  const isStill = waiting?.untilEpochSec === notBeforeEpochSec && notBeforeEpochSec > nowEpochSec;
  return isStill ? waiting : undefined;
}

type Timed = Pick<FeedProgress, 'state' | 'reason' | 'waiting' | 'notBeforeEpochSec' | 'pullAtEpochSec'> &
  Pick<Feed, 'overdueSinceEpochSec'>;

/** Reason of an overdue feed. */
export const OVERDUE = 'overdue';

/** Since when a feed has been overdue; undefined for one that is not, or whose state gives the reason. */
export function overdueSince(feed: Timed, nowEpochSec: number): number | undefined {
  const isExplained = feed.state === 'paused' || feed.state === 'failing' || quotaWait(feed, nowEpochSec) !== undefined;
  if (isExplained) return undefined;
  if (feed.overdueSinceEpochSec !== undefined) return feed.overdueSinceEpochSec;
  return nowEpochSec - feed.pullAtEpochSec > FEED_OVERDUE_SEC ? feed.pullAtEpochSec : undefined;
}

/** The state that the API shows: the stored one, or `waiting`. */
export function shownState(
  feed: Timed,
  nowEpochSec: number,
): { readonly state: ShownFeedState; readonly reason: string | undefined } {
  const wait = quotaWait(feed, nowEpochSec);
  if (wait === undefined) {
    if (overdueSince(feed, nowEpochSec) === undefined) return feed;
    return { state: feed.state === 'starting' ? 'starting' : 'failing', reason: OVERDUE };
  }
  // A feed without a first place stays `starting`, so that nobody relies on it yet.
  if (feed.state === 'starting') return { state: 'starting', reason: feed.reason ?? wait.reason };
  const goesOn = feed.state === 'watching' || feed.state === 'polling';
  return goesOn ? { state: 'waiting', reason: wait.reason } : feed;
}

/** Whether a feed has recorded that its connection needs a new authorization. */
export function knowsOfDeath(feed: Pick<FeedProgress, 'reason'>): boolean {
  return feed.reason === 'reauthorization_required';
}

/** The newest batch past its retention; 0 while all are kept. */
export function lastDroppedBatch(feed: Pick<Feed, 'sequence' | 'leap'>): number {
  return Math.max(0, batchBefore(feed, feed.sequence, FEED_BATCHES_KEPT));
}

/** The number of the batch that came so many batches before one; zero or less where there was none. */
export function batchBefore({ leap }: Pick<Feed, 'leap'>, sequence: number, count: number): number {
  const isBeyond = leap === undefined || sequence < leap.to || sequence - count >= leap.to;
  return isBeyond ? sequence - count : leap.from - (count - (sequence - leap.to) - 1);
}

/** The number of batches after a sequence number, which need not exist itself. */
export function batchesAfter({ sequence, leap }: Pick<Feed, 'sequence' | 'leap'>, after: number): number {
  if (leap === undefined || after >= leap.to) return Math.max(0, sequence - after);
  return sequence - leap.to + 1 + Math.max(0, leap.from - after);
}

/** Milliseconds to wait before the next pull, so that no feed is pulled too often (CF-23). */
export function pullWaitMs(feed: Pick<FeedProgress, 'lastPullAtMs' | 'lastPullChanges'>, nowMs: number): number {
  const rest = feed.lastPullChanges >= FEED_BUSY_CHANGES ? FEED_BUSY_INTERVAL_MS : FEED_PULL_INTERVAL_MS;
  // A time written by a clock that was ahead must not hold a feed for longer than one rest.
  return Math.min(rest, Math.max(0, feed.lastPullAtMs + rest - nowMs));
}

/**
 * The changes of one answer as batches: at most a hundred changes and as many bytes as an event carries, each id once
 * with its last state, in the provider's order (CF-24).
 */
export function intoBatches(changes: readonly FeedChange[]): FeedChange[][] {
  const batches: FeedChange[][] = [];
  let bytes = 0;
  for (const change of lastOfEach(changes)) {
    const size = changeSize(change);
    const open = batches.at(-1);
    if (open === undefined || open.length === FEED_BATCH_MAX_CHANGES || bytes + size > FEED_BATCH_MAX_BYTES) {
      batches.push([change]);
      bytes = size;
    } else {
      open.push(change);
      bytes += size;
    }
  }
  return batches;
}

/** Each thing once, with its last change. */
export function lastOfEach(changes: readonly FeedChange[]): FeedChange[] {
  const last = new Map<string, FeedChange>();
  for (const change of changes) {
    const key = `${change.kind} ${change.id}`;
    // The id moves to the end: the order is that of the last states.
    last.delete(key);
    last.set(key, change);
  }
  return [...last.values()];
}

/** A change in the API's and the event's spelling. */
export function changeOnTheWire(change: FeedChange) {
  return {
    id: change.id,
    kind: change.kind,
    removed: change.removed,
    ...(change.time === undefined ? {} : { time: change.time }),
    ...(change.mimeType === undefined ? {} : { mime_type: change.mimeType }),
    ...(change.what === undefined ? {} : { what: [...change.what] }),
    ...(change.subtree === true ? { subtree: true } : {}),
    ...(change.minutesBefore === undefined ? {} : { minutes_before: change.minutesBefore }),
  };
}

/** UTF-8 needs at most three bytes for one unit of a text. */
function changeSize(change: FeedChange): number {
  return 3 * JSON.stringify(changeOnTheWire(change)).length;
}

/** The meaning of a reason, and what the reader can do about it. */
export interface FeedExplanation {
  readonly explanation: string;
  readonly remedy: string;
}

const EXPLANATIONS: Readonly<Record<string, FeedExplanation>> = {
  push_not_supported: {
    explanation:
      'Google sends no messages for this resource: generated calendars such as holidays and birthdays have none.',
    remedy: 'You need not do anything.',
  },
  address_not_authorized: {
    explanation: 'Google refuses to send messages to the gateway’s address.',
    remedy:
      'Serve the gateway under your own domain (option customDomain) and verify that domain in the Search Console of the OAuth client’s Cloud project. Until then the resource is polled.',
  },
  address_not_https: {
    explanation: 'Google sends messages to https addresses only.',
    remedy: 'Serve the gateway under an https address. Until then the resource is polled.',
  },
  watch_refused: {
    explanation: 'Google refused to open a channel.',
    remedy: 'You need not do anything: the gateway will try again. Until then, the resource is polled.',
  },
  quota_share_used: {
    explanation:
      'The feeds of this Cloud project have used their share of Google’s calls for this minute, or proxied calls have used so much of it that the rest is left to them. Changes come later; none is lost.',
    remedy:
      'You need not do anything: the feed continues at next_pull_at. If feeds wait often, raise the share (option feedShare) or spread the feeds over several Cloud projects.',
  },
  rate_limited: {
    explanation:
      'Google has refused a call because a quota is used up: that of the Cloud project, so that all its feeds wait, or that of the account, whose feeds then wait alone. Changes come later; none is lost.',
    remedy:
      'You need not do anything: the feed continues at next_pull_at. If this happens often, ask Google for more quota in the Cloud console.',
  },
  too_many_drives: {
    explanation: `The user can open more than ${FEED_DRIVES_MAX} shared drives. The feed follows ${FEED_DRIVES_MAX} of them, and the others not.`,
    remedy:
      'Make a feed of drive:<id> for each other drive that you need: GET /drive/v3/drives lists all of them, and GET /feeds/{id} shows in drives which this feed follows.',
  },
  too_many_folders: {
    explanation: `There are more than ${FEED_FOLDERS_MAX} folders below the folder. The feed leaves out those that it found last, with what lies in them.`,
    remedy:
      'Delete the feed and make feeds of folder:<id> for folders below it, each with fewer folders; or a feed of drives, which has no such limit.',
  },
  folder_gone: {
    explanation:
      'The folder is in the trash, was deleted, or the account no longer has access to it. The feed has reported that it has left, with everything below it.',
    remedy:
      'Restore the folder, or give the account access again: the feed then reports everything below it as entered. Or delete the feed.',
  },
  reauthorization_required: {
    explanation: 'The connection needs a new authorization.',
    remedy: 'Have the end user reconnect. The feed then continues where it stopped.',
  },
  resource_refused: {
    explanation:
      'Google has refused the resource for a day: it was deleted, or the account no longer has access to it.',
    remedy: 'Give the account access again, or delete the feed. The gateway tries again once an hour.',
  },
  overdue: {
    explanation:
      'The feed has been due for more than eight minutes and no read has succeeded: Google does not answer or refuses, or the gateway cannot read or save the feed. No change is lost, because the position is kept.',
    remedy:
      'You need not do anything: the gateway tries again, at least once an hour. If it lasts, the operator finds the cause in the runbook under failing-feeds.',
  },
  cursor_expired_again: {
    explanation: 'Google refused the position in the history twice within an hour.',
    remedy: 'You need not do anything: the gateway starts again after an hour.',
  },
};

/** A reason in words; undefined for a feed in order. */
export function explainFeed(reason: string | undefined): FeedExplanation | undefined {
  return reason === undefined ? undefined : EXPLANATIONS[reason];
}
