import type { Connection } from '../../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { Gate } from '../../gateway/core/gate.ts';
import { cloudProjectOf, connectionRefKey, sha256Hex, ulid } from '../../gateway/core/identifiers.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from '../../gateway/core/ports.ts';
import type { LifecycleEventType } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import {
  DriveLogs,
  type OpenedChannel,
  type ReportedPage,
  type TurnOfLogs,
  type UnnumberedBatch,
} from './drive-logs.ts';
import {
  explainFeed,
  type Feed,
  type FeedMark,
  type FeedProgress,
  type FeedRef,
  type FeedState,
  type FeedWait,
  feedDueAt,
  intoBatches,
  isWatchDue,
  knowsOfDeath,
  lastOfEach,
  liveChannel,
  type NewBatch,
  ownChannel,
  pullWaitMs,
  renewalAt,
} from './feed.rules.ts';
import { newFeedEvent } from './feed-event.ts';
import {
  type FeedChange,
  type FeedCursor,
  type FeedRefusal,
  type FolderPlace,
  GAP_REASONS,
  type GapReason,
  logOf,
  member,
  readChannel,
  readPage,
  readStart,
  text,
} from './feed-resource.rules.ts';
import type { FeedWish } from './feed-wish.rules.ts';
import { FolderTree, locateFolder, rootState, type TurnOfTree } from './folder-tree.ts';
import {
  FEED_BACKOFF_BASE_SEC,
  FEED_BACKOFF_MAX_SEC,
  FEED_CALL_TIMEOUT_MS,
  FEED_FOLLOWS_AT_ONCE,
  FEED_GAP_INTERVAL_SEC,
  FEED_INTERVAL_JITTER,
  FEED_LEASE_MS,
  FEED_MEANING_PAGE_SIZE,
  FEED_PAGES_PER_TURN,
  FEED_PAUSED_CHECK_SEC,
  FEED_REFUSED_LIMIT_SEC,
  FEED_SLOW_POLL_SEC,
  PUSH_NOT_SUPPORTED_RETRY_SEC,
  PUSH_REFUSED_RETRY_SEC,
  REMINDER_LOOK_SEC,
  REMINDER_PAGES_MAX,
  UNANNOUNCED_MAX,
  WATCH_RETRY_SEC,
} from './limits.rules.ts';
import { hasMeaning, readSights } from './meaning.rules.ts';
import { driveChangeWithMeaning, judgeChanges, type MeaningsOf } from './meanings.ts';
import type { FeedAnswer, FeedCaller, FeedQuota, FeedQuotaOwner, FeedStore, FeedWrite } from './ports.ts';
import { reportLag } from './report-lag.ts';
import { cursorContext, statesKeyContext } from './sealed-places.rules.ts';
import {
  asLent,
  channelToBorrow,
  type FeedsTogether,
  heirOf,
  membersFor,
  onSameLog,
  passName,
  pulledAlong,
  SharedAnswers,
  servingChannel,
  sharedLogOf,
} from './shared-log.ts';
import { judgeStarts, type Occurrence, readOccurrences, type StartsPlan, startsRange } from './starts.rules.ts';

/**
 * One process at a time works on a feed, under a lease whose epoch fences every write:
 *
 *   message ---> mark (due index) ---> wake                     the mark is the promise, the wake only makes it quick
 *   turn:  read mark, take lease, open or renew channel, pull page by page, return lease, clear mark if no message came since
 *   feeds of one log of Drive (`shared-log.ts`) are marked and worked on together
 *
 * The cursor moves in the transaction that stores the batches it leads behind. So a process that dies anywhere leaves work
 * that the next turn repeats, and loses no change (CF-21).
 */

/** How a turn ended. */
export type FeedTurn =
  | { readonly kind: 'done'; readonly feed: Feed; readonly changes: number }
  /** Pages are left: the mark stays. */
  | { readonly kind: 'unfinished'; readonly feed: Feed }
  /** Nothing to do, or not yet. */
  | { readonly kind: 'idle'; readonly feed: Feed }
  | { readonly kind: 'put_off'; readonly feed: Feed; readonly reason: string; readonly failed: boolean }
  /** The provider refuses the resource. */
  | { readonly kind: 'refused'; readonly feed: Feed; readonly status: number }
  | { readonly kind: 'paused'; readonly feed: Feed }
  | { readonly kind: 'busy' }
  /** The feed or its connection does not exist any more. */
  | { readonly kind: 'gone' };

export interface FeedWorkDependencies {
  readonly feeds: FeedStore;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly caller: FeedCaller;
  readonly quota: FeedQuota;
  /** Whether 80 % of the project's daily quota is used. */
  readonly isDayFilling: (owner: FeedQuotaOwner) => Promise<boolean>;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly pause: (ms: number) => Promise<void>;
}

export interface FeedWorkRequest {
  readonly requestId: string;
  /** No call to the provider starts after this. */
  readonly deadlineMs: number;
  /** A request waits for the pull, whether or not one is due. */
  readonly asked?: boolean;
  /** Reminders are due. */
  readonly starts?: boolean;
  /** The feeds of one log that are worked on together, including this one. */
  readonly together?: FeedsTogether | undefined;
  /** Pulled along with another feed of its log. */
  readonly along?: boolean;
}

/** Does the due work of one feed, and repeats it while messages arrive and time is left. */
export async function workOnFeed(
  deps: FeedWorkDependencies,
  ref: FeedRef,
  request: FeedWorkRequest,
): Promise<FeedTurn> {
  const turn = await takeTurns(deps, ref, request);
  if (turn.kind === 'done') await reportLag(deps, turn.feed, request.requestId);
  return turn;
}

async function takeTurns(deps: FeedWorkDependencies, ref: FeedRef, first: FeedWorkRequest): Promise<FeedTurn> {
  let request = first;
  let passedOn: number | undefined;
  for (;;) {
    // Read before the pull, which does not answer later messages.
    const mark = request.together?.marks.get(ref.feedId) ?? (await deps.feeds.readMark(ref));
    const led = request.together === undefined ? await gather(deps, ref, mark, request, passedOn) : undefined;
    if (led?.isNews === true) passedOn = mark.messages;
    const turn = await takeTurn(deps, ref, mark, led === undefined ? request : { ...request, ...led });
    deps.metrics.count('FeedTurn', { outcome: turn.kind });
    if (led !== undefined) await workOnOthers(deps, led, turn, request);
    request = { requestId: first.requestId, deadlineMs: first.deadlineMs, starts: first.starts === true };
    if (first.starts === true) await putOffStarts(deps, ref, turn);
    if (turn.kind === 'gone' && (mark.marked || mark.messages > 0)) {
      // The mark stays until the feed's memory is erased completely.
      const erasure = await deps.feeds.eraseStates(ref, undefined, () => deps.clock.nowMs() >= request.deadlineMs);
      if (erasure === 'erased') await deps.feeds.removeMark(ref);
    }
    if ('feed' in turn && turn.kind !== 'done' && turn.kind !== 'unfinished') {
      const isPutOff = mark.marked
        ? await deps.feeds.postponeMark(ref, mark, pullPossibleAt(turn.feed, deps.clock.nowMs()))
        : (await deps.feeds.readMark(ref)).follows === undefined;
      // The connection has changed since the turn read it.
      if (!isPutOff && deps.clock.nowMs() < request.deadlineMs) continue;
    }
    if (turn.kind !== 'done') return turn;
    // After the lease was returned: a later message finds a clean mark and wakes a process that can take it. A message during a pull
    // that no message had requested woke a process in vain, because the lease was taken.
    const isClean = mark.marked ? await deps.feeds.clearMark(ref, mark) : !(await deps.feeds.readMark(ref)).marked;
    if (isClean) return turn;
    if (deps.clock.nowMs() + pullWaitMs(turn.feed, deps.clock.nowMs()) < request.deadlineMs) continue;
    await deps.feeds.leaveMark(ref);
    return turn;
  }
}

/** A feed and its siblings as read, with the effect of the feed's turn on the others of its log. */
interface Led {
  readonly known: Feed;
  readonly siblings: readonly Feed[] | undefined;
  /** Undefined where no other feed is to be worked on. */
  readonly together: FeedsTogether | undefined;
  readonly others: readonly FeedRef[];
  /** Whether the others were marked; otherwise they are only due soon. */
  readonly isNews: boolean;
}

/** The parameters of one turn, with the rows read for it. */
type TurnRequest = FeedWorkRequest & Partial<Pick<Led, 'known' | 'siblings'>>;

/**
 * The other feeds of a feed's log that are to be worked on with it. After a message of its channel they are marked before the feed's
 * own mark can be cleared, so that the sweep finds them whatever fails later.
 *
 * @param passedOn messages that this process has passed on to the others
 */
async function gather(
  deps: FeedWorkDependencies,
  ref: FeedRef,
  mark: FeedMark,
  request: FeedWorkRequest,
  passedOn: number | undefined,
): Promise<Led | undefined> {
  const { feeds } = deps;
  const isNews = mark.announced && mark.messages !== passedOn;
  // A mark or a request concerns only its own feed.
  if (!isNews && (mark.marked || request.asked === true || request.starts === true)) return undefined;
  const known = await feeds.read(ref);
  if (known === undefined) return undefined;
  const now = nowSec(deps);
  const isDue = known.pullAtEpochSec <= now && known.notBeforeEpochSec <= now;
  const isShared = sharedLogOf(known) !== undefined && (isNews || isDue);
  const siblings = isShared ? await feeds.siblings(known) : undefined;
  const others = isNews ? onSameLog(known, siblings ?? []) : pulledAlong(known, siblings ?? [], now);
  if (siblings === undefined || others.length === 0) return { known, siblings, together: undefined, others, isNews };
  const name = passName(deps);
  const markOf = (one: FeedRef) => (isNews ? feeds.passOn(one, name, now) : feeds.readMark(one));
  const together = {
    marks: new Map(await Promise.all(others.map(async (one) => [one.feedId, await markOf(one)] as const))),
    rows: new Map(siblings.map((one) => [one.feedId, one])),
    answers: new SharedAnswers(),
    watching: new Gate(1),
    members: membersFor([known, ...others]),
  };
  return { known, siblings, together, others, isNews };
}

/** Turns of the gathered feeds. A feed for which there is no time keeps its mark, or becomes due by itself. */
async function workOnOthers(
  deps: FeedWorkDependencies,
  { together, others, isNews }: Led,
  turn: FeedTurn,
  request: FeedWorkRequest,
): Promise<void> {
  // When a request waits for the answer, the others are left to the sweep.
  if (together === undefined || request.asked === true) return;
  const hasPulled = turn.kind === 'done' || turn.kind === 'unfinished';
  if (!isNews && !hasPulled) return;
  if ('feed' in turn) together.rows.set(turn.feed.feedId, turn.feed);
  const gate = new Gate(FEED_FOLLOWS_AT_ONCE);
  const work = async (ref: FeedRef): Promise<void> => {
    if (deps.clock.nowMs() + FEED_CALL_TIMEOUT_MS >= request.deadlineMs) return;
    const { requestId, deadlineMs } = request;
    const other = await workOnFeed(deps, ref, { requestId, deadlineMs, together, along: !isNews });
    if ('feed' in other) together.rows.set(other.feed.feedId, other.feed);
  };
  const turns = await Promise.allSettled(others.map((ref) => gate.run(() => work(ref))));
  for (const result of turns) {
    // The feed is still due, so the sweep finds it again.
    if (result.status === 'fulfilled') continue;
    deps.logger.error('a feed of the same log could not be worked on', { requestId: request.requestId }, result.reason);
  }
}

/** Reminders that cannot be reported yet wait as long as their feed does; those of a deleted feed are removed. */
async function putOffStarts(deps: FeedWorkDependencies, ref: FeedRef, turn: FeedTurn): Promise<void> {
  if (turn.kind === 'gone') return deps.feeds.removeStarts(ref);
  if (turn.kind === 'done' || turn.kind === 'unfinished' || turn.kind === 'busy') return;
  const now = nowSec(deps);
  await deps.feeds.postponeStarts(ref, now, Math.max(turn.feed.notBeforeEpochSec, now + REMINDER_RETRY_SEC));
}

/** When to retry a pull that failed: long before the feed's own next one, which may be hours away. */
function pullPossibleAt(feed: Feed, nowMs: number): number {
  return Math.max(feed.notBeforeEpochSec, Math.ceil((nowMs + Math.max(1_000, pullWaitMs(feed, nowMs))) / 1000));
}

async function takeTurn(
  deps: FeedWorkDependencies,
  ref: FeedRef,
  mark: FeedMark,
  request: TurnRequest,
): Promise<FeedTurn> {
  // The marked feeds may have been taken by another process since they were read.
  const isRead = request.known !== undefined && request.together === undefined;
  const known = isRead ? request.known : await deps.feeds.read(ref);
  if (known === undefined) return { kind: 'gone' };
  const wanted = mark.marked || request.asked === true || request.along === true;
  // A change of the connection is followed even while the feed waits.
  const isFree = request.asked === true || mark.follows !== undefined;
  if (known.notBeforeEpochSec > nowSec(deps) && !isFree) return { kind: 'idle', feed: known };
  if (!wanted && request.starts !== true && feedDueAt(known) > nowSec(deps)) return { kind: 'idle', feed: known };
  if (wanted && mark.follows === undefined) {
    const waitMs = pullWaitMs(known, deps.clock.nowMs());
    if (waitMs > 0 && deps.clock.nowMs() + waitMs >= request.deadlineMs) return { kind: 'idle', feed: known };
    if (waitMs > 0) await deps.pause(waitMs);
  }
  const nowMs = deps.clock.nowMs();
  const lease = { owner: deps.owner, expiresAtMs: nowMs + FEED_LEASE_MS };
  const feed = await deps.feeds.takeLease(known, lease, nowMs);
  if (feed === undefined) return { kind: 'busy' };
  const turn = new Turn(deps, feed, mark, request);
  try {
    return await turn.run();
  } catch (error) {
    if (error instanceof Superseded) return { kind: 'busy' };
    await turn.giveUp();
    throw error;
  }
}

/** Another process holds the feed under a newer epoch: this process's state of it is void. */
class Superseded extends Error {}

/** An answer that ends the turn. */
class Ended extends Error {
  readonly turn: FeedTurn;
  constructor(turn: FeedTurn) {
    super('The turn has ended');
    this.turn = turn;
  }
}

class Turn {
  readonly #deps: FeedWorkDependencies;
  readonly #mark: FeedMark;
  readonly #request: FeedWorkRequest;
  /** The state before the turn, or after the connection's return. */
  #before: FeedState;
  /** The connection was dead, so changes may wait for which no message came. */
  #resumes = false;
  #feed: Feed;
  #connection: Connection | undefined;
  #integration: Integration | undefined;
  #logs: DriveLogs | undefined;
  /** Judges what changes were; undefined where the feed does not ask for it. */
  #meanings: MeaningsOf | undefined;
  /** The plan of reminders, once this turn has listed events. */
  #starts: StartsPlan | undefined;
  /** Why push was not available in this turn. */
  #noPush: string | undefined;
  /** Other feeds of the connection, once this turn has read them. */
  #siblings: readonly Feed[] | undefined;
  /** A turn that reuses another feed's answers takes no quota. */
  #isAdmitted = false;

  constructor(deps: FeedWorkDependencies, feed: Feed, mark: FeedMark, request: TurnRequest) {
    this.#siblings = request.siblings;
    this.#deps = deps;
    this.#feed = feed;
    this.#before = feed.state;
    this.#mark = mark;
    this.#request = request;
  }

  async run(): Promise<FeedTurn> {
    try {
      return await this.#run();
    } catch (error) {
      if (error instanceof Ended) return error.turn;
      throw error;
    }
  }

  /**
   * After a failure of the gateway itself: returns the lease and postpones the feed. A write whose answer was lost may have succeeded, so
   * nothing else is written: an earlier state would be reported again when the next turn leaves it.
   */
  async giveUp(): Promise<void> {
    const { feeds, owner } = this.#deps;
    const put = this.#postponed(undefined);
    try {
      const isPutOff = await feeds.giveUp(this.#feed, owner, put);
      // A change of the connection is followed without waiting, so its mark would repeat the failure with every tick.
      if (isPutOff && this.#mark.follows !== undefined)
        await feeds.postponeMark(this.#feed, this.#mark, put.notBeforeEpochSec);
    } catch (error) {
      // The lease ends by time.
      this.#deps.logger.error('a feed could not be put off', { requestId: this.#request.requestId }, error);
    }
  }

  async #run(): Promise<FeedTurn> {
    const { connections, integrations, feeds } = this.#deps;
    const ref = this.#feed.connection;
    const connection = await connections.read(ref);
    const integration = await integrations.get({ accountId: ref.accountId, integrationId: ref.integrationId });
    if (connection === undefined || connection.status === 'deleted' || integration === undefined) {
      // Without a token no channel can be stopped: they end by themselves, and their messages are ignored (CF-29).
      const event = newFeedEvent(this.#deps, 'FeedDeleted', this.#feed, {
        says: { reason: 'connection_deleted' },
        requestId: this.#request.requestId,
      });
      await feeds.remove(this.#feed, this.#now(), event);
      return { kind: 'gone' };
    }
    this.#connection = connection;
    this.#integration = integration;
    if (connection.status !== 'active') return this.#pauseFeed();
    if (knowsOfDeath(this.#feed)) await this.#resume();
    if (this.#request.along !== true && this.#mark.passedOn === undefined) await this.#admit(connection, integration);
    await this.#checkLent();
    this.#logs = await this.#openLogs();
    let cursor = await this.#readCursor();
    cursor = await this.#checkAccount(connection, cursor);
    cursor = await this.#checkLogs(cursor);
    cursor = await this.#openMeanings(cursor);
    const ready = cursor.kind === 'building' ? await this.#build(cursor) : cursor;
    await this.#stopOldChannels();
    const opened = await this.#watch(ready);
    await this.#reportStarts();
    return this.#pull(ready, opened);
  }

  /** The connection is active again. This is stored before any request, so that a process that dies later has still reported it (CF-28). */
  async #resume(): Promise<void> {
    const isPaused = this.#before === 'paused';
    const live = liveChannel(this.#feed, this.#now());
    const state = !isPaused ? this.#before : live === undefined ? 'polling' : 'watching';
    const change = { state, reason: undefined, notBeforeEpochSec: 0 };
    await this.#save(change, { event: isPaused ? 'FeedResumed' : undefined });
    this.#before = this.#feed.state;
    this.#resumes = true;
  }

  /** Takes quota of the Cloud project: a feed never uses what the customer's own calls need. */
  async #admit(connection: Connection, integration: Integration, lists = 1): Promise<void> {
    const wait = await this.#deps.quota.admit(quotaOwner(connection, integration), this.#now(), lists);
    if (wait !== undefined) throw new Ended(await this.#waitForQuota(wait));
    this.#isAdmitted = true;
  }

  /** The other feeds of the connection, of which some may follow the same log. */
  async #readSiblings(): Promise<readonly Feed[]> {
    const { together } = this.#request;
    if (together !== undefined) return [...together.rows.values()].filter(({ feedId }) => feedId !== this.#feed.feedId);
    if (sharedLogOf(this.#feed) === undefined) return [];
    this.#siblings ??= await this.#deps.feeds.siblings(this.#feed);
    return this.#siblings;
  }

  /** Another feed's channel serves this one as long as that feed has it (CH-24). */
  async #checkLent(): Promise<void> {
    const { lentChannel } = this.#feed;
    if (lentChannel === undefined) return;
    const serving = servingChannel(this.#feed, await this.#readSiblings(), this.#now());
    if (serving === undefined) {
      const watchAtEpochSec = Math.min(this.#feed.watchAtEpochSec, this.#now());
      this.#feed = { ...this.#feed, lentChannel: undefined, watchAtEpochSec };
    } else if (serving.endsAtEpochSec > lentChannel.endsAtEpochSec) {
      this.#feed = { ...this.#feed, lentChannel: asLent(serving, this.#deps.random.number()) };
    }
  }

  /** Ends a turn that has no quota now. */
  async #waitForQuota(waiting: FeedWait): Promise<FeedTurn> {
    // The pull happens as soon as there is quota, however far away the feed's own next pull is.
    const pullAtEpochSec = Math.min(this.#feed.pullAtEpochSec, waiting.untilEpochSec);
    await this.#save({ notBeforeEpochSec: waiting.untilEpochSec, waiting, pullAtEpochSec }, { release: true });
    return { kind: 'put_off', feed: this.#feed, reason: waiting.reason, failed: false };
  }

  async #readCursor(): Promise<FeedCursor> {
    const encryptedCursor = await this.#deps.feeds.position(this.#feed);
    this.#feed = { ...this.#feed, encryptedCursor };
    if (encryptedCursor === undefined) return { kind: 'building', page: undefined, gap: undefined };
    return this.#unsealed(encryptedCursor);
  }

  async #unsealed(ciphertext: string): Promise<FeedCursor> {
    return parseCursor(await this.#deps.cipher.decrypt(cursorContext(this.#feed), ciphertext));
  }

  /** Another Google account has another history: the stored cursor does not apply to it (CF-28). */
  async #checkAccount(connection: Connection, cursor: FeedCursor): Promise<FeedCursor> {
    const subject = connection.providerAccount?.subject;
    const { subject: before } = this.#feed;
    if (before === undefined || subject === undefined || before === subject) return cursor;
    await this.#logs?.forget();
    const building: FeedCursor = { kind: 'building', page: undefined, gap: 'account_changed' };
    // No token can stop these channels any more, and their messages concern the former account.
    const forgotten = this.#feed.channels.map(({ id }) => id);
    await this.#save(
      {
        encryptedCursor: await this.#sealed(building),
        subject,
        clientId: connection.clientId,
        channels: [],
        lentChannel: undefined,
        followedLog: undefined,
        watchAtEpochSec: this.#now(),
        // The memory is of the former account's things.
        statesSinceMs: undefined,
      },
      { forgotten, starts: 'none' },
    );
    return building;
  }

  /**
   * Rows of logs are missing, as after a restore, which brings none back, or a pause of months. A drive that was left since is in no list,
   * so only a gap reports it.
   */
  async #checkLogs(cursor: FeedCursor): Promise<FeedCursor> {
    const { drivesFollowed } = this.#feed;
    const isWhole = drivesFollowed === undefined || drivesFollowed === this.#logs?.countAfter({});
    if (isWhole || cursor.kind === 'building') return cursor;
    const building: FeedCursor = { kind: 'building', page: undefined, gap: 'restored' };
    await this.#save({ encryptedCursor: await this.#sealed(building) });
    return building;
  }

  /**
   * Opens the key of the feed's memory. A key is created when no row of an earlier one is left, and deleted when no row of its own is
   * left, so that no row outlives its key.
   */
  async #openMeanings(cursor: FeedCursor): Promise<FeedCursor> {
    const { cipher, clock, feeds, random } = this.#deps;
    const feed = this.#feed;
    const isOfFolder = feed.resource.kind === 'folder';
    const isWanted = isOfFolder || (feed.meaning && hasMeaning(feed.resource));
    if (!isWanted && feed.statesSinceMs === undefined) return cursor;
    const stored = isWanted && feed.statesSinceMs !== undefined ? await feeds.statesKey(feed) : undefined;
    if (stored !== undefined && feed.statesSinceMs !== undefined) {
      const key = Buffer.from(await cipher.decrypt(statesKeyContext(feed), stored), 'base64url');
      this.#meanings = { feed, key, sinceMs: feed.statesSinceMs };
      return cursor;
    }
    const erasure = await feeds.eraseStates(feed, feed, () => this.#isLate());
    if (erasure === 'superseded') throw new Superseded();
    if (erasure === 'late') throw new Ended(await this.#unfinished());
    if (!isWanted) {
      await this.#save({ statesSinceMs: undefined });
      return cursor;
    }
    const key = random.bytes(STATES_KEY_BYTES);
    const statesKey = await cipher.encrypt(statesKeyContext(feed), Buffer.from(key).toString('base64url'));
    const sinceMs = clock.nowMs();
    // The places below a folder are known only from the memory.
    const isLost = isOfFolder && cursor.kind === 'at';
    const from: FeedCursor = isLost ? { kind: 'building', page: undefined, gap: 'restored' } : cursor;
    const rebuilt = isLost ? { encryptedCursor: await this.#sealed(from) } : {};
    await this.#save({ statesSinceMs: sinceMs, ...rebuilt }, { statesKey });
    this.#meanings = { feed, key, sinceMs };
    return from;
  }

  /** Reads pages until the provider returns a token; the gap that led here is reported in the write that stores it (CF-27). */
  async #build(from: Extract<FeedCursor, { kind: 'building' }>): Promise<AtCursor> {
    if (this.#feed.resource.kind === 'folder') return this.#buildFolder(from);
    let cursor = from;
    for (;;) {
      const answer = await this.#call({ kind: 'start', page: cursor.page });
      if (answer.kind !== 'ok') {
        // The page token has expired: the list begins again.
        const again = answer.kind === 'refusal' && answer.refusal === 'expired' && cursor.page !== undefined;
        if (!again) throw new Ended(await this.#failed(answer));
        cursor = { ...cursor, page: undefined };
        continue;
      }
      const found = readStart(answer.body);
      if (found === undefined) throw new Ended(await this.#failed(NO_CURSOR));
      if ('page' in found) {
        cursor = { ...cursor, page: found.page };
        await this.#save({ encryptedCursor: await this.#sealed(cursor) });
        if (this.#isLate()) throw new Ended(await this.#unfinished());
        continue;
      }
      // After the user's own log, which contains every drive joined from now on.
      await this.#logs?.compare(false);
      const ready: FeedCursor = { kind: 'at', token: found.token, page: undefined };
      const account = {
        subject: this.#connection?.providerAccount?.subject,
        clientId: this.#connection?.clientId,
      };
      const gap = cursor.gap;
      if (gap !== undefined) this.#deps.metrics.count('FeedGap', { reason: gap });
      await this.#store(ready, gap === undefined ? [] : [{ kind: 'gap', reason: gap, changes: [] }], account);
      return ready;
    }
  }

  /** Finds the folder and the place in its log; the contents are listed with the first read of the log. */
  async #buildFolder({ gap }: Extract<FeedCursor, { kind: 'building' }>): Promise<AtCursor> {
    let { folderId, driveId } = await this.#findFolder();
    let token: string;
    for (;;) {
      const answer = await this.#call({ kind: 'start', log: driveId });
      if (answer.kind !== 'ok') throw new Ended(await this.#failed(answer));
      const found = readStart(answer.body);
      if (found === undefined || !('token' in found)) throw new Ended(await this.#failed(NO_CURSOR));
      // A move from now on comes after the stored place; a move just before it is in another log.
      const before = driveId;
      ({ folderId, driveId } = await this.#findFolder());
      token = found.token;
      if (before === driveId) break;
    }
    const within = { folderId, driveId, isWalking: true, gap, isGone: false, leavesOut: false };
    const ready: AtCursor = { kind: 'at', token, page: undefined, within };
    if (gap !== undefined) this.#deps.metrics.count('FeedGap', { reason: gap });
    const account = { subject: this.#connection?.providerAccount?.subject, clientId: this.#connection?.clientId };
    await this.#store(ready, [], { ...account, followedLog: driveId ?? '' }, { states: [rootState(folderId)] });
    return ready;
  }

  async #findFolder(): Promise<Pick<FolderPlace, 'folderId' | 'driveId'>> {
    const located = await locateFolder(this.#turnOfTree());
    if (located !== 'refused' && !located.isTrashed && located.isFolder) {
      return { folderId: located.id, driveId: located.driveId };
    }
    const refused = { kind: 'refusal', refusal: 'refused', status: 404, retryAfterSec: undefined } as const;
    throw new Ended(await this.#failed(refused));
  }

  /** Restarts the feed of a folder in the log that now contains the folder. */
  async #moveFolder(gap: GapReason): Promise<never> {
    const building: FeedCursor = { kind: 'building', page: undefined, gap };
    const now = this.#now();
    const [newest, ...older] = this.#feed.channels;
    const heir = newest === undefined ? undefined : heirOf(this.#feed, await this.#readSiblings());
    await this.#save({
      encryptedCursor: await this.#sealed(building),
      // The memory is deleted with its key.
      statesSinceMs: undefined,
      followedLog: undefined,
      lentChannel: undefined,
      // The channel belongs to the former log.
      watchAtEpochSec: now,
      channels: newest === undefined ? [] : [{ ...newest, renewAtEpochSec: now }, ...older],
    });
    // The channel no longer serves that log.
    if (heir !== undefined) await this.#deps.feeds.passOn(heir, passName(this.#deps), now);
    throw new Ended(await this.#unfinished());
  }

  #turnOfTree(): TurnOfTree {
    return {
      call: (wish) => this.#call(wish),
      store: (cursor, batches, write) => this.#store(cursor, batches, {}, write),
      batches: batchesOf,
      fail: async (answer) => {
        throw new Ended(await this.#failed(answer));
      },
      admit: async (lists) => {
        if (this.#connection !== undefined && this.#integration !== undefined)
          await this.#admit(this.#connection, this.#integration, lists);
      },
      leave: async () => {
        throw new Ended(await this.#unfinished());
      },
      moveTo: () => this.#moveFolder('folder_moved'),
      seal: (page) => this.#sealed({ kind: 'at', token: page, page: undefined }),
      unseal: async (ciphertext) => {
        const cursor = await this.#unsealed(ciphertext);
        return cursor.kind === 'at' ? cursor.token : '';
      },
      nowEpochSec: () => this.#now(),
      isLate: () => this.#isLate(),
    };
  }

  #openTree({ within }: AtCursor): FolderTree | undefined {
    if (within === undefined || this.#meanings === undefined) return undefined;
    return new FolderTree(this.#turnOfTree(), this.#deps.feeds, this.#meanings, within);
  }

  /** Stops a renewed channel's predecessor, once; the provider's answer does not matter (CF-20). */
  async #stopOldChannels(): Promise<void> {
    const live = this.#feed.channels.filter(({ endsAtEpochSec }) => endsAtEpochSec > this.#now());
    const keeps = this.#feed.lentChannel === undefined ? 1 : 0;
    for (const { id, resourceId } of live.slice(keeps)) await this.#call({ kind: 'stop', id, resourceId });
    const kept = live.slice(0, keeps);
    if (kept.length !== this.#feed.channels.length) this.#feed = { ...this.#feed, channels: kept };
  }

  /** Opens a channel where one is due; true when it did. After a refusal an open channel remains. */
  async #watch(cursor: Extract<FeedCursor, { kind: 'at' }>): Promise<boolean> {
    const { together } = this.#request;
    // One at a time, because the first feed's channel serves the others.
    if (together !== undefined) return together.watching.run(() => this.#watchAlone(cursor));
    return this.#watchAlone(cursor);
  }

  async #watchAlone(cursor: Extract<FeedCursor, { kind: 'at' }>): Promise<boolean> {
    const isDue = isWatchDue(this.#feed, this.#now());
    if (isDue || this.#feed.channels.length > 0) {
      const lent = channelToBorrow(this.#feed, await this.#readSiblings(), this.#now());
      if (lent !== undefined) {
        const lentChannel = asLent(lent, this.#deps.random.number());
        await this.#save({ lentChannel, watchAtEpochSec: 0, unannounced: 0 });
        await this.#stopOldChannels();
        // Changes before the channel opened are in the pull that follows.
        return true;
      }
    }
    if (!isDue) return false;
    const opened = await this.#openChannel(cursor);
    if (!('channel' in opened)) {
      // Nothing else changes, because an open channel still serves.
      this.#feed = { ...this.#feed, watchAtEpochSec: opened.watchAtEpochSec };
      return false;
    }
    await this.#save(
      {
        channels: [opened.channel, ...this.#feed.channels].slice(0, 2),
        lentChannel: undefined,
        watchAtEpochSec: 0,
        unannounced: 0,
      },
      { channel: opened.record },
    );
    this.#request.together?.rows.set(this.#feed.feedId, this.#feed);
    await this.#stopOldChannels();
    return true;
  }

  /** @param log the shared drive whose log it watches, where that is not the feed's own */
  async #openChannel(cursor: Extract<FeedCursor, { kind: 'at' }>, log?: string): Promise<OpenedChannel> {
    const { random } = this.#deps;
    const channelId = Buffer.from(random.bytes(16)).toString('hex');
    const secret = Buffer.from(random.bytes(32)).toString('base64url');
    const watched = { log: log ?? cursor.within?.driveId, token: cursor.token };
    const answer = await this.#call({ kind: 'watch', ...watched, id: channelId, secret });
    const nowEpochSec = this.#now();
    const granted = answer.kind === 'ok' ? readChannel(answer.body, nowEpochSec) : undefined;
    if (granted === undefined) {
      if (answer.kind === 'dead') throw new Ended(await this.#pauseFeed());
      return { watchAtEpochSec: this.#now() + this.#noteWatchRefused(answer) };
    }
    const { endsAtEpochSec, resourceId } = granted;
    const renewAtEpochSec = renewalAt(nowEpochSec, endsAtEpochSec, random.number());
    const { accountId, feedId } = this.#feed;
    return {
      channel: { id: channelId, resourceId, openedAtEpochSec: nowEpochSec, endsAtEpochSec, renewAtEpochSec },
      record: { accountId, feedId, channelId, log, tokenHash: sha256Hex(secret), endsAtEpochSec },
    };
  }

  /** @returns seconds until the next try */
  #noteWatchRefused(answer: FeedAnswer): number {
    const refusal = answer.kind === 'refusal' ? answer.refusal : 'failed';
    const { reason, retryAfterSec } = WATCH_REFUSALS[refusal] ?? {
      reason: 'watch_refused',
      retryAfterSec: WATCH_RETRY_SEC,
    };
    this.#noPush = reason;
    this.#deps.logger.warn('no channel could be opened', {
      requestId: this.#request.requestId,
      cause: reason,
      ...(answer.kind === 'refusal' ? { upstreamStatus: answer.status } : {}),
    });
    return retryAfterSec;
  }

  /** The logs of shared drives, of a feed that follows them. */
  async #openLogs(): Promise<DriveLogs | undefined> {
    if (this.#feed.resource.kind !== 'drives') return undefined;
    const turn: TurnOfLogs = {
      call: (wish) => this.#call(wish),
      save: (write) => this.#save({}, write),
      report: (batches, write) => this.#store(undefined, batches.map(this.#withMeaning), {}, write),
      list: (driveId, cursor) => this.#call(this.#listWish(cursor, driveId)),
      reportPage: (page, write) => this.#reportPage(page, undefined, write),
      fail: async (answer) => {
        throw new Ended(await this.#failed(answer ?? NO_CURSOR));
      },
      openChannel: (cursor, log) => this.#openChannel(cursor, log),
      seal: (cursor) => this.#sealed(cursor),
      unseal: (ciphertext) => this.#unsealed(ciphertext),
      admit: async (logs, next) => {
        this.#feed = { ...this.#feed, logsFrom: next };
        if (this.#connection !== undefined && this.#integration !== undefined)
          await this.#admit(this.#connection, this.#integration, logs);
      },
      leave: async (next) => {
        this.#feed = { ...this.#feed, logsFrom: next ?? this.#feed.logsFrom };
        throw new Ended(await this.#unfinished());
      },
      nowEpochSec: () => this.#now(),
      isLate: () => this.#isLate(),
    };
    return new DriveLogs(turn, await this.#deps.feeds.logs(this.#feed));
  }

  async #pull(from: Extract<FeedCursor, { kind: 'at' }>, opened: boolean): Promise<FeedTurn> {
    const wanted = this.#mark.marked || this.#request.asked === true;
    const due = this.#feed.pullAtEpochSec <= this.#now() || this.#request.along === true;
    const resumes = this.#resumes || this.#before === 'failing' || this.#before === 'starting';
    let cursor = from;
    let found = 0;
    let pages = 0;
    const logsDue = (this.#logs?.dueAtEpochSec ?? Number.POSITIVE_INFINITY) <= this.#now();
    if (!(wanted || due || opened || resumes || logsDue)) return this.#settle(cursor, 0, false);
    const startedMs = this.#deps.clock.nowMs();
    this.#feed = { ...this.#feed, lastPullAtMs: startedMs };
    if ((due || resumes) && this.#logs?.isCompared !== true) await this.#logs?.compare(true);
    const tree = this.#openTree(cursor);
    if (tree !== undefined) cursor = await tree.begin(cursor);
    for (;;) {
      const resource = logOf(this.#feed.resource, cursor);
      const answer = await this.#listOfLog(cursor);
      if (answer.kind === 'refusal' && answer.refusal === 'expired') {
        if (cursor.page === undefined) return this.#startOver();
        // Stored pages are listed again: ids repeat, and nothing is skipped.
        cursor = { ...cursor, page: undefined };
        continue;
      }
      if (answer.kind === 'refusal' && answer.refusal === 'refused') await tree?.lookElsewhere();
      if (answer.kind !== 'ok') return this.#failed(answer);
      const page = readPage(resource, cursor, answer.body);
      if (page === undefined || page.next.kind !== 'at') return this.#failed(NO_CURSOR);
      const isEmpty = page.changes.length === 0;
      let next: AtCursor = { ...page.next, within: cursor.within };
      // Without changes the token moves with the write that ends the turn.
      if (!(isEmpty && page.isLast)) {
        await this.#logs?.hear(page.changes);
        const reported = { resource, changes: page.changes, answer: answer.body };
        if (tree !== undefined) next = await tree.reportPage(reported, cursor, next);
        else await this.#reportPage(reported, next, this.#staleStarts());
      }
      found += page.changes.length;
      pages += 1;
      cursor = next;
      if (page.isLast) break;
      if (pages >= FEED_PAGES_PER_TURN || this.#isLate()) return this.#unfinished();
    }
    if (found > 0) await this.#reportStarts();
    const isUnasked = !wanted && due && !opened && !resumes;
    const isOwn = this.#feed.lentChannel === undefined && ownChannel(this.#feed, this.#now()) !== undefined;
    await this.#noteAnnouncement(found, isUnasked && isOwn);
    if (this.#logs !== undefined) {
      const { logs, follows } = this.#mark;
      const isWhole = due || opened || resumes || this.#request.asked === true || follows !== undefined;
      const rest = isWhole ? { from: this.#feed.logsFrom ?? '' } : undefined;
      found += await this.#logs.pull(logs, rest, isUnasked);
      this.#feed = { ...this.#feed, logsFrom: undefined };
    }
    this.#feed = { ...this.#feed, lastPullChanges: found };
    return this.#settle(cursor, found, true);
  }

  /** CF-26: a channel without messages while things change is lost, even if the provider has not ended it. */
  async #noteAnnouncement(found: number, isSafetyPull: boolean): Promise<void> {
    if (found === 0) return;
    if (!isSafetyPull) {
      this.#feed = { ...this.#feed, unannounced: 0 };
      return;
    }
    // The message may just have come.
    if ((await this.#deps.feeds.readMark(this.#feed)).marked) return;
    const unannounced = this.#feed.unannounced + 1;
    if (unannounced < UNANNOUNCED_MAX) {
      this.#feed = { ...this.#feed, unannounced };
      return;
    }
    this.#deps.metrics.count('FeedChannelLost');
    const [newest, ...older] = this.#feed.channels;
    this.#feed = {
      ...this.#feed,
      unannounced: 0,
      watchAtEpochSec: 0,
      channels: newest === undefined ? [] : [{ ...newest, renewAtEpochSec: this.#now() }, ...older],
    };
  }

  /** A shared drive that was found or lost while reading any log. */
  readonly #withMeaning = (batch: UnnumberedBatch): UnnumberedBatch =>
    this.#meanings === undefined ? batch : { ...batch, changes: batch.changes.map(driveChangeWithMeaning) };

  /** Reports events that start soon, when it is time to look. */
  async #reportStarts(): Promise<void> {
    const { feeds, clock, random } = this.#deps;
    const { resource, reminders } = this.#feed;
    if (resource.kind !== 'calendar' || reminders.length === 0) {
      if (this.#request.starts === true) await this.#save({}, { starts: 'none' });
      return;
    }
    const plan = this.#starts ?? (await feeds.starts(this.#feed));
    this.#starts = plan;
    const isOfNow = plan?.minutes.join() === reminders.join();
    if (plan !== undefined && isOfNow && plan.dueAtEpochSec > this.#now() && !this.#resumes) return;
    const nowMs = clock.nowMs();
    const { fromMs, toMs } = startsRange(reminders, nowMs);
    const found: Occurrence[] = [];
    let page: string | undefined;
    for (let pages = 0; pages < REMINDER_PAGES_MAX; pages++) {
      const answer = await this.#call({ kind: 'starts', fromMs, toMs, page });
      if (answer.kind !== 'ok') throw new Ended(await this.#failed(answer));
      const read = readOccurrences(answer.body);
      found.push(...read.found);
      page = read.next;
      if (page === undefined) break;
    }
    // Spread at random, so that feeds that began together do not always look together.
    const nextLookSec = Math.round(REMINDER_LOOK_SEC * (1 - FEED_INTERVAL_JITTER * random.number()));
    const judged = judgeStarts(found, reminders, plan, nowMs, nextLookSec);
    const batches = startBatches(judged.changes);
    await this.#store(undefined, batches, {}, { starts: judged.plan });
    this.#starts = judged.plan;
  }

  /** Changes may move events: the next look is due from the write that stores them, whichever process makes it. */
  #staleStarts(): Pick<FeedWrite, 'starts'> {
    if (this.#starts === undefined || this.#starts.dueAtEpochSec <= this.#now()) return {};
    this.#starts = { ...this.#starts, dueAtEpochSec: this.#now() };
    return { starts: this.#starts };
  }

  /** A page of the feed's log, which feeds that are worked on together request once. */
  async #listOfLog(cursor: AtCursor): Promise<FeedAnswer> {
    const { together } = this.#request;
    const wish = this.#listWish(cursor, cursor.within?.driveId);
    if (together === undefined) return this.#call(wish);
    const { kind, id } = logOf(this.#feed.resource, cursor);
    const shared = { ...wish, members: together.members };
    const name = JSON.stringify([kind === 'drive' ? 'drives' : kind, id, cursor.token, cursor.page]);
    if (!together.answers.has(name)) await this.#ready();
    return together.answers.of(name, () => this.#call(shared));
  }

  #listWish({ token, page, within }: AtCursor, log: string | undefined): Extract<FeedWish, { kind: 'list' }> {
    const isMeant = this.#meanings?.feed.meaning === true;
    const members = isMeant ? 'meaning' : within === undefined ? undefined : 'place';
    return { kind: 'list', log, token, page, members };
  }

  /** Stores the changes of a page, and in the last write the place behind them: the feed's own cursor, or the given log's. */
  async #reportPage(
    page: ReportedPage,
    cursor: FeedCursor | undefined,
    write: Omit<FeedWrite, 'event' | 'batches'> = {},
  ): Promise<void> {
    const changes = lastOfEach(page.changes);
    if (this.#meanings === undefined || changes.length === 0) {
      return this.#store(cursor, batchesOf(changes), {}, write);
    }
    const sights = readSights(page.resource, page.answer);
    // As many per write as a transaction takes. A page that is cut short is listed again from its beginning, without reporting anything
    // twice.
    for (let from = 0; from < changes.length; from += FEED_MEANING_PAGE_SIZE) {
      const some = changes.slice(from, from + FEED_MEANING_PAGE_SIZE);
      const judged = await judgeChanges(this.#deps.feeds, this.#meanings, some, sights, this.#now());
      const isLast = from + FEED_MEANING_PAGE_SIZE >= changes.length;
      const extra = { ...(isLast ? write : {}), states: judged.states };
      await this.#store(isLast ? cursor : undefined, batchesOf(judged.changes), {}, extra);
    }
  }

  async #startOver(): Promise<FeedTurn> {
    const { lastGapAtEpochSec, clientId } = this.#feed;
    const now = this.#now();
    if (lastGapAtEpochSec !== undefined && now - lastGapAtEpochSec < FEED_GAP_INTERVAL_SEC) {
      const notBeforeEpochSec = lastGapAtEpochSec + FEED_GAP_INTERVAL_SEC;
      await this.#fail('cursor_expired_again', { notBeforeEpochSec });
      return { kind: 'put_off', feed: this.#feed, reason: 'cursor_expired_again', failed: false };
    }
    const gap: GapReason =
      clientId !== undefined && clientId !== this.#connection?.clientId ? 'client_changed' : 'cursor_expired';
    const building = { kind: 'building' as const, page: undefined, gap };
    if (this.#feed.resource.kind === 'folder') {
      this.#feed = { ...this.#feed, lastGapAtEpochSec: now };
      return this.#moveFolder(gap);
    }
    await this.#save({ encryptedCursor: await this.#sealed(building), lastGapAtEpochSec: now });
    const cursor = await this.#build(building);
    return this.#settle(cursor, 0, true);
  }

  /** Ends a turn that went well. */
  async #settle(cursor: FeedCursor, changes: number, pulled: boolean): Promise<FeedTurn> {
    const { random } = this.#deps;
    const now = this.#now();
    const live = liveChannel(this.#feed, now);
    const isWatched = live !== undefined && this.#logs?.isWatched !== false;
    const state = isWatched ? 'watching' : 'polling';
    const intervalSec = isWatched ? this.#feed.safetyIntervalSec : await this.#pollIntervalSec();
    const jittered = intervalSec * (1 + FEED_INTERVAL_JITTER * (2 * random.number() - 1));
    const isOverdueNoMore = pulled && this.#feed.overdueSinceEpochSec !== undefined;
    const resumed = this.#before === 'failing' || isOverdueNoMore;
    const known = this.#before === 'polling' ? this.#feed.reason : undefined;
    const leavesOut = this.#logs?.leavesOut ?? this.#feed.reason === TOO_MANY_DRIVES;
    const noPush =
      this.#noPush ?? (known !== undefined && LEAVING_OUT.has(known) ? undefined : known) ?? 'watch_refused';
    const within = cursor.kind === 'at' ? cursor.within : undefined;
    const leftOut =
      within?.isGone === true ? 'folder_gone' : within?.leavesOut === true ? 'too_many_folders' : undefined;
    const reason = leavesOut ? TOO_MANY_DRIVES : (leftOut ?? (isWatched ? undefined : noPush));
    const change: Partial<FeedProgress> = {
      state,
      reason,
      failureCount: 0,
      notBeforeEpochSec: 0,
      refusedSinceEpochSec: undefined,
      clientId: this.#connection?.clientId,
      logsDueAtEpochSec: this.#logs?.dueAtEpochSec,
      // Feeds of an earlier version lack it.
      followedLog: within === undefined ? undefined : (within.driveId ?? ''),
      ...(pulled ? { pullAtEpochSec: now + Math.round(jittered), encryptedCursor: await this.#sealed(cursor) } : {}),
    };
    await this.#save(change, { release: true, event: resumed ? 'FeedResumed' : undefined, isOverdueNoMore });
    return { kind: 'done', feed: this.#feed, changes };
  }

  /** Polls use a daily quota all day long: once little of it is left, they leave it to calls. */
  async #pollIntervalSec(): Promise<number> {
    const { pollIntervalSec } = this.#feed;
    if (pollIntervalSec >= FEED_SLOW_POLL_SEC || this.#connection === undefined || this.#integration === undefined) {
      return pollIntervalSec;
    }
    const isFilling = await this.#deps.isDayFilling(quotaOwner(this.#connection, this.#integration));
    return isFilling ? FEED_SLOW_POLL_SEC : pollIntervalSec;
  }

  /** Time is up with pages left: the next turn continues from the last stored cursor. */
  async #unfinished(): Promise<FeedTurn> {
    await this.#save({ pullAtEpochSec: this.#now() }, { release: true });
    return { kind: 'unfinished', feed: this.#feed };
  }

  async #pauseFeed(): Promise<FeedTurn> {
    const state = this.#started('paused');
    const change = {
      state,
      reason: 'reauthorization_required',
      watchAtEpochSec: this.#now(),
      pullAtEpochSec: this.#now(),
      notBeforeEpochSec: this.#now() + FEED_PAUSED_CHECK_SEC,
    };
    const isNews = state === 'paused' && this.#before !== 'paused';
    await this.#save(change, { release: true, event: isNews ? 'FeedPaused' : undefined, isOverdueNoMore: true });
    return { kind: 'paused', feed: this.#feed };
  }

  async #fail(reason: string, change: Partial<FeedProgress>): Promise<void> {
    const state = this.#started('failing');
    const event = state === 'failing' && this.#before !== 'failing' ? 'FeedFailing' : undefined;
    const due = { watchAtEpochSec: this.#now(), pullAtEpochSec: this.#now() };
    await this.#save({ ...change, ...due, state, reason }, { release: true, event, isOverdueNoMore: true });
  }

  /** A feed without a first place stays `starting` whatever the obstacle, so that nobody relies on it yet. */
  #started(state: FeedState): FeedState {
    return this.#before === 'starting' ? 'starting' : state;
  }

  /** Ends a turn after a failed call. */
  async #failed(answer: Exclude<FeedAnswer, { kind: 'ok' }>): Promise<FeedTurn> {
    if (answer.kind === 'dead') return this.#pauseFeed();
    if (answer.kind === 'unavailable') {
      await this.#putOff(answer.retryAfterSec);
      return { kind: 'put_off', feed: this.#feed, reason: answer.reason, failed: true };
    }
    if (answer.refusal === 'rate' || answer.refusal === 'user_rate') {
      const until = this.#now() + Math.max(60, answer.retryAfterSec ?? 0);
      if (this.#connection !== undefined && this.#integration !== undefined) {
        const level = answer.refusal === 'rate' ? 'project' : 'user';
        await this.#deps.quota.block(quotaOwner(this.#connection, this.#integration), level, until);
      }
      return this.#waitForQuota({ reason: 'rate_limited', untilEpochSec: until });
    }
    if (answer.refusal !== 'refused') {
      await this.#putOff(answer.retryAfterSec);
      return { kind: 'put_off', feed: this.#feed, reason: answer.refusal, failed: true };
    }
    const since = this.#feed.refusedSinceEpochSec ?? this.#now();
    if (this.#now() - since >= FEED_REFUSED_LIMIT_SEC) {
      await this.#fail('resource_refused', {
        refusedSinceEpochSec: since,
        notBeforeEpochSec: this.#now() + FEED_BACKOFF_MAX_SEC,
      });
    } else {
      this.#feed = { ...this.#feed, refusedSinceEpochSec: since };
      await this.#putOff(answer.retryAfterSec);
    }
    return { kind: 'refused', feed: this.#feed, status: answer.status };
  }

  async #putOff(retryAfterSec: number | undefined): Promise<void> {
    await this.#save(this.#postponed(retryAfterSec), { release: true });
  }

  #postponed(retryAfterSec: number | undefined) {
    const { failureCount } = this.#feed;
    const ceiling = Math.min(FEED_BACKOFF_BASE_SEC * 2 ** Math.min(failureCount, 20), FEED_BACKOFF_MAX_SEC);
    const waitSec = Math.max(Math.ceil(ceiling * (0.5 + this.#deps.random.number() / 2)), retryAfterSec ?? 0);
    const now = this.#now();
    // A failed pull that a message requested stays due, hours before the feed's own next one.
    const pullAtEpochSec = Math.min(this.#feed.pullAtEpochSec, now);
    return { failureCount: failureCount + 1, notBeforeEpochSec: now + waitSec, pullAtEpochSec };
  }

  /** Batches and the cursor behind them, in one write. @param cursor undefined where the feed's own stays */
  async #store(
    cursor: FeedCursor | undefined,
    batches: readonly Pick<NewBatch, 'kind' | 'reason' | 'changes'>[],
    change: Partial<FeedProgress>,
    write: Omit<FeedWrite, 'event' | 'batches'> = {},
  ): Promise<void> {
    const { clock, random } = this.#deps;
    const nowMs = clock.nowMs();
    const sealed = cursor === undefined ? {} : { encryptedCursor: await this.#sealed(cursor) };
    const save = () => {
      const numbered = batches.map((batch, index) => ({
        ...batch,
        sequence: this.#feed.sequence + index + 1,
        storedAt: new Date(nowMs).toISOString(),
        eventId: ulid(nowMs, random.bytes(10)),
        requestId: this.#request.requestId,
      }));
      const progress = {
        ...change,
        ...sealed,
        sequence: this.#feed.sequence + numbered.length,
        ...(numbered.length === 0 ? {} : { lastBatchAtEpochSec: Math.floor(nowMs / 1000) }),
      };
      return this.#save(progress, { ...write, batches: numbered });
    };
    try {
      await save();
    } catch (error) {
      if (!(error instanceof Superseded) || batches.length === 0 || !(await this.#catchUpNumbers())) throw error;
      await save();
    }
  }

  /**
   * Repairs the numbers of a feed whose row versions up to 0.2.0 could reset to an older sequence and position, so that the next batch
   * number existed already. Numbers continue behind the last stored batch. Every position ever written leads behind stored changes
   * only, so changes repeat but none is lost.
   *
   * @returns false where another holder has the row, or its numbers are right
   */
  async #catchUpNumbers(): Promise<boolean> {
    const { feeds, logger, metrics } = this.#deps;
    const sequence = await feeds.lastStored(this.#feed);
    if (sequence <= this.#feed.sequence || !(await feeds.renumber(this.#feed, sequence))) return false;
    metrics.count('FeedRenumbered');
    logger.warn('a feed was behind its batches and continues after the last one', {
      requestId: this.#request.requestId,
      count: sequence - this.#feed.sequence,
    });
    this.#feed = { ...this.#feed, sequence };
    return true;
  }

  async #save(
    change: Partial<FeedProgress>,
    write: Omit<FeedWrite, 'event'> & {
      readonly release?: boolean;
      readonly event?: LifecycleEventType | undefined;
    } = {},
  ): Promise<void> {
    const { feeds, clock, owner } = this.#deps;
    const { release, event: eventType, ...rest } = write;
    const next: Feed = {
      ...this.#feed,
      ...change,
      drivesFollowed: this.#logs?.countAfter(rest) ?? this.#feed.drivesFollowed,
      lease: release === true ? undefined : { owner, expiresAtMs: clock.nowMs() + FEED_LEASE_MS },
    };
    const event =
      eventType === undefined
        ? undefined
        : newFeedEvent(this.#deps, eventType, next, {
            says: { reason: next.reason },
            remedy: explainFeed(next.reason)?.remedy,
            requestId: this.#request.requestId,
          });
    if (!(await feeds.save(next, { ...rest, event }))) throw new Superseded();
    this.#feed = next;
  }

  /** Takes quota for a turn that needed none before. */
  async #ready(): Promise<void> {
    if (this.#isAdmitted || this.#connection === undefined || this.#integration === undefined) return;
    await this.#admit(this.#connection, this.#integration);
  }

  async #call(wish: FeedWish): Promise<FeedAnswer> {
    await this.#ready();
    const [connection, integration] = [this.#connection, this.#integration];
    if (connection === undefined || integration === undefined) throw new Error('A call before its connection');
    const { requestId, deadlineMs } = this.#request;
    // A call that starts last has its whole time, which the reserve of the function covers.
    const endByMs = Math.max(deadlineMs, this.#deps.clock.nowMs() + FEED_CALL_TIMEOUT_MS);
    return this.#deps.caller.call({ feed: this.#feed, connection, integration, requestId, endByMs }, wish);
  }

  #sealed(cursor: FeedCursor): Promise<string> {
    return this.#deps.cipher.encrypt(cursorContext(this.#feed), JSON.stringify(cursor));
  }

  /** Whether another call and its write would not end in time. */
  #isLate(): boolean {
    return this.#deps.clock.nowMs() + FEED_CALL_TIMEOUT_MS >= this.#request.deadlineMs;
  }

  #now(): number {
    return nowSec(this.#deps);
  }
}

/** Google counts an account over all connections of a Cloud project. */
function quotaOwner(connection: Connection, { provider, quota: own }: Integration): FeedQuotaOwner {
  const user = connection.providerAccount?.subject ?? connectionRefKey(connection);
  return { accountId: connection.accountId, cloudProject: cloudProjectOf(connection.clientId), provider, user, own };
}

/** Starting events as batches, each occurrence once. */
function startBatches(changes: readonly FeedChange[]): UnnumberedBatch[] {
  return intoBatches(changes).map((some) => ({ kind: 'starts', reason: undefined, changes: some }));
}

/** Changes as batches of a feed. */
function batchesOf(changes: readonly FeedChange[]): UnnumberedBatch[] {
  return intoBatches(changes).map((some) => ({ kind: 'changes', reason: undefined, changes: some }));
}

const NO_CURSOR: FeedAnswer & { kind: 'unavailable' } = {
  kind: 'unavailable',
  reason: 'answer_without_cursor',
  retryAfterSec: undefined,
};

/** Reason of a feed whose user has more shared drives than it follows. */
const TOO_MANY_DRIVES = 'too_many_drives';

/** Reasons that do not explain missing push. */
const LEAVING_OUT = new Set([TOO_MANY_DRIVES, 'folder_gone', 'too_many_folders']);

type AtCursor = Extract<FeedCursor, { kind: 'at' }>;

/** Reasons for missing push, and when to try again. */
const WATCH_REFUSALS: Partial<Record<FeedRefusal, { readonly reason: string; readonly retryAfterSec: number }>> = {
  push_not_supported: { reason: 'push_not_supported', retryAfterSec: PUSH_NOT_SUPPORTED_RETRY_SEC },
  address_not_authorized: { reason: 'address_not_authorized', retryAfterSec: PUSH_REFUSED_RETRY_SEC },
  address_not_https: { reason: 'address_not_https', retryAfterSec: PUSH_REFUSED_RETRY_SEC },
};

const STATES_KEY_BYTES = 32;

/** Seconds to the next try of reminders whose feed has no known time to wait for. */
const REMINDER_RETRY_SEC = 20;

function parseCursor(json: string): FeedCursor {
  const value: unknown = JSON.parse(json);
  const read = (name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const page = read('page');
  const token = read('token');
  const gap = read('gap');
  const pageText = typeof page === 'string' ? page : undefined;
  const gapOf = (text: unknown) => GAP_REASONS.find((one) => one === text);
  if (read('kind') === 'at' && typeof token === 'string') {
    const within = read('within');
    const folderId = text(within, 'folderId');
    if (folderId === undefined) return { kind: 'at', token, page: pageText };
    const place = {
      folderId,
      driveId: text(within, 'driveId'),
      isWalking: member(within, 'isWalking') === true,
      gap: gapOf(member(within, 'gap')),
      isGone: member(within, 'isGone') === true,
      leavesOut: member(within, 'leavesOut') === true,
    };
    return { kind: 'at', token, page: pageText, within: place };
  }
  const reason = gapOf(gap);
  return { kind: 'building', page: pageText, gap: reason };
}

function nowSec({ clock }: Pick<FeedWorkDependencies, 'clock'>): number {
  return epochSecNow(clock);
}
