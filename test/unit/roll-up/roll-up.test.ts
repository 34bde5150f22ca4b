import { expect, test } from 'vitest';
import { type Page, PageFold } from '../../../lambdas/gateway/calls/page.rules.ts';
import { pageStore } from '../../../lambdas/gateway/calls/page.store.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { HOUR, MINUTE, NOON, RollUpWorld } from './support/world.ts';

const NEXT_DAY = '2026-03-02';

test('a call is on a page within five minutes of its end, whenever in its minute it ends (BK-20)', async () => {
  for (const second of [0, 30, 59]) {
    const world = new RollUpWorld();
    await world.until(NOON + 5 * MINUTE);
    const endedAtMs = world.nowMs + second * 1000;
    world.log.add(endedAtMs);
    await world.until(endedAtMs + 5 * MINUTE - MINUTE);
    expect(await world.calls(), `second ${second}`).toBe(1);
  }
});

test('bursts and the silence after them are counted, and hours and days add up to the same (BK-20)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  for (const burst of [0, 1, 2]) {
    for (let call = 0; call < 10; call += 1) world.log.add(NOON + burst * 20 * MINUTE + call * 1000);
  }
  await world.until(NOON + 50 * MINUTE);
  expect(await world.calls()).toBe(30);
  await world.until(NOON + 2 * HOUR);
  expect(await world.calls()).toBe(30);
  await world.until(NOON + 13 * HOUR);
  expect(await world.calls()).toBe(30);
  await world.until(NOON + 16 * HOUR);
  expect(await world.calls()).toBe(30);
  const { rows } = await world.usage({ by: 'key' });
  expect(rows.map(({ counts }) => counts.calls)).toEqual([30]);
});

test('a line that comes ten minutes late is found at a quarter of an hour, and one of two hours at night (BK-23)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  world.log.add(NOON + 1000);
  world.log.add(NOON + 2000, {}, 10 * MINUTE);
  world.log.add(NOON + 3000, {}, 2 * HOUR);
  await world.until(NOON + 5 * MINUTE);
  expect(await world.calls()).toBe(1);
  await world.until(NOON + 19 * MINUTE);
  expect(await world.calls()).toBe(2);
  await world.until(NOON + 14 * HOUR);
  expect(await world.calls()).toBe(2);
  await world.until(NOON + 16 * HOUR);
  expect(await world.calls()).toBe(3);
  expect(world.counted.filter(({ name }) => name === 'LateCalls').reduce((sum, { value }) => sum + value, 0)).toBe(2);
});

test('after three hours without a tick all is there within 15, also across midnight (BK-23)', async () => {
  for (const start of [NOON, NOON + 10.5 * HOUR]) {
    const world = new RollUpWorld();
    world.nowMs = start;
    await world.tick();
    await world.until(start + 40 * MINUTE);
    for (let minute = 0; minute < 180; minute += 1) world.log.add(world.nowMs + minute * MINUTE);
    world.nowMs += 3 * HOUR;
    let ticks = 0;
    const all = async () => (await world.calls()) + (await world.calls(NEXT_DAY));
    for (; ticks < 15 && (await all()) < 180; ticks += 1) await world.until(world.nowMs + MINUTE);
    expect(await all()).toBe(180);
    expect(ticks).toBeLessThan(15);
    expect(world.counted.map(({ name }) => name)).toContain('BookAgeSec');
    await world.until(world.nowMs + 30 * MINUTE);
    expect(await all()).toBe(180);
  }
});

test('calls of a gateway that was stopped before its first tick are counted when it is back, as far as the log has them (BK-20)', async () => {
  for (const days of [1, 6, 30]) {
    const world = new RollUpWorld();
    const key = dataKeyItemKey({ accountId: 'default', purpose: 'tokens' }, 1);
    world.memory.put({ ...key, type: 'data_key', createdAt: new Date(NOON).toISOString() });
    for (let call = 0; call < 10; call += 1) world.log.add(NOON + 10_000 + call * 1000);
    world.nowMs = NOON + days * 24 * HOUR;
    await world.until(world.nowMs + HOUR);
    expect(await world.calls(), `${days} days`).toBe(days < 7 ? 10 : 0);
  }
});

test('an outage longer than the log keeps its lines leaves a time that is reported as incomplete', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 10 * MINUTE);
  world.nowMs = NOON + 9 * 24 * HOUR;
  await world.until(world.nowMs + 20 * MINUTE);
  const { gaps, countedUntilMs = 0 } = await world.usage({ by: 'integration' }, ['2026-03-01', '2026-03-02']);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]?.fromMs).toBeLessThan(NOON + 10 * MINUTE);
  expect(gaps[0]?.toMs).toBeGreaterThan(NOON + 2 * 24 * HOUR);
  expect(world.nowMs - countedUntilMs).toBeLessThan(2 * 24 * HOUR);
});

test('two ticks at once, a window run ten times and a restart in between leave the same sums (BK-22)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  for (let call = 0; call < 50; call += 1) world.log.add(NOON + call * 1000, { connection: `user-${call % 7}` });
  const others = [world.process(), world.process()];
  for (let minute = 0; minute < 90; minute += 1) {
    world.nowMs += MINUTE;
    await Promise.all([world.tick(), ...others.map((one) => world.tick(one))]);
  }
  expect(await world.calls()).toBe(50);
  // From the beginning, ten times: the note of all progress is gone.
  for (let time = 0; time < 10; time += 1) {
    for (const item of world.memory.ofType('book_cursor')) world.memory.delete(item);
    world.nowMs = NOON + 20 * MINUTE;
    const fresh = world.process();
    for (let minute = 0; minute < 5; minute += 1) {
      world.nowMs += MINUTE;
      await world.tick(fresh);
    }
    expect(await world.calls()).toBe(50);
  }
});

test('a process that dies at any write leaves sums that the next one completes (BK-22)', async () => {
  const dies = async (at: number): Promise<boolean> => {
    const world = new RollUpWorld();
    await world.tick();
    for (let call = 0; call < 40; call += 1)
      world.log.add(NOON + 58 * MINUTE + call * 5000, { connection: `u-${call}` });
    await world.until(NOON + 59 * MINUTE);
    let writes = 0;
    let isDead = false;
    const dying = world.process(
      world.memory.through(async (call, key) => {
        if (isDead) throw new Error('The process is gone');
        const answer = await call();
        // What was written stays written; the process gets no response.
        if (/^(PAGE|BOOK)/.test(String(key.pk))) writes += 1;
        if (writes === at) isDead = true;
        if (isDead) throw new Error('The process is gone');
        return answer;
      }),
    );
    for (let minute = 0; minute < 8; minute += 1) {
      world.nowMs += MINUTE;
      await world.tick(isDead ? undefined : dying).catch(() => {});
    }
    await world.until(NOON + 90 * MINUTE);
    expect(await world.calls(), `died at call ${at}`).toBe(40);
    const { rows } = await world.usage({ by: 'connection', integrationId: 'google-drive', connectionId: undefined });
    expect(rows).toHaveLength(40);
    return isDead;
  };
  let at = 1;
  while (await dies(at)) at += 1;
  expect(at).toBeGreaterThan(10);
});

test('while pages of hours cannot be written, calls are read from their minutes (BK-22)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  for (let call = 0; call < 40; call += 1) world.log.add(NOON + 55 * MINUTE + call * 12_000);
  await world.until(NOON + 56 * MINUTE);
  let fails = true;
  const held = world.process(
    world.memory.through((call, key) => {
      if (fails && String(key.pk).includes('#hour#')) throw new Error('Throttled');
      return call();
    }),
  );
  const ticks = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      world.nowMs += MINUTE;
      await world.tick(held);
    }
  };
  await ticks(12);
  expect(world.counted.map(({ name }) => name)).toContain('RollUpFailed');
  expect((await world.usage()).countedUntilMs).toBeGreaterThan(NOON + HOUR);
  expect(await world.calls()).toBe(40);
  const hours = () => world.memory.ofType('usage_page').filter(({ pk }) => String(pk).includes('#hour#'));
  expect(hours()).toEqual([]);
  fails = false;
  await ticks(2);
  expect(hours()).not.toEqual([]);
  expect(await world.calls()).toBe(40);
});

test('a page is replaced by none of fewer lines, also where another tick writes between its read and its write (BK-22)', async () => {
  const world = new RollUpWorld();
  const pages = pageStore(world.memory.table, async () => {});
  const time = { level: 'minute', startMs: NOON } as const;
  const pageOf = (calls: number): Page => {
    const sums = { integration: 'google-drive', connection: 'user-1', key: '0a1b2c3d4e5f', provider: 'google-drive' };
    const counts = { bytesIn: 0, bytesOut: 0, totalMs: 0, refreshed: 0, units: calls, lastEndedAtMs: NOON };
    const fold = new PageFold();
    fold.addSums({ account: 'default', ...sums, project: undefined, class: 'ok', calls, ...counts });
    return fold.page();
  };
  const lines = async () => (await pages.heads('default', 'minute', NOON, NOON + MINUTE))[0]?.lines;
  await pages.write('default', time, pageOf(6));
  await pages.write('default', time, pageOf(4));
  expect(await lines()).toBe(6);
  const other = new RollUpWorld();
  await pageStore(other.memory.table, async () => {}).write('default', time, pageOf(9));
  world.memory.beforeWrite = () => {
    for (const item of other.memory.ofType('usage_page')) world.memory.put(item);
  };
  expect(await pages.write('default', time, pageOf(8))).toBe(9);
  expect(await lines()).toBe(9);
});

test('25,000 pairs of key and connection in a minute are counted exactly (BK-24)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  for (let pair = 0; pair < 25_000; pair += 1) {
    world.log.add(NOON + (pair % 60) * 1000, { connection: `user-${pair % 12_500}`, key: `key-${pair < 12_500}` });
  }
  await world.until(NOON + 8 * MINUTE);
  expect(await world.calls()).toBe(25_000);
  const { rows } = await world.usage({ by: 'connection', integrationId: 'google-drive', connectionId: 'user-77' });
  expect(rows.map(({ counts }) => counts.calls)).toEqual([2]);
  const items = [...world.memory.items.values()].filter(({ type }) => type === 'usage_page');
  expect(Math.max(...items.map((item) => JSON.stringify(item).length))).toBeLessThan(50_000);
  // Slower than 500 units a second, and not so slow that minutes pile up.
  const units = items.reduce((sum, item) => sum + Math.ceil(JSON.stringify(item).length / 1024), 0);
  expect(units / (world.waitedMs / 1000)).toBeLessThan(500);
  expect(world.waitedMs).toBeLessThan(20_000);
});

test('a throttled log, answers that take long and answers that are lost delay the count and change nothing', async () => {
  const world = new RollUpWorld();
  await world.tick();
  for (let call = 0; call < 20; call += 1) world.log.add(NOON + call * 1000);
  world.log.isBusy = true;
  await world.until(NOON + 5 * MINUTE);
  expect(await world.calls()).toBe(0);
  world.log.isBusy = false;
  world.log.runs = 2;
  await world.until(NOON + 8 * MINUTE);
  world.log.forget();
  world.log.runs = 0;
  await world.until(NOON + 12 * MINUTE);
  expect(await world.calls()).toBe(20);
});

test('lines are compared with Lambda’s own count hour by hour, and one in 500 that is missing rings (BK-23)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  const [good, bad] = [NOON + HOUR, NOON + 2 * HOUR];
  for (const hour of [good, bad]) for (let call = 0; call < 1000; call += 1) world.log.add(hour + 1000 + call * 3000);
  world.invocations.set(good, 1001);
  world.invocations.set(bad, 1003);
  await world.until(NOON + 3.5 * HOUR);
  const { missing } = await world.usage();
  expect(missing).toBe(4);
  expect(world.counted.filter(({ name }) => name === 'MissingCalls')).toEqual([{ name: 'MissingCalls', value: 3 }]);
});

test('without calls nothing but progress is written, once in ten minutes (BK-28)', async () => {
  const world = new RollUpWorld();
  await world.until(NOON + 10 * MINUTE);
  const versionOf = () => Number(world.memory.ofType('book_cursor')[0]?.version);
  const before = versionOf();
  await world.until(NOON + 40 * MINUTE);
  expect(versionOf() - before).toBe(3);
  expect(world.memory.ofType('usage_page')).toEqual([]);
  expect(world.memory.ofType('book_hours')).toEqual([]);
});

test('the last use of a key is known within five minutes, and stays known (BK-25)', async () => {
  const world = new RollUpWorld();
  await world.tick();
  world.log.add(NOON + 30_000, { key: 'aaaaaaaaaaaa' });
  await world.until(NOON + 5 * MINUTE);
  expect(await world.lastUses()).toEqual(new Map([['aaaaaaaaaaaa', NOON / 1000 + 30]]));
  await world.until(NOON + 3 * 24 * HOUR);
  expect(await world.lastUses()).toEqual(new Map([['aaaaaaaaaaaa', NOON / 1000 + 30]]));
});

test('rows of an earlier version and pages of the same day add up (BK-28)', async () => {
  const world = new RollUpWorld();
  world.memory.put({ pk: 'USAGE#default#2026-03-01', sk: 'INTEGRATION#google-drive', type: 'usage', calls: 5, ok: 5 });
  await world.tick();
  for (let call = 0; call < 3; call += 1) world.log.add(NOON + call);
  await world.until(NOON + 10 * MINUTE);
  const { rows } = await world.usage();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.counts).toMatchObject({ calls: 8, ok: 8 });
});
