import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_SLICES } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import {
  DAY_READ_AGAIN_AFTER_MS,
  HOUR_COMPARED_AFTER_MS,
  MINUTE_READ_AFTER_MS,
  MINUTE_READ_AGAIN_AFTER_MS,
  QUERIES_PER_TICK,
} from '../../../lambdas/gateway/core/limits.ts';
import {
  advanced,
  beginning,
  divided,
  dueJobs,
  type Job,
  levelOf,
  type Progress,
  READINGS,
  type Reading,
  refusedForGood,
} from '../../../lambdas/roll-up/windows.rules.ts';
import { HOUR, MINUTE, NOON } from './support/world.ts';

const DAY = 24 * HOUR;
const FAR = NOON + 365 * DAY;

/** Progress in which nothing is due but what is changed. */
function progress(until: Partial<Progress['until']>, changes: Partial<Progress> = {}): Progress {
  return {
    ...{ version: 3, sinceMs: NOON - DAY, jobs: [], hours: [], wasBusy: false, accounts: {}, slices: 1, ...changes },
    until: { first: FAR, again: FAR, nightly: FAR, begun: FAR, ...until },
  };
}

function job(fromMs: number, changes: Partial<Job> = {}): Job {
  return { reading: 'first', fromMs, toMs: fromMs + MINUTE, queries: [null], askedAtMs: 0, state: 'open', ...changes };
}

/** Windows that are due, as minutes from noon. */
const due = (of: Progress, nowMs: number, room = QUERIES_PER_TICK) =>
  dueJobs(of, nowMs, room).map(({ reading, fromMs, toMs }) => [
    reading,
    (fromMs - NOON) / MINUTE,
    (toMs - NOON) / MINUTE,
  ]);

describe('a count that begins', () => {
  it('reads the half hour before it, whole minutes and hours, and compares no hour that an earlier version served', () => {
    const nowMs = NOON + 10 * MINUTE + 30_500;
    expect(beginning(nowMs, undefined, 0)).toEqual({
      version: 0,
      sinceMs: nowMs,
      until: {
        first: NOON - 20 * MINUTE,
        again: NOON - 20 * MINUTE,
        nightly: NOON - HOUR,
        begun: NOON + HOUR,
      },
      jobs: [],
      hours: [],
      wasBusy: false,
      accounts: {},
      slices: 1,
    });
    // Half an hour on, calls of an earlier version may still end.
    expect(beginning(NOON + 30 * MINUTE, undefined, 0).until.begun).toBe(NOON + 2 * HOUR);
  });
});

describe('a window is due (BK-23)', () => {
  it.each<[Reading, number, number]>([
    ['first', MINUTE, MINUTE_READ_AFTER_MS],
    ['again', MINUTE, MINUTE_READ_AGAIN_AFTER_MS],
    ['begun', HOUR, HOUR_COMPARED_AFTER_MS],
  ])('as %s once it has been over for as long as that takes, and not a millisecond before', (reading, length, wait) => {
    const from = NOON + HOUR;
    const of = progress({ [reading]: from });
    const at = from + length + wait;
    expect(due(of, at - 1)).toEqual([]);
    expect(due(of, at)).toEqual([[reading, 60, 60 + length / MINUTE]]);
  });

  it('three hours after the end of a day, all its hours are due at once', () => {
    const midnight = NOON + 12 * HOUR;
    const of = progress({ nightly: midnight - 2 * HOUR });
    expect(due(of, midnight + DAY_READ_AGAIN_AFTER_MS - 1)).toEqual([]);
    expect(due(of, midnight + DAY_READ_AGAIN_AFTER_MS)).toEqual([
      ['nightly', 600, 660],
      ['nightly', 660, 720],
    ]);
  });

  it.each<[Reading, number, number]>([
    ['again', NOON + MINUTE, NOON + 2 * MINUTE],
    ['nightly', NOON, NOON + HOUR],
  ])('as %s only where it was read for the first time', (reading, from, to) => {
    const readTo = (first: number) => dueJobs(progress({ [reading]: from, first }), NOON + 2 * DAY, 1_000);
    const windows = (first: number) => readTo(first).filter((one) => one.reading === reading);
    expect(windows(to - 1)).toEqual([]);
    expect(windows(to).map(({ toMs }) => toMs)).toEqual([to]);
  });

  it('a window is a whole hour if all of it is due, and minutes if only a part is due or has begun', () => {
    const at = NOON + HOUR + MINUTE_READ_AFTER_MS;
    expect(due(progress({ first: NOON }), at)).toEqual([['first', 0, 60]]);
    expect(due(progress({ first: NOON }), at - 1)[0]).toEqual(['first', 0, 1]);
    expect(due(progress({ first: NOON + MINUTE }), at + HOUR)[0]).toEqual(['first', 1, 2]);
    expect(due(progress({ again: NOON }), NOON + HOUR + MINUTE_READ_AGAIN_AFTER_MS)).toEqual([['again', 0, 60]]);
    expect(due(progress({ begun: NOON }), NOON + HOUR + HOUR_COMPARED_AFTER_MS)).toEqual([['begun', 0, 60]]);
  });

  it('a window is due after the jobs that exist already, and each job reads for itself', () => {
    const jobs = [job(NOON), job(NOON + 4 * MINUTE), job(NOON + 9 * MINUTE, { reading: 'again' })];
    expect(due(progress({ first: NOON }, { jobs }), NOON + 6 * MINUTE + MINUTE_READ_AFTER_MS)).toEqual([
      ['first', 5, 6],
    ]);
    expect(due(progress({ first: NOON + 5 * MINUTE }, { jobs }), NOON + 6 * MINUTE + MINUTE_READ_AFTER_MS)).toEqual([
      ['first', 5, 6],
    ]);
  });
});

describe('windows that are due', () => {
  it('windows that are due wait where there is no room for their questions', () => {
    const nowMs = NOON + 10 * MINUTE + MINUTE_READ_AFTER_MS;
    const of = progress({ first: NOON });
    expect(due(of, nowMs, 0)).toEqual([]);
    expect(due(of, nowMs, -1)).toEqual([]);
    expect(due(of, nowMs, 3)).toHaveLength(3);
    expect(due(of, nowMs, 100)).toHaveLength(10);
    // Two minutes have eight questions: the one that begins within the room is asked as a whole.
    expect(due({ ...of, slices: 4 }, nowMs, 5)).toHaveLength(2);
    expect(due({ ...of, slices: 4 }, nowMs, 8)).toHaveLength(2);
  });

  it('windows that are due are as many questions as the last ones were divided into; calls that began are counted by one', () => {
    const of = progress({ first: NOON, begun: NOON }, { slices: 4 });
    const jobs = dueJobs(of, NOON + 2 * HOUR, 12);
    expect(jobs.map(({ reading, queries }) => [reading, queries.length])).toEqual([
      ['first', 4],
      ...Array.from({ length: 2 }, () => ['first', 4]),
    ]);
    const [begun] = dueJobs({ ...of, until: { ...of.until, first: FAR } }, NOON + 2 * HOUR, 12);
    expect(begun).toEqual({
      reading: 'begun',
      fromMs: NOON,
      toMs: NOON + HOUR,
      queries: [null],
      askedAtMs: 0,
      state: 'open',
    });
  });

  it('windows that are due join no more than 500 that wait', () => {
    const waiting = (count: number) => Array.from({ length: count }, () => job(NOON, { state: 'refused' }));
    const nowMs = NOON + 10 * MINUTE;
    expect(due(progress({ first: NOON }, { jobs: waiting(499) }), nowMs)).not.toEqual([]);
    expect(due(progress({ first: NOON }, { jobs: waiting(500) }), nowMs)).toEqual([]);
  });
});

describe('a reading continues', () => {
  it('a reading continues from the first window that is not done, whatever is done after it', () => {
    const jobs = [
      job(NOON + 2 * MINUTE, { state: 'done' }),
      job(NOON + MINUTE),
      job(NOON, { state: 'done' }),
      job(NOON, { state: 'done', reading: 'again' }),
      job(NOON + MINUTE, { state: 'done', reading: 'again' }),
    ];
    const after = advanced(progress({ first: NOON, again: NOON }, { jobs }));
    expect(after.until).toEqual({ first: NOON + MINUTE, again: NOON + 2 * MINUTE, nightly: FAR, begun: FAR });
    expect(after.jobs).toEqual(jobs.slice(0, 2));
  });

  it('once each window however they end, and leaves none out', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), fc.nat(), (ends, seed) => {
        const jobs = ends.map((isDone, at) => job(NOON + at * MINUTE, { state: isDone ? 'done' : 'open' }));
        const mixed = [...jobs.slice(seed % jobs.length), ...jobs.slice(0, seed % jobs.length)];
        const after = advanced(progress({ first: NOON }, { jobs: mixed }));
        const behind = ends.includes(false) ? ends.indexOf(false) : ends.length;
        expect(after.until.first).toBe(NOON + behind * MINUTE);
        expect(after.jobs.map(({ fromMs }) => fromMs).sort()).toEqual(jobs.slice(behind).map(({ fromMs }) => fromMs));
      }),
    );
  });
});

it('a window is given up once the log refuses it and has answered about a later one', () => {
  const refused = [0, 2, 4].map((minute) => job(NOON + minute * MINUTE, { state: 'refused' }));
  const open = job(NOON + MINUTE);
  expect(refusedForGood(progress({}, { jobs: [...refused, open] }))).toEqual([]);
  const done = [job(NOON + MINUTE, { state: 'done' }), job(NOON + 2 * MINUTE, { state: 'done', reading: 'again' })];
  expect(refusedForGood(progress({}, { jobs: [...refused, open, ...done] }))).toEqual(refused.slice(0, 1));
});

it('asks for a minute whose answer is too long by four times as many questions, 64 at most', () => {
  const asked = job(NOON, { queries: ['query-1'] });
  expect(divided(asked)).toEqual([{ ...asked, queries: [null, null, null, null] }]);
  const [most] = divided(job(NOON, { queries: Array.from({ length: CALL_SLICES / 4 }, () => 'q') }));
  expect(most?.queries).toHaveLength(CALL_SLICES);
  expect(divided(job(NOON, { queries: Array.from({ length: CALL_SLICES }, () => 'q') }))).toEqual([]);
});

it('asks for an hour whose answer is too long minute by minute', () => {
  const minutes = divided(job(NOON, { toMs: NOON + HOUR, queries: ['query-1'], reading: 'nightly' }));
  expect(minutes.map(({ fromMs, toMs }) => [fromMs - NOON, toMs - fromMs])).toEqual(
    Array.from({ length: 60 }, (_, minute) => [minute * MINUTE, MINUTE]),
  );
  expect(new Set(minutes.map(({ reading, queries }) => `${reading} ${queries.length}`))).toEqual(
    new Set(['nightly 1']),
  );
});

it('reads no window again while questions of earlier ones wait, and still reads new minutes', () => {
  const waiting = Array.from({ length: 60 }, (_, minute) =>
    job(NOON - 24 * HOUR + minute * MINUTE, { reading: 'nightly', queries: [null] }),
  );
  const due = dueJobs(progress({ first: NOON, again: NOON - HOUR }, { jobs: waiting }), NOON + 4 * MINUTE, 16);
  expect(new Set(due.map(({ reading }) => reading))).toEqual(new Set(['first']));
  expect(due.length).toBeGreaterThan(0);
});

it('a window of an hour makes the page of an hour, any other that of a minute', () => {
  expect(levelOf({ fromMs: NOON, toMs: NOON + HOUR })).toBe('hour');
  expect(levelOf({ fromMs: NOON, toMs: NOON + MINUTE })).toBe('minute');
  expect(READINGS).toEqual(['first', 'again', 'nightly', 'begun']);
});
