/** Ports for counting calls across processes, for storing what is known of them, and for the roll-up of their lines. */
import type { FeatureRateLimit } from '../core/contract.ts';
import type { CallSubject, ConnectionRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { CallFilter, CallRecord, FailureFilter } from './call-record.rules.ts';
import type { DayUse } from './day-use.rules.ts';
import type { Page, PageEntry, PageLevel, PageTime } from './page.rules.ts';
import type { ThresholdMark } from './threshold.rules.ts';
import type { UsageCounts, UsageSubject } from './usage.rules.ts';

/** Calls of all processes together, per secret key or connection and window of `RATE_WINDOW_SEC`. */
export interface CallTotals {
  /** Adds calls to a window. @returns their total with those of all other processes */
  add(subject: CallSubject, window: number, calls: number): Promise<number>;
}

/** Reads the calls of a window that processes have reported. */
export interface CallTotalsReader {
  read(subject: CallSubject, window: number): Promise<number>;
}

/** Reports once that a share of a day's budget or quota is used. */
export interface ThresholdReporter {
  /** @returns false where it was reported before */
  report(mark: ThresholdMark, event: LifecycleEvent): Promise<boolean>;
}

/** Reads how full the provider's day of an account is, as of the last count. */
export interface DayUseReader {
  /** @returns undefined before the first call of the day is counted */
  read(accountId: string): Promise<DayUse | undefined>;
}

/** Writes it. */
export interface DayUseWriter {
  write(accountId: string, use: DayUse): Promise<void>;
}

/** A used share of a day's budget or quota, with the members of its event (`BudgetReached`, `QuotaReached`). */
export interface ReachedShare {
  readonly says: Readonly<Record<string, string | undefined>>;
  readonly integrationId: string | undefined;
  readonly connectionId: string | undefined;
  readonly reportedAtEpochSec: number;
}

/** Reads them. */
export interface ReachedShares {
  /** Of the days whose marks are still there. */
  ofAccount(accountId: string): Promise<readonly ReachedShare[]>;
}

/** Writes items of accounts together with events. */
export interface NewItemWriter {
  /**
   * Puts an item alongside those of its account, with the event that reports it, both or neither.
   *
   * @returns false where the item is there
   */
  putNew(accountId: string, sk: string, attributes: Record<string, unknown>, event: LifecycleEvent): Promise<boolean>;
}

/** The sink of call lines: the function's log, which outlives the process. */
export interface CallLines {
  /** Writes a whole line before it returns; without a reader the line is lost, never the call. */
  append(line: string): void;
}

/** An operation that an account may do only so often. */
export type LimitedUse =
  | 'connect_sessions'
  | 'authorizations'
  | `${FeatureRateLimit}.${string}`
  | `new_subjects.${string}`
  | `delegation_checks.${string}`;

/** Counts uses per account in fixed windows of `RATE_WINDOW_SEC`, or of another length. */
export interface RateCounter {
  /** Counts one use; false when the window already has `most`, and then nothing is counted. */
  count(accountId: string, use: LimitedUse, most: number, nowEpochSec: number, windowSec?: number): Promise<boolean>;
  /** Takes back a use that was counted at `countedAtEpochSec`. */
  giveBack(accountId: string, use: LimitedUse, countedAtEpochSec: number): Promise<void>;
}

export interface CallLogWriter {
  /** Adds a row, once. @throws whatever went wrong, and when it takes longer than its limit */
  write(record: CallRecord): Promise<void>;
  /**
   * Counts calls that were to leave a row. @param day days since 1970, UTC @returns how many there have been that day, in every process
   * @throws as `write`
   */
  count(ref: ConnectionRef, day: number, calls: number): Promise<number>;
}

/** A part of the calls of a connection or account, newest first. */
export interface CallPage {
  readonly calls: readonly CallRecord[];
  /** Id of the row to continue behind; undefined at the end. */
  readonly next: string | undefined;
}

/** A connection whose rows have to go, unless it was not deleted after all. */
export interface Clearing extends ConnectionRef {
  readonly notedAtMs: number;
}

export interface CallLogClearing {
  /** A page of clearings, oldest first by identity. */
  pending(): Promise<readonly Clearing[]>;
  /** Deletes some of a connection's rows that ended before a moment; false when there are none left. */
  clearSome(ref: ConnectionRef, beforeMs: number): Promise<boolean>;
  /** Removes a clearing whose rows are gone or need not go. */
  done(clearing: Clearing): Promise<void>;
}

export interface CallLogReader {
  /** @param before id of a row: what is older follows */
  list(ref: ConnectionRef, filter: CallFilter, limit: number, before: string | undefined): Promise<CallPage>;
  /**
   * Failed calls of an account, newest first, eventually consistent. A part may be short or even empty and still have a next one.
   *
   * @param before id of a row: older ones follow
   */
  failures(accountId: string, filter: FailureFilter, limit: number, before: string | undefined): Promise<CallPage>;
  /** The call of a request id, within the account; eventually consistent. */
  find(accountId: string, requestId: string): Promise<CallRecord | undefined>;
  /** Records that the rows of a connection that is being deleted have to go. */
  noteDeleted(ref: ConnectionRef): Promise<void>;
}

/** A page's sums without those of its connections, which readers of all integrations or keys do not need. */
export interface PageHead {
  readonly startMs: number;
  readonly lines: number;
  readonly entries: readonly PageEntry[];
  /** Items that hold the sums of connections; 0: they are in the head. */
  readonly connectionShards: number;
}

export interface PageReader {
  /** Heads of the pages of a level whose times begin in a range, by time. */
  heads(accountId: string, level: PageLevel, fromMs: number, toMs: number): Promise<readonly PageHead[]>;
  /** Sums of connections of a page: of all, or of one. */
  connections(
    accountId: string,
    level: PageLevel,
    head: PageHead,
    one?: { readonly integrationId: string; readonly connectionId: string },
  ): Promise<readonly PageEntry[]>;
  /** Sums of the connections in one item of a page: item `shard` of `head.connectionShards`. */
  shard(accountId: string, level: PageLevel, head: PageHead, shard: number): Promise<readonly PageEntry[]>;
}

/** One item of a page that is written in parts: sums of connections that share a hash. */
export interface PageShard {
  /** Items that hold the page's connections: a power of two. */
  readonly shards: number;
  readonly shard: number;
  /** Calls of the whole page. */
  readonly lines: number;
  readonly entries: readonly PageEntry[];
}

export interface PageStore extends PageReader {
  /**
   * Writes a whole page, its head last, no faster than a partition accepts it. A page with more lines is never replaced by one with
   * fewer, and one with as many stays.
   *
   * @returns how many lines the page had before; 0 where there was none
   */
  write(accountId: string, time: PageTime, page: Page): Promise<number>;
  /**
   * Writes one item of a page that is too large to be held whole. No reader sees it before the head is there.
   *
   * @returns false where the item is already one of a page with more lines
   */
  writeShard(accountId: string, time: PageTime, shard: PageShard): Promise<boolean>;
  /**
   * Writes the head of a page whose connections are stored already, which makes the page visible.
   *
   * @param page its sums by integration, key and project
   * @returns false where a page of more lines is there
   */
  writeHead(accountId: string, time: PageTime, page: Page, connectionShards: number): Promise<boolean>;
}

/** When keys were last used for a proxied call: start of the key's digest -> epoch seconds. */
export type LastUses = ReadonlyMap<string, number>;

/** Progress of the count. */
export interface BookState {
  /** All calls that ended before are on pages, except late lines that later runs find; undefined before the first run. */
  readonly countedUntilMs: number | undefined;
  /** Hours and days that ended before have pages of their own; later times are read from shorter ones. Undefined before the first run. */
  readonly foldedUntilMs: number | undefined;
}

/** One hour of the proxy in two counts. */
export interface ComparedHour {
  readonly startMs: number;
  /** Lambda's own count of calls that began. */
  readonly invocations: number;
  /** Lines of calls that began. */
  readonly lines: number;
}

/** Times whose lines left the log before they could be read. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface BookReader {
  state(): Promise<BookState>;
  /** Hours that were compared, of days from the first to the last. */
  compared(firstDay: string, lastDay: string): Promise<readonly ComparedHour[]>;
  gaps(): Promise<readonly Gap[]>;
  /** Last uses of keys before yesterday; later ones are on pages. */
  lastUses(accountId: string): Promise<LastUses>;
}

/** A subject's sums of one day. */
export interface UsageRow {
  readonly day: string;
  readonly subject: UsageSubject;
  readonly counts: UsageCounts;
}

/** Rows of versions up to 0.2, which counted calls one by one. */
export interface UsageRows {
  /** Sums of one day: of all integrations, all keys, one integration's connections, or one connection. */
  ofDay(accountId: string, day: string, of: UsageQuery): Promise<readonly UsageRow[]>;
}

/** Which sums of a day. */
export type UsageQuery =
  | { readonly by: 'integration' }
  | { readonly by: 'key' }
  | { readonly by: 'connection'; readonly integrationId: string; readonly connectionId: string | undefined };
