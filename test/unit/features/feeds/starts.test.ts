import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { FEED_LEASE_MS } from '../../../../lambdas/features/feeds/limits.rules.ts';
import {
  dayStartMs,
  readOccurrences,
  readReported,
  reportedText,
} from '../../../../lambdas/features/feeds/starts.rules.ts';
import { drawn } from '../../../support/draws.ts';
import { historiesAsked } from './support/histories-asked.ts';
import { type Meeting, StartsWorld } from './support/starts-world.ts';

const MINUTE_MS = 60_000;
/** `npm run test:feeds` plays ten thousand. */
const HISTORIES = historiesAsked(60);

async function reminding(reminders: readonly number[]): Promise<StartsWorld> {
  const world = new StartsWorld(reminders);
  await world.work();
  return world;
}

const on = (startMs: number): Meeting => ({ startMs, isDeclined: false });

describe('CH-26: reminders of events', () => {
  test('each is reported once, within 90 seconds after its time', async () => {
    const world = await reminding([10, 1]);
    const startMs = world.nowMs + 25 * MINUTE_MS + 30_000;
    world.put('meeting', on(startMs));
    await world.arrive();
    await world.minutes(60);
    expect(world.told.map(({ change }) => [change.id, change.minutesBefore, change.time])).toEqual([
      ['meeting', 10, new Date(startMs).toISOString()],
      ['meeting', 1, new Date(startMs).toISOString()],
    ]);
    for (const { change, atMs } of world.told) {
      const lateMs = atMs - (startMs - (change.minutesBefore ?? 0) * MINUTE_MS);
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThanOrEqual(90_000);
    }
  });

  test('one that is moved is reported again, and at its old time not at all', async () => {
    const world = await reminding([10]);
    const startMs = world.nowMs + 20 * MINUTE_MS;
    world.put('told', on(startMs));
    world.put('moved before', on(startMs));
    await world.arrive();
    await world.minutes(5);
    world.put('moved before', on(startMs + 60 * MINUTE_MS));
    await world.arrive();
    await world.minutes(10);
    expect(world.told.map(({ change }) => change.id)).toEqual(['told']);
    world.put('told', on(startMs + 30 * MINUTE_MS));
    await world.arrive();
    await world.minutes(90);
    expect(world.told.map(({ change }) => change.id)).toEqual(['told', 'told', 'moved before']);
  });

  test('what is cancelled or declined is not reported, though its change never arrived', async () => {
    const world = await reminding([10]);
    const startMs = world.nowMs + 30 * MINUTE_MS;
    for (const id of ['cancelled', 'declined', 'stays']) world.put(id, on(startMs));
    await world.arrive();
    world.put('cancelled', undefined);
    world.put('declined', { startMs, isDeclined: true });
    world.messages.length = 0;
    await world.minutes(60);
    expect(world.told.map(({ change }) => change.id)).toEqual(['stays']);
  });

  test('what is created after its time is reported at once, and once; what existed before the feed is not reported late', async () => {
    const world = new StartsWorld([10, 1_440]);
    world.meetings.set('there', on(world.nowMs + 60 * MINUTE_MS));
    await world.work();
    expect(world.told).toEqual([]);
    world.put('new', on(world.nowMs + 5 * MINUTE_MS));
    await world.arrive();
    expect(world.told.map(({ change }) => [change.id, change.minutesBefore])).toEqual([['new', 10]]);
    await world.minutes(90);
    expect(world.told.map(({ change }) => [change.id, change.minutesBefore])).toEqual([
      ['new', 10],
      ['there', 10],
    ]);
  });

  test('reminders that are added report nothing late, and those that are taken away leave no row', async () => {
    const world = await reminding([10]);
    world.put('meeting', on(world.nowMs + 60 * MINUTE_MS));
    await world.arrive();
    await world.table.changeSettings(world.ref, { reminders: [10, 120, 30] });
    await world.work(false, 600_000, true);
    await world.minutes(90);
    expect(world.told.map(({ change }) => change.minutesBefore)).toEqual([30, 10]);
    await world.table.changeSettings(world.ref, { reminders: [] });
    await world.work(false, 600_000, true);
    expect(world.memory.ofType('feed_starts')).toEqual([]);
  });

  test('a calendar in which nothing happens is listed once a day', async () => {
    const world = await reminding([10, 1_440]);
    const before = world.lists;
    await world.minutes(3 * 24 * 60);
    expect(world.lists - before).toBeLessThanOrEqual(4);
    expect(world.lists - before).toBeGreaterThanOrEqual(3);
  });

  test('while the connection is dead no call is sent, and what is still of use is reported when it is back', async () => {
    const world = await reminding([10]);
    world.put('meeting', on(world.nowMs + 20 * MINUTE_MS));
    await world.arrive();
    world.grant = 'dead';
    await world.follow();
    await world.minutes(15);
    expect(world.told).toEqual([]);
    world.grant = 'active';
    await world.follow();
    expect(world.told.map(({ change }) => change.id)).toEqual(['meeting']);
  });

  test('CF-32: the plan of reminders stays when a holder whose lease ran out deletes the plan of before', async () => {
    const world = await reminding([]);
    world.instead.takeLease = async (...args) => {
      world.instead = {};
      const taken = await world.table.takeLease(...args);
      world.pass(FEED_LEASE_MS / 1000);
      await world.table.changeSettings(world.ref, { reminders: [10] });
      await world.work(false, 600_000, true);
      return taken;
    };
    expect(await world.work(false, 600_000, true)).toEqual({ kind: 'busy' });
    expect(world.memory.ofType('feed_starts')).toHaveLength(1);
  });

  test('a feed that is gone leaves no row', async () => {
    const world = await reminding([10]);
    expect(world.memory.ofType('feed_starts')).toHaveLength(1);
    await world.table.remove(world.feed, Math.floor(world.nowMs / 1000), world.event('FeedDeleted'));
    expect(world.memory.ofType('feed_starts')).toEqual([]);
  });

  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constant('put' as const), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant('cancel' as const), fc.integer({ min: 1, max: 4 }), fc.constant(0)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('decline' as const), fc.integer({ min: 1, max: 4 }), fc.constant(0)) },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constant('minutes' as const), fc.integer({ min: 1, max: 15 }), fc.constant(0)),
    },
    { weight: 3, arbitrary: fc.tuple(fc.constant('kill' as const), fc.nat({ max: 16 }), fc.nat({ max: 1 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('lose an answer' as const), fc.nat({ max: 16 }), fc.constant(0)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('meet' as const), fc.nat({ max: 20 }), fc.nat({ max: 3_000 })) },
  );

  test('whatever is made, moved and cancelled, and wherever processes are killed, none is reported twice or of what is not on, and none is lost', {
    tags: ['drawn'],
    timeout: HISTORIES.timeout,
  }, async () => {
    const reminder = 10;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const world = await reminding([reminder]);
        /** From when on an event was on at a start, and until when. */
        const stretches: {
          readonly id: string;
          readonly startMs: number;
          readonly fromMs: number;
          untilMs: number;
        }[] = [];
        const end = (id: string) => {
          for (const one of stretches) if (one.id === id) one.untilMs = Math.min(one.untilMs, world.nowMs);
        };
        for (const [kind, first, second] of steps) {
          const id = `meeting-${first}`;
          const known = world.meetings.get(id);
          if (kind === 'put') {
            const startMs = world.nowMs + second * MINUTE_MS + 7_000;
            end(id);
            stretches.push({ id, startMs, fromMs: world.nowMs, untilMs: Number.POSITIVE_INFINITY });
            world.put(id, on(startMs));
          } else if (kind === 'cancel' || kind === 'decline') {
            end(id);
            if (known !== undefined) world.put(id, kind === 'cancel' ? undefined : { ...known, isDeclined: true });
          } else if (kind === 'kill') {
            world.killAfter = first;
            world.killBefore = second === 1;
          } else if (kind === 'lose an answer') {
            world.loseAnswerAfter = first;
          } else if (kind === 'meet') {
            const delays = Array.from({ length: first + 1 }, (_, call) => ({
              steps: call === first ? second : 0,
              seconds: 0,
            }));
            const late = world.under({ skewMs: 0, delays, isCutOff: false }, () => world.remind());
            await Promise.all([late, world.work(true), world.remind()]);
          } else await world.minutes(first);
          await world.arrive();
        }
        world.calm();
        await world.minutes(90);
        const keys = world.told.map(({ change }) => `${change.id} ${change.time}`);
        expect(keys).toEqual([...new Set(keys)]);
        for (const { change, atMs } of world.told) {
          const isOn = stretches.some(
            (one) =>
              one.id === change.id &&
              one.startMs === Date.parse(change.time ?? '') &&
              one.fromMs <= atMs &&
              atMs <= one.untilMs,
          );
          expect(isOn, `${change.id} was told at a time at which it was not on`).toBe(true);
        }
        for (const { id, startMs, fromMs, untilMs } of stretches) {
          const dueMs = Math.max(startMs - reminder * MINUTE_MS, fromMs);
          // A process that was killed is followed by another within two minutes.
          if (untilMs < dueMs + 4 * MINUTE_MS) continue;
          expect(keys, `${id} was not told`).toContain(`${id} ${new Date(startMs).toISOString()}`);
        }
      }),
      { numRuns: HISTORIES.numRuns, ...HISTORIES.seed },
    );
  });
});

describe('CH-26: the start of a day', () => {
  const zones = [
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'Asia/Beirut',
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'UTC',
  ];

  test('the start of a day is where the time zone has it, through every change of its clocks', {
    tags: ['drawn'],
  }, () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 366 * 20 }), (zone, days) => {
        const date = Temporal.PlainDate.from('2010-01-01').add({ days });
        const wanted = date.toZonedDateTime(zone).epochMilliseconds;
        // Samoa had no 30 December 2011: its day has no start of its own.
        if (zone === 'Pacific/Apia' && date.toString() === '2011-12-30') return;
        expect(dayStartMs(date.toString(), zone)).toBe(wanted);
      }),
      { numRuns: drawn(2_000) },
    );
  });

  test.each([
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['no zone', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ])('the start of a day in %s on %s is %s', (zone, date, start) => {
    expect(new Date(dayStartMs(date, zone)).toISOString()).toBe(start);
  });

  test('counts for events of a whole day, by the zone of the calendar', () => {
    const items = [
      { id: 'day', status: 'confirmed', start: { date: '2026-03-29' } },
      { id: 'off', status: 'cancelled', start: { date: '2026-03-29' } },
      { id: 'no time', status: 'confirmed', start: {} },
    ];
    expect(readOccurrences({ timeZone: 'Europe/Berlin', items }).found).toEqual([
      { id: 'day', startMs: Date.parse('2026-03-28T23:00:00Z') },
    ]);
  });
});

test('what was reported is stored as text and read again', () => {
  const told = new Map([
    ['a', { untilEpochSec: 1, minutes: [10, 1_440] }],
    ['b', { untilEpochSec: 2, minutes: [1] }],
  ]);
  expect(readReported(reportedText(told))).toEqual(told);
  expect(readReported('')).toEqual(new Map());
});
