import {
  type ChannelRecord,
  type DriveLog,
  type FeedChannel,
  isWatchDue,
  type NewBatch,
  watchDueAt,
} from './feed.rules.ts';
import {
  type FeedChange,
  type FeedCursor,
  type FeedResource,
  readDrives,
  readPage,
  readStart,
} from './feed-resource.rules.ts';
import type { FeedWish } from './feed-wish.rules.ts';
import { FEED_DRIVES_MAX, FEED_LOGS_ADMITTED, FEED_LOGS_AT_ONCE, FEED_PAGES_PER_TURN } from './limits.rules.ts';
import type { FeedAnswer, FeedWrite } from './ports.ts';

/** Operations of the turn that reads the logs of shared drives. Each of them may end the turn. */
export interface TurnOfLogs {
  call(wish: FeedWish): Promise<FeedAnswer>;
  /** Writes under the feed's epoch and leaves the feed's own cursor. */
  save(write: LogWrite): Promise<void>;
  /** Numbers batches and stores them in the same write. */
  report(batches: readonly UnnumberedBatch[], write: LogWrite): Promise<void>;
  /** The page of a shared drive's log behind a place. */
  list(driveId: string, cursor: LogCursor): Promise<FeedAnswer>;
  /** Stores the changes of a page as batches; the last write contains the cursor behind them. */
  reportPage(page: ReportedPage, write: LogWrite): Promise<void>;
  /** Ends the turn after a call that brought nothing. */
  fail(answer: Exclude<FeedAnswer, { kind: 'ok' }> | undefined): Promise<never>;
  openChannel(cursor: LogCursor, log: string): Promise<OpenedChannel>;
  seal(cursor: FeedCursor): Promise<string>;
  unseal(ciphertext: string): Promise<FeedCursor>;
  /** Takes quota for so many logs, or ends the turn; the next one begins with a log. */
  admit(logs: number, next: string): Promise<void>;
  /** Ends the turn because time is up. @param next the log that the next turn continues with, if it differs from the stored one */
  leave(next?: string): Promise<never>;
  nowEpochSec(): number;
  isLate(): boolean;
}

/** A page of a log, ready to report. */
export interface ReportedPage {
  readonly resource: FeedResource;
  readonly changes: readonly FeedChange[];
  /** What the provider answered. */
  readonly answer: unknown;
}

export type LogWrite = Pick<FeedWrite, 'logs' | 'leftDrives' | 'forgotten' | 'channel'>;
export type UnnumberedBatch = Pick<NewBatch, 'kind' | 'reason' | 'changes'>;
type LogCursor = Extract<FeedCursor, { readonly kind: 'at' }>;

/** An open channel, or the time to request one again. */
export type OpenedChannel =
  | { readonly channel: FeedChannel; readonly record: ChannelRecord }
  | { readonly watchAtEpochSec: number };

/**
 * The logs of the shared drives that a feed of `drives` follows alongside the user's own. Each has a row with a cursor and a channel of
 * its own, and all of them lead into the feed's one sequence, under its one lease (CH-25).
 *
 * A drive is joined before it is reported: its log's place is stored first, so that a consumer that lists the drive after the report
 * misses nothing. A lost log is joined again and reported the same way.
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

  /** When the first channel is to be opened or replaced; undefined without logs. */
  get dueAtEpochSec(): number | undefined {
    const due = [...this.#logs.values()].map(watchDueAt);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Whether each log has an open channel, so that only messages need to start a read. */
  get isWatched(): boolean {
    const now = this.#turn.nowEpochSec();
    const isOpen = ({ channels: [newest] }: DriveLog) => (newest?.endsAtEpochSec ?? 0) > now;
    return this.#refused.size === 0 && [...this.#logs.values()].every(isOpen);
  }

  /** How many logs there are after a write. */
  countAfter({ logs = [], leftDrives = [] }: Pick<LogWrite, 'logs' | 'leftDrives'>): number {
    const ids = new Set([...this.#logs.keys(), ...logs.map(({ driveId }) => driveId)]);
    for (const driveId of leftDrives) ids.delete(driveId);
    return ids.size;
  }

  /** Whether this turn has compared the logs with Google's list. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** Whether there are more drives than a feed follows; undefined where this turn has not compared. */
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
   * Compares the logs with the drives that Google lists, because memberships by groups are in no log.
   *
   * @param isReported whether differences are reported to consumers; not while they have to list everything anyway
   */
  async compare(isReported: boolean): Promise<void> {
    const listed = new Set<string>();
    let page: string | undefined;
    do {
      const answer = await this.#turn.call({ kind: 'drives', page });
      if (answer.kind !== 'ok') return this.#turn.fail(answer);
      const { ids, next } = readDrives(answer.body);
      for (const id of ids) listed.add(id);
      page = next;
    } while (page !== undefined);
    // Lost drives first, because they make room.
    for (const [driveId, log] of this.#logs) {
      if (!listed.has(driveId)) await this.#leave(log, isReported);
    }
    this.#leftOut = false;
    for (const driveId of listed) {
      if (this.#logs.has(driveId)) continue;
      if (this.#turn.isLate()) await this.#turn.leave();
      await this.#join(driveId, isReported);
    }
    this.#isCompared = true;
  }

  /** Joins and leaves the drives that the user's own log reports, before its changes are stored. */
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
   * @param named drives whose channels sent a message
   * @param rest all other drives, too, starting with the one where the last turn stopped
   * @param isSafety no message requested it, so that changes show a lost channel (CF-26)
   * @returns the number of changes
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
    // Drives named by messages come first.
    const order = wanted.sort((a, b) => Number(named.includes(b)) - Number(named.includes(a)) || (a < b ? -1 : 1));
    let found = 0;
    for (const [index, driveId] of order.entries()) {
      // The next turn reads the drives named by messages again, and the others from this one on.
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

  async #join(driveId: string, isReported: boolean): Promise<void> {
    if (this.#logs.size >= FEED_DRIVES_MAX) {
      this.#leftOut = true;
      return;
    }
    const cursor = await this.#start(driveId);
    if (cursor === undefined) return;
    const encryptedCursor = await this.#turn.seal(cursor);
    const log = { driveId, encryptedCursor, channels: [], watchAtEpochSec: 0 };
    await this.#keep(log, isReported ? [driveBatch(driveId, false)] : []);
  }

  /** The current place of a log; undefined where this account may not read it. */
  async #start(driveId: string): Promise<LogCursor | undefined> {
    const answer = await this.#turn.call({ kind: 'start', log: driveId });
    if (answer.kind === 'refusal' && answer.refusal === 'refused') return undefined;
    if (answer.kind !== 'ok') return this.#turn.fail(answer);
    const start = readStart(answer.body);
    if (start === undefined || !('token' in start)) return this.#turn.fail(undefined);
    return { kind: 'at', token: start.token, page: undefined };
  }

  async #leave({ driveId, channels }: DriveLog, isReported: boolean): Promise<void> {
    const write = { leftDrives: [driveId], forgotten: channels.map(({ id }) => id) };
    if (isReported) await this.#turn.report([driveBatch(driveId, true)], write);
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
      const answer = await this.#turn.list(driveId, cursor);
      if (answer.kind === 'refusal' && answer.refusal === 'expired') return this.#joinAgain(log, found);
      if (answer.kind === 'refusal' && answer.refusal === 'refused') {
        // The drive was left, or its log is refused for a while: the list of drives shows which.
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
        await this.#turn.reportPage({ resource, changes: page.changes, answer: answer.body }, { logs: [behind] });
        this.#logs.set(driveId, behind);
      }
      found += page.changes.length;
      if (page.isLast) return found;
      if (this.#turn.isLate()) break;
    }
    return this.#turn.leave(next);
  }

  /** Google no longer knows the place: the log continues from a new one, and the drive is reported as joined, so that consumers list it. */
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
    const opened = await this.#turn.openChannel(cursor, driveId);
    if (!('channel' in opened)) return this.#keep({ ...log, watchAtEpochSec: opened.watchAtEpochSec });
    const [old] = log.channels;
    await this.#keep({ ...log, channels: [opened.channel], watchAtEpochSec: 0 }, [], { channel: opened.record });
    // The old channel's messages remain useful hints until it ends.
    if (old !== undefined) await this.#turn.call({ kind: 'stop', id: old.id, resourceId: old.resourceId });
  }

  async #keep(log: DriveLog, batches: readonly UnnumberedBatch[] = [], write: LogWrite = {}): Promise<void> {
    if (batches.length === 0) await this.#turn.save({ ...write, logs: [log] });
    else await this.#turn.report(batches, { ...write, logs: [log] });
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

function driveBatch(driveId: string, removed: boolean): UnnumberedBatch {
  const change = { id: driveId, kind: 'drive' as const, removed, time: undefined, mimeType: undefined };
  return { kind: 'changes', reason: undefined, changes: [change] };
}
