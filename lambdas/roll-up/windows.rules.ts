/**
 * When each window of the log is read. Every minute is read 90 seconds after its end, and again every quarter of an hour. Every day is
 * read again at night. After a long outage of ticks, whole hours are read instead of their minutes (BK-23).
 */

import { CALL_SLICES } from '../gateway/calls/call-line.rules.ts';
import { LEVEL_MS, type PageLevel, startOf } from '../gateway/calls/page.rules.ts';
import {
  DAY_READ_AGAIN_AFTER_MS,
  HOUR_COMPARED_AFTER_MS,
  MINUTE_READ_AFTER_MS,
  MINUTE_READ_AGAIN_AFTER_MS,
} from '../gateway/core/limits.ts';

/** Why a window is read: for the first time, again after a quarter of an hour, again at night, or for the number of calls that began. */
export const READINGS = ['first', 'again', 'nightly', 'begun'] as const;
export type Reading = (typeof READINGS)[number];

/** A window that is being read. */
export interface Job {
  readonly reading: Reading;
  readonly fromMs: number;
  readonly toMs: number;
  /** Its queries, one for each slice of connections; null: not started yet. */
  readonly queries: readonly (string | null)[];
  readonly askedAtMs: number;
  readonly state: 'open' | 'refused' | 'done';
  /** How often reading its answers failed; absent: never. */
  readonly failures?: number;
}

/** A page of an hour or a day that has to be built from the pages of shorter times. */
export interface Fold {
  readonly account: string;
  readonly level: 'hour' | 'day';
  readonly startMs: number;
  /** Whether its time has ended since the last look; false: lines came late, and an earlier page may exist. */
  readonly isNew: boolean;
  /** A page too large for memory is written in groups of connections; absent before the first group is written. */
  readonly begun?:
    | {
        /** Calls of the pages that it is built from; with another number, all groups are written again. */
        readonly lines: number;
        readonly groups: number;
        /** Items that hold its connections. */
        readonly shards: number;
        /** Groups that are written. */
        readonly done: number;
      }
    | undefined;
}

/** How far the log has been read. */
export interface Progress {
  readonly version: number;
  /** When the count began. */
  readonly sinceMs: number;
  /** Progress of each reading. */
  readonly until: Readonly<Record<Reading, number>>;
  readonly jobs: readonly Job[];
  /** Hours whose lines are counted and not yet compared with Lambda's count. */
  readonly hours: readonly { readonly startMs: number; readonly lines: number }[];
  /** Whether the last compared hour had calls. */
  readonly wasBusy: boolean;
  /** Accounts with calls: when their last window began. */
  readonly accounts: Readonly<Record<string, number>>;
  /** Windows with calls whose day's use of quotas is still to be reported; absent from earlier versions. */
  readonly quotasDue?: readonly { readonly account: string; readonly atMs: number }[];
  /** Slices that a minute's question was last divided into. */
  readonly slices: number;
  /** Pages that are still to be built, hours before the days they are part of; absent from earlier versions. */
  readonly folds?: readonly Fold[];
}

/**
 * Where a count begins: a little before its first tick, because the proxy of a new version may have started before this
 * function; earlier where calls were possible earlier, as on a gateway that was stopped before its first tick.
 *
 * @param callsSinceMs the earliest possible call; undefined where there can have been none
 * @param logSinceMs the log keeps no earlier lines
 */
export function beginning(nowMs: number, callsSinceMs: number | undefined, logSinceMs: number): Progress {
  const firstMs = Math.min(nowMs - LOOK_BACK_MS, callsSinceMs ?? nowMs);
  const fromMs = startOf('minute', Math.max(firstMs, logSinceMs));
  return {
    version: 0,
    sinceMs: nowMs,
    until: {
      first: fromMs,
      again: fromMs,
      nightly: startOf('hour', fromMs),
      // Processes of an earlier version may serve calls for a while without leaving lines.
      begun: startOf('hour', nowMs + LOOK_BACK_MS) + LEVEL_MS.hour,
    },
    jobs: [],
    hours: [],
    wasBusy: false,
    accounts: {},
    slices: 1,
  };
}

const LOOK_BACK_MS = 30 * LEVEL_MS.minute;

/**
 * Until when calls are counted, for readers. Undefined while a new count reads the time before its first tick and has found no call,
 * because nothing is missing there. A count that has not reached its own beginning within half an hour is late.
 */
export function countedUntil({ sinceMs, until, accounts }: Progress, nowMs: number): number | undefined {
  const isBeginning = until.first < sinceMs && nowMs < sinceMs + LOOK_BACK_MS;
  return isBeginning && Object.keys(accounts).length === 0 ? undefined : until.first;
}

/**
 * Until when hours and days have pages of their own, for readers: later times are read from shorter pages. While a page is built again
 * for late lines, readers use the existing one.
 */
export function foldedUntil({ until, folds = [] }: Progress): number {
  const open = folds.filter(({ isNew }) => isNew).map(({ level, startMs }) => startMs + LEVEL_MS[level] - 1);
  return Math.min(until.first, ...open);
}

/**
 * The folds to do, with those that follow from finished windows: of hours and days that have ended since, and of
 * those that contain windows with calls.
 *
 * @param touched starts of windows with calls
 */
export function owedFolds(
  progress: Progress,
  fromMs: number,
  toMs: number,
  touched: ReadonlySet<number>,
): readonly Fold[] {
  const hours = new Set([...touched].map((ms) => startOf('hour', ms)));
  const newHours = new Set<number>();
  for (let ms = startOf('hour', fromMs); ms < startOf('hour', toMs); ms += LEVEL_MS.hour) newHours.add(ms);
  const overHours = [...new Set([...hours, ...newHours])].filter((ms) => ms + LEVEL_MS.hour <= toMs);
  const overDays = [...new Set(overHours.map((ms) => startOf('day', ms)))].filter((ms) => ms + LEVEL_MS.day <= toMs);
  const known = progress.folds ?? [];
  const owed = Object.keys(progress.accounts).flatMap((account): Fold[] => [
    ...overHours.map((startMs): Fold => ({ account, level: 'hour', startMs, isNew: newHours.has(startMs) })),
    ...overDays.map(
      (startMs): Fold => ({
        account,
        level: 'day',
        startMs,
        isNew: startMs + LEVEL_MS.day > startOf('hour', fromMs),
      }),
    ),
  ]);
  const isKnown = (fold: Fold): boolean => known.some((one) => isSameFold(one, fold));
  const all = [...known, ...owed.filter((fold) => !isKnown(fold))];
  return [...all.filter(({ level }) => level === 'hour'), ...all.filter(({ level }) => level === 'day')];
}

function isSameFold(one: Fold, other: Fold): boolean {
  return one.account === other.account && one.level === other.level && one.startMs === other.startMs;
}

/** Whether an hour of a day is still to be built: the day is built after all of its hours. */
export function waitsForHours(day: Fold, folds: readonly Fold[]): boolean {
  return folds.some(
    ({ account, level, startMs }) =>
      level === 'hour' && account === day.account && startOf('day', startMs) === day.startMs,
  );
}

/** Most windows that may wait behind an unreadable one: each takes a hundred bytes of one item. */
const MOST_JOBS = 500;

/** The page that a window is of. */
export function levelOf({ fromMs, toMs }: Pick<Job, 'fromMs' | 'toMs'>): PageLevel {
  return toMs - fromMs === LEVEL_MS.hour ? 'hour' : 'minute';
}

/**
 * Windows that are due and not yet among the jobs, up to the maximum of concurrent queries. Repeated readings come after all earlier
 * queries have started, so that they never delay a first reading.
 */
export function dueJobs(progress: Progress, nowMs: number, room: number): Job[] {
  const due: Job[] = [];
  let left = progress.jobs.length < MOST_JOBS ? room : 0;
  for (const reading of READINGS) {
    if (reading === 'again') left -= unasked(progress.jobs.filter((job) => job.reading !== 'first'));
    const own = progress.jobs.filter((job) => job.reading === reading);
    let fromMs = Math.max(progress.until[reading], ...own.map(({ toMs }) => toMs));
    while (left > 0) {
      const toMs = endOfWindow(reading, fromMs, nowMs);
      if (!isDue(reading, fromMs, toMs, nowMs, progress)) break;
      const slices = reading === 'begun' ? 1 : progress.slices;
      due.push({
        reading,
        fromMs,
        toMs,
        queries: Array.from({ length: slices }, () => null),
        askedAtMs: 0,
        state: 'open',
      });
      left -= slices;
      fromMs = toMs;
    }
  }
  return due;
}

/** Queries of windows that are not started yet. */
export function unasked(jobs: readonly Job[]): number {
  return jobs.flatMap(({ queries }) => queries).filter((query) => query === null).length;
}

/** Queries whose answers are awaited. A query whose answer failed no longer occupies the log. */
export function underWay(jobs: readonly Job[]): number {
  const open = jobs.filter(({ state, failures = 0 }) => state === 'open' && failures === 0);
  return open.flatMap(({ queries }) => queries).filter((query) => query !== null).length;
}

/** The end of a minute, or of the hour that begins with it where the whole hour is due, because its minutes are late anyway. */
function endOfWindow(reading: Reading, fromMs: number, nowMs: number): number {
  const hourEnd = fromMs + LEVEL_MS.hour;
  if (reading === 'nightly' || reading === 'begun') return hourEnd;
  const isHour = startOf('hour', fromMs) === fromMs && nowMs - hourEnd >= waitOf(reading, fromMs, hourEnd);
  return isHour ? hourEnd : fromMs + LEVEL_MS.minute;
}

function isDue(reading: Reading, fromMs: number, toMs: number, nowMs: number, { until }: Progress): boolean {
  // A window that was never read is not read again.
  if ((reading === 'again' || reading === 'nightly') && toMs > until.first) return false;
  return nowMs - toMs >= waitOf(reading, fromMs, toMs);
}

/** How long after its end a window is read. */
function waitOf(reading: Reading, fromMs: number, toMs: number): number {
  switch (reading) {
    case 'first':
      return MINUTE_READ_AFTER_MS;
    case 'again':
      return MINUTE_READ_AGAIN_AFTER_MS;
    case 'begun':
      return HOUR_COMPARED_AFTER_MS;
    case 'nightly':
      return startOf('day', fromMs) + LEVEL_MS.day - toMs + DAY_READ_AGAIN_AFTER_MS;
  }
}

/** The progress after finished windows: each reading continues from the first unfinished one. */
export function advanced(progress: Progress): Progress {
  const until = { ...progress.until };
  let jobs = progress.jobs;
  for (const reading of READINGS) {
    const own = jobs.filter((job) => job.reading === reading).sort((a, b) => a.fromMs - b.fromMs);
    const behind = new Set<Job>();
    for (const job of own) {
      if (job.state !== 'done') break;
      until[reading] = job.toMs;
      behind.add(job);
    }
    jobs = jobs.filter((job) => !behind.has(job));
  }
  return { ...progress, until, jobs };
}

/**
 * Windows that the log refuses while it answers later ones: it is younger than they are. While it refuses all, that is unknown.
 */
export function refusedForGood({ jobs }: Progress): readonly Job[] {
  const latestAnswered = Math.max(0, ...jobs.filter(({ state }) => state === 'done').map(({ fromMs }) => fromMs));
  return jobs.filter(({ state, fromMs }) => state === 'refused' && fromMs < latestAnswered);
}

/**
 * Divides a window whose answer exceeded the log's maximum: an hour into its minutes, a minute into four times as many queries. Empty
 * for a minute that is divided as far as possible.
 */
export function divided(job: Job): readonly Job[] {
  const asked = (fromMs: number, toMs: number, slices: number): Job => ({
    reading: job.reading,
    fromMs,
    toMs,
    queries: Array.from({ length: slices }, () => null),
    askedAtMs: 0,
    state: 'open',
  });
  if (levelOf(job) === 'hour') {
    const minutes = Array.from({ length: 60 }, (_, minute) => job.fromMs + minute * LEVEL_MS.minute);
    return minutes.map((fromMs) => asked(fromMs, fromMs + LEVEL_MS.minute, 1));
  }
  const slices = job.queries.length * 4;
  return slices > CALL_SLICES ? [] : [asked(job.fromMs, job.toMs, slices)];
}
