/**
 * Which windows of the log are read when. Every minute is read a minute and a half after its end and once more at a quarter of an
 * hour, every day once more at night; where ticks were missing for long, whole hours are read instead of their minutes (BK-23).
 */

import { CALL_SLICES } from '../gateway/calls/call-line.rules.ts';
import { LEVEL_MS, type PageLevel, startOf } from '../gateway/calls/page.rules.ts';
import {
  DAY_READ_AGAIN_AFTER_MS,
  HOUR_COMPARED_AFTER_MS,
  MINUTE_READ_AFTER_MS,
  MINUTE_READ_AGAIN_AFTER_MS,
} from '../gateway/core/limits.ts';

/** Why a window is read: for the first time, again at a quarter of an hour, again at night, or for the number of calls begun. */
export const READINGS = ['first', 'again', 'nightly', 'begun'] as const;
export type Reading = (typeof READINGS)[number];

/** A window that is being read. */
export interface Job {
  readonly reading: Reading;
  readonly fromMs: number;
  readonly toMs: number;
  /** Questions it is asked by, one for each slice of connections; null: not asked yet. */
  readonly queries: readonly (string | null)[];
  readonly askedAtMs: number;
  readonly state: 'open' | 'refused' | 'done';
  /** How often its answers could not be taken; absent: never. */
  readonly failures?: number;
}

/** The page of an hour or a day that has to be made of the pages of shorter times. */
export interface Fold {
  readonly account: string;
  readonly level: 'hour' | 'day';
  readonly startMs: number;
  /** Whether its time is over since the last look; false: lines came late, and an earlier page may be there. */
  readonly isNew: boolean;
  /** A page too large for memory is written in groups of connections; absent before the first group is written. */
  readonly begun?:
    | {
        /** Calls of the pages it is made of; with another number, all groups are written again. */
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
  /** Until where windows have been read, of each reading. */
  readonly until: Readonly<Record<Reading, number>>;
  readonly jobs: readonly Job[];
  /** Hours whose lines are counted and not yet compared with Lambda's count. */
  readonly hours: readonly { readonly startMs: number; readonly lines: number }[];
  /** Whether the last compared hour had calls. */
  readonly wasBusy: boolean;
  /** Accounts with calls: when their last window began. */
  readonly accounts: Readonly<Record<string, number>>;
  /** Windows with calls after which nobody has looked yet how full the day is; absent from earlier versions. */
  readonly quotasDue?: readonly { readonly account: string; readonly atMs: number }[];
  /** Slices that a minute's question was last divided into. */
  readonly slices: number;
  /** Pages that are still to be made, hours before the days they are part of; absent from earlier versions. */
  readonly folds?: readonly Fold[];
}

/**
 * Where a count begins: a little before its first tick, because the proxy of a new version may have been there sooner than this
 * function; earlier where calls were possible earlier, as on a gateway that was stopped before its first tick.
 *
 * @param callsSinceMs no call was made before this; undefined where none can have been made
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
      // Processes of an earlier version may serve calls for a while, and leave no lines.
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
 * Until where calls are counted, as readers are told; undefined while a new count reads what was before its first tick and has found
 * no call: none is missed there. A count that has not come as far as its own beginning within half an hour is late.
 */
export function countedUntil({ sinceMs, until, accounts }: Progress, nowMs: number): number | undefined {
  const isBeginning = until.first < sinceMs && nowMs < sinceMs + LOOK_BACK_MS;
  return isBeginning && Object.keys(accounts).length === 0 ? undefined : until.first;
}

/**
 * Until where hours and days have pages of their own, as readers need it: later times are read from shorter ones. A page that is
 * made again for late lines keeps nobody from reading the one that is there.
 */
export function foldedUntil({ until, folds = [] }: Progress): number {
  const open = folds.filter(({ isNew }) => isNew).map(({ level, startMs }) => startMs + LEVEL_MS[level] - 1);
  return Math.min(until.first, ...open);
}

/**
 * The folds that are to be made, with those that follow from windows that are done now: of hours and days that are over since, and of
 * those that windows with calls are part of.
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

/** Whether an hour of a day is still to be made: the day is made after all of its hours. */
export function waitsForHours(day: Fold, folds: readonly Fold[]): boolean {
  return folds.some(
    ({ account, level, startMs }) =>
      level === 'hour' && account === day.account && startOf('day', startMs) === day.startMs,
  );
}

/** Windows that may wait for one that cannot be read: each takes a hundred bytes of one item. */
const MOST_JOBS = 500;

/** The page that a window is of. */
export function levelOf({ fromMs, toMs }: Pick<Job, 'fromMs' | 'toMs'>): PageLevel {
  return toMs - fromMs === LEVEL_MS.hour ? 'hour' : 'minute';
}

/**
 * Windows that are due now and not yet among the jobs, until their questions are as many as there is room for. Windows that are read
 * again come once the questions of earlier ones are asked: no window waits for them that has never been read.
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

/** Questions of windows that are not asked yet. */
export function unasked(jobs: readonly Job[]): number {
  return jobs.flatMap(({ queries }) => queries).filter((query) => query === null).length;
}

/** Questions whose answers are waited for. One whose answers could not be taken keeps no place in the log. */
export function underWay(jobs: readonly Job[]): number {
  const open = jobs.filter(({ state, failures = 0 }) => state === 'open' && failures === 0);
  return open.flatMap(({ queries }) => queries).filter((query) => query !== null).length;
}

/** A minute, or the hour that begins with it where all of it is due: nobody waits for its minutes any more. */
function endOfWindow(reading: Reading, fromMs: number, nowMs: number): number {
  const hourEnd = fromMs + LEVEL_MS.hour;
  if (reading === 'nightly' || reading === 'begun') return hourEnd;
  const isHour = startOf('hour', fromMs) === fromMs && nowMs - hourEnd >= waitOf(reading, fromMs, hourEnd);
  return isHour ? hourEnd : fromMs + LEVEL_MS.minute;
}

function isDue(reading: Reading, fromMs: number, toMs: number, nowMs: number, { until }: Progress): boolean {
  // What has never been read is not read again.
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

/** The progress once windows that are done are behind: each reading continues from the first that is not. */
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
 * Windows that the log refuses to be asked about, while it answers about later ones: it is younger than they are. As long as it
 * refuses all, nobody knows.
 */
export function refusedForGood({ jobs }: Progress): readonly Job[] {
  const latestAnswered = Math.max(0, ...jobs.filter(({ state }) => state === 'done').map(({ fromMs }) => fromMs));
  return jobs.filter(({ state, fromMs }) => state === 'refused' && fromMs < latestAnswered);
}

/**
 * A window whose answer was longer than the log gives: an hour as its minutes, a minute by four times as many questions. Empty for a
 * minute that is asked about in as many parts as there are.
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
