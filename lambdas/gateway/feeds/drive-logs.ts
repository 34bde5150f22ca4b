import { FEED_DRIVES_MAX, FEED_LOGS_ADMITTED, FEED_LOGS_AT_ONCE, FEED_PAGES_PER_TURN } from '../core/limits.ts';
import {
  type ChannelRecord,
  type DriveLog,
  type FeedChannel,
  isWatchDue,
  type NewBatch,
  watchDueAt,
} from './feed.rules.ts';
import {
  drivesCall,
  type FeedCall,
  type FeedChange,
  type FeedCursor,
  type FeedResource,
  readDrives,
  readPage,
  readStart,
  startCall,
  stopCall,
} from './feed-resource.rules.ts';
import type { FeedAnswer, FeedWrite } from './ports.ts';

/** What the logs of shared drives need of the turn that reads them. Each of them may end the turn. */
export interface TurnOfLogs {
  call(call: FeedCall): Promise<FeedAnswer>;
  /** Writes under the feed's epoch, the feed's own cursor as it is. */
  save(write: LogWrite): Promise<void>;
  /** Numbers batches and stores them in the same write. */
  tell(batches: readonly TellingBatch[], write: LogWrite): Promise<void>;
  /** The page of a log behind a place. */
  list(resource: FeedResource, cursor: LogCursor): Promise<FeedAnswer>;
  /** Stores the changes of a page as batches; the last write carries what leads behind them. */
  tellPage(page: ToldPage, write: LogWrite): Promise<void>;
  /** Ends the turn after a call that brought nothing. */
  fail(answer: Exclude<FeedAnswer, { kind: 'ok' }> | undefined): Promise<never>;
  openChannel(resource: FeedResource, cursor: LogCursor, log: string): Promise<OpenedChannel>;
  seal(cursor: FeedCursor): Promise<string>;
  unseal(ciphertext: string): Promise<FeedCursor>;
  /** Takes quota for so many logs, or ends the turn; the next one begins with a log. */
  admit(logs: number, next: string): Promise<void>;
  /** Ends the turn because time is up. @param next the log that the next turn continues with, if not with the one known before */
  leave(next?: string): Promise<never>;
  nowEpochSec(): number;
  isLate(): boolean;
}

/** A page of a log as it is told. */
export interface ToldPage {
  readonly resource: FeedResource;
  readonly changes: readonly FeedChange[];
  /** What the provider answered. */
  readonly answer: unknown;
}

export type LogWrite = Pick<FeedWrite, 'logs' | 'leftDrives' | 'forgotten' | 'channel'>;
export type TellingBatch = Pick<NewBatch, 'kind' | 'reason' | 'changes'>;
type LogCursor = Extract<FeedCursor, { readonly kind: 'at' }>;

/** A channel, or when it is worth asking for one again. */
export type OpenedChannel =
  | { readonly channel: FeedChannel; readonly record: ChannelRecord }
  | { readonly watchAtEpochSec: number };

/**
 * The logs of the shared drives that a feed of `drives` follows alongside the user's own. Each has a cursor and a channel of its own, in a
 * row of its own, and all of them lead into the feed's one sequence, under its one lease (CH-25).
 *
 * A drive is joined before it is reported: its log's place is stored first, so that anyone who lists the drive after reading of it misses
 * nothing. A log that is lost is joined again and told the same way.
 */
export class DriveLogs {
  readonly #turn: TurnOfLogs;
  readonly #logs: Map<string, DriveLog>;
  /** Drives whose log Google refuses although it lists them. */
  readonly #refused = new Set<string>();
  #isCompared = false;
  #leftOut: boolean | undefined;

  constructor(turn: TurnOfLogs, logs: readonly DriveLog[]) {
    this.#turn = turn;
    this.#logs = new Map(logs.map((log) => [log.driveId, log]));
  }

  /** When the first channel is to be opened or replaced; undefined where there is no log. */
  get dueAtEpochSec(): number | undefined {
    const due = [...this.#logs.values()].map(watchDueAt);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Whether nothing but a message need have a log read: each has a channel that is open. */
  get isWatched(): boolean {
    const now = this.#turn.nowEpochSec();
    const isOpen = ({ channels: [newest] }: DriveLog) => (newest?.endsAtEpochSec ?? 0) > now;
    return this.#refused.size === 0 && [...this.#logs.values()].every(isOpen);
  }

  /** Whether this turn has compared the logs with Google's list. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** Whether there are more drives than a feed follows; undefined where this turn has not looked. */
  get leavesOut(): boolean | undefined {
    return this.#leftOut;
  }

  /** Forgets all logs: another account has others. */
  async forget(): Promise<void> {
    const known = [...this.#logs.values()];
    for (let from = 0; from < known.length; from += FEED_LOGS_AT_ONCE) {
      const some = known.slice(from, from + FEED_LOGS_AT_ONCE);
      await this.#turn.save({
        leftDrives: some.map(({ driveId }) => driveId),
        forgotten: some.flatMap(({ channels }) => channels.map(({ id }) => id)),
      });
      for (const { driveId } of some) this.#logs.delete(driveId);
    }
  }

  /**
   * Compares the logs with the drives that Google lists: memberships by groups are in no log.
   *
   * @param tells whether consumers hear of the differences; not while they are to list everything anyway
   */
  async compare(tells: boolean): Promise<void> {
    const listed = new Set<string>();
    let page: string | undefined;
    do {
      const answer = await this.#turn.call(drivesCall(page));
      if (answer.kind !== 'ok') return this.#turn.fail(answer);
      const { ids, next } = readDrives(answer.body);
      for (const id of ids) listed.add(id);
      page = next;
    } while (page !== undefined);
    // Those that were left first: they make room.
    for (const [driveId, log] of this.#logs) {
      if (!listed.has(driveId)) await this.#leave(log, tells);
    }
    this.#leftOut = false;
    for (const driveId of listed) {
      if (this.#logs.has(driveId)) continue;
      if (this.#turn.isLate()) await this.#turn.leave();
      await this.#join(driveId, tells);
    }
    this.#isCompared = true;
  }

  /** Joins and leaves what the user's own log reports, before that is passed on. */
  async hear(changes: readonly FeedChange[]): Promise<void> {
    for (const { kind, id, removed } of changes) {
      if (kind !== 'drive') continue;
      const log = this.#logs.get(id);
      if (this.#turn.isLate()) await this.#turn.leave();
      if (!removed && log === undefined) await this.#join(id, false);
      if (removed && log !== undefined) await this.#leave(log, false);
    }
  }

  /**
   * Reads logs, opening channels where they are due.
   *
   * @param named the drives whose channels have said something
   * @param rest all others too, from this one on: where the last turn had to leave
   * @param isSafety no message has asked for it, so that changes say that a channel is lost (CF-26)
   * @returns how many changes there were
   */
  async pull(
    named: readonly string[],
    rest: { readonly from: string } | undefined,
    isSafety: boolean,
  ): Promise<number> {
    const isWanted = (log: DriveLog) =>
      named.includes(log.driveId) ||
      (rest !== undefined && log.driveId >= rest.from) ||
      isWatchDue(log, this.#turn.nowEpochSec());
    const wanted = [...this.#logs.values()].filter(isWanted).map(({ driveId }) => driveId);
    // The named ones first: somebody waits for them.
    const order = wanted.sort((a, b) => Number(named.includes(b)) - Number(named.includes(a)) || (a < b ? -1 : 1));
    let found = 0;
    for (const [index, driveId] of order.entries()) {
      // The next turn reads what a message named again, and the others from here on.
      const next = named.includes(driveId) ? (rest?.from ?? '') : driveId;
      if (index % FEED_LOGS_ADMITTED === 0) {
        await this.#turn.admit(Math.min(FEED_LOGS_ADMITTED, order.length - index), next);
      }
      found += await this.#read(driveId, isSafety, next);
    }
    return found;
  }

  async #read(driveId: string, isSafety: boolean, next: string): Promise<number> {
    const log = this.#logs.get(driveId);
    // Left while another one was read.
    if (log === undefined) return 0;
    if (this.#turn.isLate()) return this.#turn.leave(next);
    const isDue = isWatchDue(log, this.#turn.nowEpochSec());
    if (isDue) await this.#watch(driveId);
    const changes = await this.#pullLog(driveId, next);
    if (isSafety && !isDue && changes > 0) await this.#replaceChannel(driveId);
    return changes;
  }

  async #join(driveId: string, tells: boolean): Promise<void> {
    if (this.#logs.size >= FEED_DRIVES_MAX) {
      this.#leftOut = true;
      return;
    }
    const cursor = await this.#start(driveId);
    if (cursor === undefined) return;
    const encryptedCursor = await this.#turn.seal(cursor);
    const log = { driveId, encryptedCursor, channels: [], watchAtEpochSec: 0 };
    await this.#keep(log, tells ? [driveBatch(driveId, false)] : []);
  }

  /** The place at which a log is now; undefined where it is not for this account. */
  async #start(driveId: string): Promise<LogCursor | undefined> {
    const answer = await this.#turn.call(startCall(resourceOf(driveId), undefined));
    if (answer.kind === 'refusal' && answer.refusal === 'refused') return undefined;
    if (answer.kind !== 'ok') return this.#turn.fail(answer);
    const start = readStart(answer.body);
    if (start === undefined || !('token' in start)) return this.#turn.fail(undefined);
    return { kind: 'at', token: start.token, page: undefined };
  }

  async #leave({ driveId, channels }: DriveLog, tells: boolean): Promise<void> {
    const write = { leftDrives: [driveId], forgotten: channels.map(({ id }) => id) };
    if (tells) await this.#turn.tell([driveBatch(driveId, true)], write);
    else await this.#turn.save(write);
    this.#logs.delete(driveId);
  }

  async #pullLog(driveId: string, next: string): Promise<number> {
    const resource = resourceOf(driveId);
    let found = 0;
    for (let pages = 0; pages < FEED_PAGES_PER_TURN; pages++) {
      const log = this.#logOf(driveId);
      const cursor = await this.#turn.unseal(log.encryptedCursor);
      if (cursor.kind !== 'at') return this.#turn.fail(undefined);
      const answer = await this.#turn.list(resource, cursor);
      if (answer.kind === 'refusal' && answer.refusal === 'expired') return this.#joinAgain(log, found);
      if (answer.kind === 'refusal' && answer.refusal === 'refused') {
        // Left, or refused for a while: the list of drives tells.
        await this.compare(true);
        if (this.#logs.has(driveId)) this.#refused.add(driveId);
        return found;
      }
      if (answer.kind !== 'ok') return this.#turn.fail(answer);
      const page = readPage(resource, cursor, answer.body);
      if (page === undefined) return this.#turn.fail(undefined);
      const isSame = page.changes.length === 0 && page.next.kind === 'at' && page.next.token === cursor.token;
      if (!isSame) {
        const behind = { ...log, encryptedCursor: await this.#turn.seal(page.next) };
        await this.#turn.tellPage({ resource, changes: page.changes, answer: answer.body }, { logs: [behind] });
        this.#logs.set(driveId, behind);
      }
      found += page.changes.length;
      if (page.isLast) return found;
      if (this.#turn.isLate()) break;
    }
    return this.#turn.leave(next);
  }

  /** Google knows the place no more: from a new one on, and the drive is told as one that was joined, to be listed. */
  async #joinAgain(log: DriveLog, found: number): Promise<number> {
    const cursor = await this.#start(log.driveId);
    if (cursor === undefined) await this.#leave(log, true);
    else {
      const encryptedCursor = await this.#turn.seal(cursor);
      await this.#keep({ ...log, encryptedCursor }, [driveBatch(log.driveId, false)]);
    }
    return found + 1;
  }

  async #replaceChannel(driveId: string): Promise<void> {
    const log = this.#logs.get(driveId);
    const [newest] = log?.channels ?? [];
    if (log === undefined || newest === undefined || newest.endsAtEpochSec <= this.#turn.nowEpochSec()) return;
    const channels = [{ ...newest, renewAtEpochSec: this.#turn.nowEpochSec() }];
    await this.#keep({ ...log, channels });
  }

  async #watch(driveId: string): Promise<void> {
    const log = this.#logOf(driveId);
    const cursor = await this.#turn.unseal(log.encryptedCursor);
    if (cursor.kind !== 'at') return;
    const opened = await this.#turn.openChannel(resourceOf(driveId), cursor, driveId);
    if (!('channel' in opened)) return this.#keep({ ...log, watchAtEpochSec: opened.watchAtEpochSec });
    const [old] = log.channels;
    await this.#keep({ ...log, channels: [opened.channel], watchAtEpochSec: 0 }, [], { channel: opened.record });
    // Its messages are hints as good as any until it ends, here or by itself.
    if (old !== undefined) await this.#turn.call(stopCall(resourceOf(driveId), old));
  }

  async #keep(log: DriveLog, batches: readonly TellingBatch[] = [], write: LogWrite = {}): Promise<void> {
    if (batches.length === 0) await this.#turn.save({ ...write, logs: [log] });
    else await this.#turn.tell(batches, { ...write, logs: [log] });
    this.#logs.set(log.driveId, log);
  }

  #logOf(driveId: string): DriveLog {
    const log = this.#logs.get(driveId);
    if (log === undefined) throw new Error('A log that is not followed');
    return log;
  }
}

function resourceOf(driveId: string): FeedResource {
  return { kind: 'drives', id: driveId };
}

function driveBatch(driveId: string, removed: boolean): TellingBatch {
  const change = { id: driveId, kind: 'drive' as const, removed, time: undefined, mimeType: undefined };
  return { kind: 'changes', reason: undefined, changes: [change] };
}
