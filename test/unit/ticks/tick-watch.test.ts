import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { TICK_SILENCE_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { SweepName } from '../../../lambdas/gateway/ticks/ports.ts';
import { TickWatch } from '../../../lambdas/gateway/ticks/sweep-run.ts';
import { tickBoard } from '../../../lambdas/gateway/ticks/tick-board.store.ts';
import { heartbeatWriter } from '../../../lambdas/refresh/heartbeat.store.ts';
import { HeartbeatSender } from '../../../lambdas/refresh/heartbeat.ts';

const START_MS = Date.parse('2026-11-23T08:00:00Z');
const MINUTE_MS = 60_000;
const REFRESH: SweepName = { sweep: 'refresh', slice: { index: 0, count: 1 } };
const FEEDS: SweepName = { sweep: 'feeds' };
const DELIVER: SweepName = { sweep: 'deliver' };
const ROLL_UP: SweepName = { sweep: 'roll-up' };

/** A stack of sweeps, each in a process of its own, whose minutes are played one after the other. */
function playedSweeps(
  names: readonly SweepName[],
  table = new MemoryTable(),
  without: ReadonlySet<string> = new Set(),
) {
  let nowMs = START_MS;
  const clock = { nowMs: () => nowMs };
  const counts = { writes: 0, refused: 0 };
  const through = table.through((call) => {
    if (counts.refused > 0) {
      counts.refused -= 1;
      return Promise.reject(new Error('no table'));
    }
    counts.writes += 1;
    return call();
  });
  const missing: string[] = [];
  const errors: string[] = [];
  const deps = {
    board: tickBoard(through, without),
    clock,
    metrics: {
      count: (name: string, { sweep = '' }: Readonly<Record<string, string>> = {}) => {
        missing.push(`${(nowMs - START_MS) / MINUTE_MS}: ${name} ${sweep}`);
      },
    },
    logger: { info: () => {}, warn: () => {}, error: (message: string) => void errors.push(message) },
  };
  let processes = names.map((name) => ({ name, watch: new TickWatch(deps) }));
  return {
    counts,
    missing,
    errors,
    at: (minutes: number) => {
      nowMs = START_MS + minutes * MINUTE_MS;
    },
    /** Each of the named sweeps ends once a minute. */
    async play(minutes: number, working: readonly SweepName[] = names) {
      for (let minute = 0; minute < minutes; minute += 1) {
        nowMs += MINUTE_MS;
        for (const { name, watch } of processes) if (working.includes(name)) await watch.ended(name, 'request');
      }
    },
    /** Other processes take the place of all. */
    replace(others: readonly SweepName[]) {
      processes = others.map((name) => ({ name, watch: new TickWatch(deps) }));
    },
  };
}

describe('sweeps that watch each other', () => {
  test('sweeps that watch each other say nothing while all end, of a new stack neither, and write a note every four minutes (ST-23)', async () => {
    const played = playedSweeps([REFRESH, FEEDS, DELIVER, ROLL_UP]);
    await played.play(60);
    expect(played.missing).toEqual([]);
    expect(played.errors).toEqual([]);
    expect(played.counts.writes).toBe(60);
  });

  test.each([
    [REFRESH, [FEEDS, DELIVER, ROLL_UP]],
    [FEEDS, [REFRESH, DELIVER, ROLL_UP]],
    [DELIVER, [REFRESH, FEEDS, ROLL_UP]],
    [ROLL_UP, [REFRESH, FEEDS, DELIVER]],
  ])(
    'sweeps that watch each other report that %o no longer ends, within five minutes after a quarter of an hour',
    async (stopped, others) => {
      const played = playedSweeps([REFRESH, FEEDS, DELIVER, ROLL_UP]);
      await played.play(30);
      await played.play(20, others);
      const [first = '', ...rest] = played.missing;
      expect(first).toMatch(new RegExp(`^4[4-9]: TickMissing ${stopped.sweep}$`));
      for (const line of rest) expect(line).toContain(`TickMissing ${stopped.sweep}`);
      played.missing.length = 0;
      await played.play(10);
      expect(played.missing.filter((line) => Number.parseInt(line, 10) > 55)).toEqual([]);
    },
  );

  test('sweeps that watch each other report a sweep that never ended since the stack was made', async () => {
    const played = playedSweeps([REFRESH, DELIVER, ROLL_UP]);
    await played.play(14);
    expect(played.missing).toEqual([]);
    await played.play(10);
    expect(new Set(played.missing.map((line) => line.split(' ').at(-1)))).toEqual(new Set(['feeds']));
  });

  test('sweeps that watch each other wait for no sweep of a feature that is left out, and report the others', async () => {
    const played = playedSweeps([REFRESH, ROLL_UP], new MemoryTable(), new Set(['webhooks']));
    await played.play(24);
    expect(new Set(played.missing.map((line) => line.split(' ').at(-1)))).toEqual(new Set(['feeds']));
  });

  test('sweeps that watch each other report one slice among many, and forget the slices that a deployment no longer has', async () => {
    const slices = [0, 1, 2, 3].map((index) => ({ sweep: 'refresh' as const, slice: { index, count: 4 } }));
    const played = playedSweeps([...slices, FEEDS, DELIVER, ROLL_UP]);
    await played.play(10);
    await played.play(20, [...slices.slice(0, 3), FEEDS, DELIVER, ROLL_UP]);
    expect(new Set(played.missing.map((line) => line.split(' ').at(-1)))).toEqual(new Set(['refresh']));
    played.missing.length = 0;
    const fewer = [0, 1].map((index) => ({ sweep: 'refresh' as const, slice: { index, count: 2 } }));
    played.replace([...fewer, FEEDS, DELIVER, ROLL_UP]);
    await played.play(30, [...fewer, FEEDS, DELIVER, ROLL_UP]);
    expect(played.missing).toEqual([]);
  });

  test('sweeps that watch each other continue when a note cannot be written, and note again with the next end', async () => {
    const played = playedSweeps([REFRESH]);
    played.counts.refused = 1;
    await played.play(1);
    expect(played.errors).toEqual(['the end of a sweep could not be noted']);
    await played.play(1);
    expect(played.counts.writes).toBe(1);
  });

  test('note after a clock was set back', async () => {
    const played = playedSweeps([REFRESH]);
    await played.play(30);
    played.at(-600);
    const before = played.counts.writes;
    await played.play(2);
    expect(played.counts.writes).toBeGreaterThan(before);
  });

  test('allows a sweep of five minutes, and the one behind it, without a word', () => {
    expect(TICK_SILENCE_SEC).toBeGreaterThan(2 * 300 + 240);
  });
});

describe('heartbeats', () => {
  test('heartbeats are one event item each ten minutes, however many processes send them, in no list (ST-22)', async () => {
    const table = new MemoryTable();
    let nowMs = START_MS + 1;
    const deps = {
      heartbeats: heartbeatWriter(table.table),
      clock: { nowMs: () => nowMs },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    };
    const processes = [new HeartbeatSender(deps), new HeartbeatSender(deps)];
    for (let minute = 0; minute < 30; minute += 1) {
      for (const sender of processes) await sender.send('request');
      nowMs += MINUTE_MS;
    }
    const items = [...table.items.values()];
    expect(items.map(({ occurredAt }) => occurredAt)).toEqual([
      '2026-11-23T08:00:00.000Z',
      '2026-11-23T08:10:00.000Z',
      '2026-11-23T08:20:00.000Z',
    ]);
    for (const item of items) {
      expect(item).toMatchObject({ pk: 'HEARTBEAT', type: 'event', eventType: 'Heartbeat', accountId: 'default' });
      expect(item.eventId).toMatch(/^[0-9A-Z]{26}$/);
      expect(item).not.toHaveProperty('accountListKey');
    }
  });

  test('heartbeats that cannot be written are logged, and sent with the next tick; one process writes each once (ST-22)', async () => {
    const written: unknown[] = [];
    const logged: unknown[][] = [];
    const away = new Error('throttled');
    const deps = {
      heartbeats: {
        async write(heartbeat: unknown) {
          if (written.push(heartbeat) === 1) throw away;
        },
      },
      clock: { nowMs: () => START_MS + 1 },
      logger: { info: () => {}, warn: () => {}, error: (...line: unknown[]) => void logged.push(line) },
    };
    const sender = new HeartbeatSender(deps);
    for (let tick = 0; tick < 3; tick++) await sender.send('request');
    expect(written).toHaveLength(2);
    expect(written[1]).toEqual(written[0]);
    expect(logged).toEqual([['the heartbeat of events could not be written', { requestId: 'request' }, away]]);
  });
});
