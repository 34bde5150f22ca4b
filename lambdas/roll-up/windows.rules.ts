/**
 * Which windows of the log are read when. Every minute is read a minute and a half after its end and once more at a quarter of an
 * hour, every day once more at night; where ticks were missing for long, whole hours are read in place of their minutes (BK-23).
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

/** Windows that may wait for one that cannot be read: each takes a hundred bytes of one item. */
const MOST_JOBS = 500;

/** The page that a window is of. */
export function levelOf({ fromMs, toMs }: Pick<Job, 'fromMs' | 'toMs'>): PageLevel {
  return toMs - fromMs === LEVEL_MS.hour ? 'hour' : 'minute';
}

/** Windows that are due now and not yet among the jobs, until their questions are as many as there is room for. */
export function dueJobs(progress: Progress, nowMs: number, room: number): Job[] {
  const due: Job[] = [];
  let left = progress.jobs.length < MOST_JOBS ? room : 0;
  for (const reading of READINGS) {
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

/** The progress once windows that are done are behind: each reading goes on from the first that is not. */
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

/** A job whose answer was longer than the log gives, asked again by four times as many questions; undefined at the most there are. */
export function divided(job: Job): Job | undefined {
  const slices = job.queries.length * 4;
  return slices > CALL_SLICES ? undefined : { ...job, queries: Array.from({ length: slices }, () => null) };
}
