import { expect, test } from 'vitest';
import { dayUseReader } from '../../../lambdas/gateway/calls/day-use.store.ts';
import { EVENT_ITEM_TYPE } from '../../../lambdas/gateway/core/contract.ts';
import { HOUR, MINUTE, NOON, RollUpWorld } from './support/world.ts';

/** A project that may take so many units a day; each call of the log takes one, and answers with ten bytes. */
function worldWith(perDay: number, bytesOutPerDay = 1e12): RollUpWorld {
  const world = new RollUpWorld();
  world.quota = { perMinute: 1e6, perMinuteAndUser: 1e6, perDay, bytesOutPerDay };
  return world;
}

function call(world: RollUpWorld, count: number, at = world.nowMs, changes: { account?: string } = {}): void {
  for (let i = 0; i < count; i += 1) world.log.add(at + i, changes);
}

/** The reports of quotas, in order. */
const told = (world: RollUpWorld) =>
  world.memory
    .ofType(EVENT_ITEM_TYPE)
    .map(({ eventType, quota, percent, used, day, accountId }) => [eventType, quota, percent, used, day, accountId]);
const units = (percent: string, used: string, day = '2026-03-01', account = 'default') => [
  'QuotaReached',
  'units',
  percent,
  used,
  day,
  account,
];

test('PC-25: 50, 80 and 100 % of a Cloud project’s day are reported once each, within five minutes of the call', async () => {
  const world = worldWith(10);
  await world.tick();
  call(world, 4);
  await world.until(NOON + 5 * MINUTE);
  expect(told(world)).toEqual([]);
  call(world, 1);
  await world.until(NOON + 10 * MINUTE);
  expect(told(world)).toEqual([units('50', '5')]);
  call(world, 4);
  await world.until(NOON + 2 * HOUR);
  expect(told(world)).toEqual([units('50', '5'), units('80', '9')]);
  call(world, 20);
  await world.until(NOON + 3 * HOUR);
  expect(told(world)).toHaveLength(3);
  // Midnight UTC is none of Google's.
  call(world, 10, NOON + 13 * HOUR);
  await world.until(NOON + 14 * HOUR);
  expect(told(world)).toHaveLength(3);
  call(world, 6, NOON + 21 * HOUR);
  await world.until(NOON + 22 * HOUR);
  expect(told(world).slice(3)).toEqual([units('50', '6', '2026-03-02')]);
});

test('PC-25: bytes and other accounts are reported by themselves', async () => {
  const world = worldWith(1_000, 100);
  await world.tick();
  call(world, 5);
  call(world, 6, NOON, { account: 'other' });
  await world.until(NOON + 10 * MINUTE);
  expect(told(world).map(([, quota, percent, used, , account]) => [quota, percent, used, account])).toEqual([
    ['bytes_out', '50', '50', 'default'],
    ['bytes_out', '50', '60', 'other'],
  ]);
});

test('PC-25: a roll-up that dies at any of its steps, and ticks that come twice, report each share once', async () => {
  const dies = async (at: number): Promise<boolean> => {
    const world = worldWith(10);
    await world.tick();
    call(world, 9, NOON + 1000);
    await world.until(NOON + MINUTE);
    let steps = 0;
    let isDead = false;
    const dying = world.process(
      world.memory.through(async (step) => {
        if (isDead) throw new Error('The process is gone');
        const answer = await step();
        steps += 1;
        // What was written stays written; the process gets no response.
        if (steps === at) isDead = true;
        if (isDead) throw new Error('The process is gone');
        return answer;
      }),
    );
    for (let minute = 0; minute < 6; minute += 1) {
      world.nowMs += MINUTE;
      await world.tick(isDead ? undefined : dying).catch(() => {});
    }
    const second = world.process();
    for (let minute = 0; minute < 10; minute += 1) {
      world.nowMs += MINUTE;
      await Promise.all([world.tick(), world.tick(second)]);
    }
    expect(told(world), `died at step ${at}`).toEqual([units('50', '9'), units('80', '9')]);
    return isDead;
  };
  let at = 1;
  while (await dies(at)) at += 1;
  expect(at).toBeGreaterThan(8);
});

test('PC-25: ticks whose clock jumps ahead and back report nothing twice', async () => {
  const world = worldWith(10);
  await world.tick();
  call(world, 9, NOON + 1000);
  await world.until(NOON + 10 * MINUTE);
  const ahead = world.process();
  for (const jumpMs of [30 * HOUR, -2 * HOUR, 24 * HOUR, 0]) {
    const backMs = world.nowMs;
    world.nowMs += jumpMs;
    for (const process of [ahead, undefined]) await world.tick(process);
    world.nowMs = backMs + MINUTE;
    await world.tick(ahead);
  }
  expect(told(world)).toEqual([units('50', '9'), units('80', '9')]);
});

test('PC-25: what cannot be reported is reported by a later tick, and the count continues meanwhile', async () => {
  const world = worldWith(10);
  let isDown = true;
  const process = world.process(
    world.memory.through((step, key) => {
      if (isDown && String(key.sk).startsWith('THRESHOLD#')) throw new Error('Throttled');
      return step();
    }),
  );
  await world.tick(process);
  call(world, 9, NOON + 1000);
  const ticks = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      world.nowMs += MINUTE;
      await world.tick(process);
    }
  };
  await ticks(40);
  expect([told(world), await world.calls()]).toEqual([[], 9]);
  isDown = false;
  await ticks(1);
  expect(told(world)).toEqual([units('50', '9'), units('80', '9')]);
});

test('PC-25: nothing is reported of a provider that names no quota', async () => {
  const world = new RollUpWorld();
  await world.tick();
  call(world, 9);
  await world.until(NOON + 10 * MINUTE);
  expect(told(world)).toEqual([]);
});

/** How full the day is, as calls read it. */
const noted = (world: RollUpWorld) => dayUseReader(world.memory.table, { nowMs: () => world.nowMs }).read('default');

test('PC-25: what an integration says of its project counts instead of what new projects get, and requests where it counts them', async () => {
  const world = worldWith(1_000);
  world.ownQuota = { countedIn: 'requests', perDay: 10, bytesOutPerDay: null };
  await world.tick();
  call(world, 5);
  await world.until(NOON + 10 * MINUTE);
  expect(told(world)).toEqual([units('50', '5')]);
  expect(await noted(world)).toMatchObject({
    limit: 'warn',
    projects: [{ provider: 'google-drive', cloudProject: '123456789012', units: { share: 0.5, most: 10 } }],
  });
  world.ownQuota = { perDay: null, bytesOutPerDay: null };
  call(world, 50);
  await world.until(NOON + 20 * MINUTE);
  expect(told(world)).toHaveLength(1);
});

test('PC-25: a day that is used up is noted with its end, and free again when it turns out that the project has more', async () => {
  const world = worldWith(10);
  world.dayLimit = 'stop';
  await world.tick();
  call(world, 12);
  await world.until(NOON + 10 * MINUTE);
  const stops = () => world.memory.ofType('day_use').map(({ stopsUntilMs }) => stopsUntilMs);
  expect(stops()).toEqual([Date.parse('2026-03-02T08:00:00Z')]);
  expect(await noted(world)).toMatchObject({ limit: 'stop', projects: [{ units: { share: 1.2, most: 10 } }] });
  world.ownQuota = { perDay: 100 };
  // What is refused leaves lines, too.
  call(world, 1);
  await world.until(NOON + 15 * MINUTE);
  expect(stops()).toEqual([0]);
  await world.until(NOON + 21 * HOUR);
  expect(await noted(world)).toBeUndefined();
});

test('PC-25: how full the day is is written when 1 % more is used, not with each look', async () => {
  const world = worldWith(1_000);
  let written = 0;
  const process = world.process(
    world.memory.through((step, key) => {
      if (key.sk === 'DAYUSE') written += 1;
      return step();
    }),
  );
  await world.tick(process);
  for (let minute = 0; minute < 40; minute += 1) {
    call(world, 1);
    world.nowMs += MINUTE;
    await world.tick(process);
  }
  expect(written).toBeGreaterThan(2);
  expect(written).toBeLessThan(6);
});

test('GA-28: the end of higher limits is reported 90, 30 and 7 days before, once each in all processes, and not afterwards', async () => {
  const world = new RollUpWorld();
  world.quota = { perMinute: 10, perMinuteAndUser: 10 };
  world.ownQuota = { perMinute: 20, tier: 'scaled', until: '2026-06-30' };
  const reported: unknown[] = [];
  for (const [days, expected] of [
    [91, undefined],
    [90, '90'],
    [31, undefined],
    [30, '30'],
    [7, '7'],
    [1, undefined],
    [0, undefined],
  ] as const) {
    world.nowMs = Date.parse('2026-06-30') - days * 24 * HOUR;
    for (const reporter of [world.reporter(), world.reporter()]) {
      for (const _ of [1, 2]) await reporter.report('default', world.nowMs, world.nowMs, 'request');
    }
    if (expected !== undefined)
      reported.push(['HigherLimitsEnding', expected, '2026-06-30T00:00:00.000Z', '123456789012']);
    const events = world.memory.ofType(EVENT_ITEM_TYPE);
    expect(events.map((one) => [one.eventType, one.daysLeft, one.endsAt, one.cloudProject])).toEqual(reported);
  }
});
