import { expect, test } from 'vitest';
import type { CallSums } from '../../../lambdas/gateway/calls/page.rules.ts';
import { CALL_QUERY_MAX_ROWS } from '../../../lambdas/gateway/core/contract.ts';
import {
  QUERIES_PER_TICK,
  QUERY_PATIENCE_MS,
  ROLL_UP_RESERVE_MS,
  USAGE_RETENTION_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import { progressStore } from '../../../lambdas/roll-up/progress.store.ts';
import { HOUR, MINUTE, NOON, RollUpWorld } from './support/world.ts';

/** Values of a metric, in order. */
const valuesOf = (world: RollUpWorld, metric: string) =>
  world.counted.filter(({ name }) => name === metric).map(({ value }) => value);

/** What the log answers of a call. */
const ROW: CallSums = {
  account: 'default',
  integration: 'google-drive',
  connection: 'user-1',
  key: '0a1b2c3d4e5f',
  provider: 'google-drive',
  project: undefined,
  class: 'ok',
  calls: 1,
  bytesIn: 0,
  bytesOut: 0,
  totalMs: 0,
  refreshed: 0,
  units: 1,
  lastEndedAtMs: NOON,
};

/** Notes each question for sums: minutes from noon that it is about, number of slices, minute of the question. */
function noteQuestions(world: RollUpWorld) {
  const asked: [of: number, slices: number, at: number][] = [];
  const { askSums } = world.log;
  world.log.askSums = (window, slices, slice) => {
    asked.push([(window.fromMs - NOON) / MINUTE, slices, (world.nowMs - NOON) / MINUTE]);
    return askSums(window, slices, slice);
  };
  return asked;
}

test('a tick says what it asked, took and wrote', async () => {
  const world = new RollUpWorld();
  const first = await world.tick();
  expect(first).toEqual({
    windows: 0,
    lines: 0,
    asked: QUERIES_PER_TICK,
    countedUntil: new Date(NOON - 30 * MINUTE).toISOString(),
    written: true,
  });
  world.nowMs += MINUTE;
  expect(await world.tick()).toEqual({
    windows: QUERIES_PER_TICK,
    lines: 0,
    asked: QUERIES_PER_TICK,
    countedUntil: new Date(NOON - 14 * MINUTE).toISOString(),
    written: false,
  });
  await world.until(NOON + 2 * MINUTE);
  world.log.add(NOON + 1.5 * MINUTE);
  const lines: number[] = [];
  for (let minute = 3; minute <= 5; minute += 1) {
    world.nowMs += MINUTE;
    lines.push((await world.tick()).lines);
  }
  expect(lines.toSorted()).toEqual([0, 0, 1]);
  // Two processes that know the same: one of them writes.
  world.nowMs += MINUTE;
  const both = await Promise.all([world.tick(world.process()), world.tick(world.process())]);
  expect(both.map(({ written }) => written).toSorted()).toEqual([false, true]);
});

test('the age of the count is reported once it is more than ten minutes, and what was before the first tick is none', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 30 * MINUTE);
  expect(valuesOf(world, 'BookAgeSec')).toEqual([]);
  world.log.isBusy = true;
  await world.until(NOON + 45 * MINUTE);
  const { countedUntil } = await world.tick();
  const ages = valuesOf(world, 'BookAgeSec');
  expect(ages.at(-1)).toBe((world.nowMs - Date.parse(countedUntil)) / 1000);
  expect(ages[0]).toBe(660);
});

test('a window that fails is reported and tried again, and stops no other', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 5 * MINUTE);
  world.log.add(NOON + 4.5 * MINUTE);
  world.log.add(NOON + 5.5 * MINUTE);
  const { sums } = world.log;
  let fails = 1;
  world.log.sums = (queryId, take) => (fails-- > 0 ? Promise.reject(new Error('Throttled')) : sums(queryId, take));
  await world.until(NOON + 9 * MINUTE);
  expect(valuesOf(world, 'RollUpFailed')).toEqual([1]);
  expect(await world.calls()).toBe(2);
});

test('nothing is begun in the last ten seconds of a function', async () => {
  const world = new RollUpWorld();
  const rollUp = world.process();
  const asked = noteQuestions(world);
  const late = await rollUp.tick(world.nowMs, world.nowMs + ROLL_UP_RESERVE_MS - 1, 'request');
  expect([late.asked, asked.length, late.written]).toEqual([0, 0, true]);
  world.nowMs += MINUTE;
  expect(await rollUp.tick(world.nowMs, world.nowMs + ROLL_UP_RESERVE_MS, 'request')).toMatchObject({
    asked: QUERIES_PER_TICK,
  });
});

test('a question that runs is asked again after ten minutes, and not before', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 5 * MINUTE);
  const asked = noteQuestions(world);
  world.log.runs = 1_000;
  await world.until(NOON + 30 * MINUTE);
  const minutes = asked.filter(([of]) => of === 4).map(([, , at]) => at);
  expect(minutes.slice(0, 2)).toEqual([7, 7 + QUERY_PATIENCE_MS / MINUTE]);
});

test('a tick has no more than 16 questions under way', async () => {
  const world = new RollUpWorld();
  world.log.runs = 1_000;
  const asked = noteQuestions(world);
  for (let minute = 0; minute < 9; minute += 1) {
    await world.tick();
    world.nowMs += MINUTE;
  }
  expect(asked).toHaveLength(QUERIES_PER_TICK);
});

test('an answer as long as the log gives is divided by four, and the next questions with it until answers are short', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 30 * MINUTE);
  const asked = noteQuestions(world);
  let rows = CALL_QUERY_MAX_ROWS;
  world.log.sums = async (_, take) => {
    take(ROW);
    return { kind: 'done', rows };
  };
  await world.until(NOON + 31 * MINUTE);
  rows = CALL_QUERY_MAX_ROWS / 8;
  await world.until(NOON + 33 * MINUTE);
  expect(new Set(asked.filter(([, , at]) => at === 31).map(([, slices]) => slices))).toEqual(new Set([4]));
  // An eighth is no reason to ask in fewer parts; less than an eighth is.
  expect(asked.filter(([, , at]) => at === 33).map(([, slices]) => slices)).toContain(4);
  expect(asked.filter(([, , at]) => at === 33).map(([, slices]) => slices)).not.toContain(1);
  rows = CALL_QUERY_MAX_ROWS / 8 - 1;
  await world.until(NOON + 36 * MINUTE);
  expect(asked.filter(([, , at]) => at === 36).map(([, slices]) => slices)).toContain(1);
  expect(valuesOf(world, 'RollUpFailed')).toEqual([]);
});

test('a minute with more connections than the log can be asked for is reported as a gap, and the count continues', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 30 * MINUTE);
  const asked = noteQuestions(world);
  const tooLong = NOON + 30 * MINUTE;
  const { sums, askSums } = world.log;
  const ofTooLong = new Set<string>();
  world.log.askSums = async (window, slices, slice) => {
    const answer = await askSums(window, slices, slice);
    if (window.fromMs === tooLong && answer.kind === 'asked') ofTooLong.add(answer.queryId);
    return answer;
  };
  world.log.sums = (queryId, take) =>
    ofTooLong.has(queryId) ? Promise.resolve({ kind: 'done', rows: CALL_QUERY_MAX_ROWS }) : sums(queryId, take);
  world.log.add(NOON + 33.5 * MINUTE);
  await world.until(NOON + 60 * MINUTE);
  const byTick = Map.groupBy(asked, ([, , at]) => at);
  expect(Math.max(...[...byTick.values()].map(({ length }) => length))).toBe(QUERIES_PER_TICK);
  expect(valuesOf(world, 'RollUpFailed').length).toBeGreaterThan(0);
  const { gaps, countedUntilMs } = await world.usage();
  expect(gaps).toEqual([{ fromMs: tooLong, toMs: tooLong + MINUTE }]);
  expect(countedUntilMs).toBeGreaterThan(NOON + 40 * MINUTE);
  expect(await world.calls()).toBe(1);
});

test('a window whose answers cannot be taken keeps no place that later windows need', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 30 * MINUTE);
  const broken = NOON + 30 * MINUTE;
  const { sums, askSums } = world.log;
  const ofBroken = new Set<string>();
  let isCut = true;
  world.log.askSums = async (window, slices, slice) => {
    const answer = await askSums(window, slices, slice);
    if (window.fromMs === broken && answer.kind === 'asked') ofBroken.add(answer.queryId);
    return answer;
  };
  // Cut until it is asked for in 64 parts; then each answer fails.
  world.log.sums = async (queryId, take) => {
    if (!ofBroken.has(queryId)) return sums(queryId, take);
    if (isCut && ofBroken.size < 1 + 4 + 16 + 64) return { kind: 'done', rows: CALL_QUERY_MAX_ROWS };
    isCut = false;
    throw new Error('Throttled');
  };
  await world.until(NOON + 60 * MINUTE);
  world.log.add(NOON + 60.5 * MINUTE);
  await world.until(NOON + 80 * MINUTE);
  expect(isCut).toBe(false);
  expect(await world.calls()).toBe(1);
});

test('windows from before the log was made keep none waiting that it answers, and are passed over', async () => {
  for (const minute of [-29, -20, -3, 1]) {
    const world = new RollUpWorld();
    const { askSums } = world.log;
    world.log.askSums = (window, slices, slice) =>
      window.fromMs < NOON + minute * MINUTE ? Promise.resolve({ kind: 'refused' }) : askSums(window, slices, slice);
    await world.tick();
    for (const at of [1.5, 2.5, 3.5]) world.log.add(NOON + at * MINUTE);
    await world.until(NOON + 7 * MINUTE);
    expect(await world.calls(), `a log of minute ${minute}`).toBe(3);
    await world.until(NOON + 20 * MINUTE);
    const { gaps, countedUntilMs = 0 } = await world.usage();
    expect(world.nowMs - countedUntilMs).toBeLessThan(12 * MINUTE);
    // Before the first tick there was nothing to miss.
    expect(gaps.map(({ fromMs }) => (fromMs - NOON) / MINUTE)).toEqual(minute > 0 ? [0] : []);
  }
});

test('a window that was read and is refused when it is read again leaves no gap', async () => {
  const world = new RollUpWorld();
  const { askSums } = world.log;
  world.log.askSums = (window, slices, slice) =>
    window.fromMs === NOON + 2 * MINUTE && world.nowMs - window.toMs >= 15 * MINUTE
      ? Promise.resolve({ kind: 'refused' })
      : askSums(window, slices, slice);
  world.log.add(NOON + 2.5 * MINUTE);
  await world.until(NOON + 45 * MINUTE);
  expect(await world.calls()).toBe(1);
  expect((await world.usage()).gaps).toEqual([]);
});

test('the number of calls that began is waited for, and asked for again where its answer is lost (BK-23)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  const { askBegun, begun } = world.log;
  const asked: number[] = [];
  world.log.askBegun = (window) => {
    asked.push((world.nowMs - NOON) / MINUTE);
    return askBegun(window);
  };
  const answers = ['running', 'running', 'lost'] as const;
  let at = 0;
  world.log.begun = async (queryId, take) => {
    const kind = answers[at++];
    return kind === undefined ? begun(queryId, take) : { kind };
  };
  world.log.add(NOON + HOUR + 1000);
  world.invocations.set(NOON + HOUR, 5);
  await world.until(NOON + 2.5 * HOUR);
  // Asked at twenty minutes past, heard of three times, and asked again in the tick that heard it was lost.
  expect(asked).toEqual([140, 143]);
  expect((await world.usage()).missing).toBe(4);
  expect(valuesOf(world, 'RollUpFailed')).toEqual([]);
});

test('the last use of a key is its latest, and is forgotten with the usage of its day (BK-25)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  const nowSec = NOON / 1000;
  const progress = progressStore(world.memory.table);
  // The day is over, and its keys are noted, within the first hour of the next.
  const [gone, kept] = [nowSec + 12 * 3600 - USAGE_RETENTION_SEC, nowSec + 13 * 3600 - USAGE_RETENTION_SEC];
  await progress.writeLastUses(
    'default',
    new Map([
      ['later', nowSec + 86_400],
      ['earlier', 5],
      ['gone', gone],
      ['kept', kept],
    ]),
  );
  world.log.add(NOON + 10_000, { key: 'later' });
  world.log.add(NOON + 20_000, { key: 'earlier' });
  await world.until(NOON + 16 * HOUR);
  expect(await progress.lastUses('default')).toEqual(
    new Map([
      ['later', nowSec + 86_400],
      ['earlier', nowSec + 20],
      ['kept', kept],
    ]),
  );
});

test('hours without calls are compared with those of a day, and one after calls with the next (BK-28)', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 2.5 * HOUR);
  expect(world.memory.ofType('book_hours')).toEqual([]);
  world.log.add(world.nowMs + 1000);
  await world.until(NOON + 3.5 * HOUR);
  const hours = () => world.memory.ofType('book_hours').flatMap((item) => Object.keys(Object(item.hours)));
  expect(hours()).toEqual(['13', '14']);
  await world.until(NOON + 4.5 * HOUR);
  // The hour after calls may have lost lines of its own.
  expect(hours()).toEqual(['13', '14', '15']);
  await world.until(NOON + 6.5 * HOUR);
  expect(hours()).toEqual(['13', '14', '15']);
});

test('a new gateway misses no calls: until the count has come to where it began, it says nothing of how far it is', async () => {
  const world = new RollUpWorld();
  await world.tick();
  expect((await world.usage()).countedUntilMs).toBeUndefined();
  await world.until(NOON + 5 * MINUTE);
  expect((await world.usage()).countedUntilMs).toBeGreaterThanOrEqual(NOON);
});

test('a count that does not come to where it began within half an hour says how far it is', async () => {
  const world = new RollUpWorld();
  world.log.isBusy = true;
  await world.until(NOON + 20 * MINUTE);
  expect((await world.usage()).countedUntilMs).toBeUndefined();
  await world.until(NOON + 50 * MINUTE);
  expect((await world.usage()).countedUntilMs).toBeLessThan(NOON);
});
