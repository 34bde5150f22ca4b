import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { deadRowsOf } from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import {
  DYING_AFTER_DEATHS,
  RECORD_DEATHS_TIME_MS,
  RECORDED_DEATHS_PER_SEC,
  SWEEP_CONCURRENCY,
} from '../../../lambdas/gateway/core/limits.ts';
import { refreshDueConnections, shardsOf } from '../../../lambdas/refresh/sweep.ts';
import { connection, START_SEC } from './support/connection.ts';
import { DEATH } from './support/refresh-world.ts';
import { DEADLINE_MS, fresh, schedule } from './support/schedule.ts';

/** "Partition capacity", DynamoDB guide: write units that one partition takes in a second. */
const PARTITION_UNITS_PER_SEC = 1_000;
/** A write in a transaction counts twice. */
const UNITS_PER_ROW = 2;

/** Connections of an integration that loses every grant, and of one that works, all due; refreshes and when they were asked for. */
function dyingWorld(name: string, dead: number, alive: number) {
  const rowsOf = (integrationId: string, count: number) =>
    Array.from({ length: count }, (_, i) => connection({ integrationId, connectionId: `${integrationId}-${i}` }));
  const rows = [...rowsOf(`dying-${name}`, dead), ...rowsOf(`alive-${name}`, alive)];
  const buriedAtSec: number[] = [];
  const order: string[] = [];
  const world = schedule(rows, async (row: Connection) => {
    order.push(row.integrationId);
    if (row.integrationId.startsWith('alive')) return fresh(row);
    buriedAtSec.push(Math.floor((world.state.nowMs - START_SEC * 1000) / 1000));
    return { kind: 'dead', connection: row, death: DEATH };
  });
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    world.state.nowMs += ms;
  };
  const sweep = (slices: number) =>
    refreshDueConnections(
      { ...world.deps, pause },
      { shards: shardsOf({ index: 0, count: 1 }), count: slices, isHeld: () => true },
      DEADLINE_MS,
      'tick',
    );
  return { sweep, buriedAtSec, order, pauses };
}

/** Burials in each second of a run. */
function bySecond(seconds: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const second of seconds) counts.set(second, (counts.get(second) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => a - b).map(([, count]) => count);
}

describe('ST-28: an integration that loses its grants', () => {
  test('writes no more rows a second into one list than a partition takes, whatever the number of slices', () => {
    const lists = deadRowsOf('revoked', 'place').map(({ list }) => `${list.kind}#${list.value}`);
    expect(new Set(lists).size).toBe(lists.length);
    expect(RECORDED_DEATHS_PER_SEC * UNITS_PER_ROW).toBeLessThan(PARTITION_UNITS_PER_SEC);
    for (const slices of [1, 2, 64])
      expect(Math.floor(RECORDED_DEATHS_PER_SEC / slices) * slices).toBeLessThanOrEqual(RECORDED_DEATHS_PER_SEC);
  });

  test.each([
    [1, 2_000],
    [16, 500],
    [64, 200],
  ])(
    'an integration that loses its grants of %i slices is recorded at that slice’s share of the pace',
    async (slices, dead) => {
      const { sweep, buriedAtSec, pauses } = dyingWorld(`pace-${slices}`, dead, 0);
      expect(await sweep(slices)).toMatchObject({ dead, finished: true });
      // A second between every two groups, and none behind the last.
      expect(pauses.every((ms) => ms === 1_000)).toBe(true);
      expect(pauses).toHaveLength(new Set(buriedAtSec).size - 1);
      const [first = 0, ...later] = bySecond(buriedAtSec);
      // Those that were under way before it showed, and the first share.
      expect(first).toBeLessThanOrEqual(SWEEP_CONCURRENCY + RECORDED_DEATHS_PER_SEC / slices);
      expect(Math.max(...later)).toBeLessThanOrEqual(RECORDED_DEATHS_PER_SEC / slices);
    },
  );

  test('holds no other integration up: its connections wait until all others are done', async () => {
    const { sweep, order } = dyingWorld('others', 1_500, 300);
    expect(await sweep(64)).toMatchObject({ refreshed: 300 });
    const alive = order.flatMap((integrationId, at) => (integrationId.startsWith('alive') ? [at] : []));
    expect(Math.max(...alive)).toBeLessThan(300 + 2 * SWEEP_CONCURRENCY);
  });

  test('takes no more than three quarters of a minute of a run, and the next one continues', async () => {
    const { sweep, buriedAtSec } = dyingWorld('long', 3_000, 0);
    const report = await sweep(64);
    expect(report.finished).toBe(false);
    expect(report.dead).toBeLessThanOrEqual(
      SWEEP_CONCURRENCY + (RECORDED_DEATHS_PER_SEC / 64) * (RECORD_DEATHS_TIME_MS / 1000),
    );
    expect(Math.max(...buriedAtSec)).toBeLessThan(RECORD_DEATHS_TIME_MS / 1000);
    const before = buriedAtSec.length;
    await sweep(64);
    // The next run knows by then: not even the first ones come at once.
    expect(Math.max(...bySecond(buriedAtSec.slice(before)))).toBeLessThanOrEqual(RECORDED_DEATHS_PER_SEC / 64);
  });

  test.each([
    [DYING_AFTER_DEATHS - 1, ['dying-0', 'alive-0', 'alive-1']],
    [DYING_AFTER_DEATHS, ['alive-0', 'alive-1', 'dying-0']],
  ])(
    'an integration that loses its grants is one from %i deaths in a row on, which follow each other through runs',
    async (deaths, order) => {
      const row = (integrationId: string, i: number) =>
        connection({ integrationId, connectionId: `${integrationId}-${i}` });
      let due: Connection[] = [];
      const died: Connection[] = [];
      const asked: string[] = [];
      const world = schedule(died, async (one) => {
        asked.push(one.connectionId);
        return one.integrationId === 'dying' ? { kind: 'dead', connection: one, death: DEATH } : fresh(one);
      });
      world.script.read = async ({ connectionId }) => due.find((one) => one.connectionId === connectionId);
      const upkeep = { ...world.deps.upkeep, duePage: async () => ({ refs: due, next: undefined }) };
      const run = () =>
        refreshDueConnections(
          { ...world.deps, upkeep },
          { shards: [0], count: 1, isHeld: () => true },
          DEADLINE_MS,
          'tick',
        );
      for (let i = 0; i < deaths; i++) {
        due = [row('dying', i + 1)];
        await run();
      }
      asked.length = 0;
      due = [row('dying', 0), row('alive', 0), row('alive', 1)];
      await run();
      expect(asked).toEqual(order);
    },
  );

  test('an integration that loses its grants is one that loses many in a row: where others work in between, nobody waits', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => connection({ integrationId: 'mixed', connectionId: `${i}` }));
    const world = schedule(rows, async (row: Connection) =>
      Number(row.connectionId) % 20 === 0 ? { kind: 'dead', connection: row, death: DEATH } : fresh(row),
    );
    let waited = 0;
    const pause = async (ms: number) => {
      waited += ms;
      world.state.nowMs += ms;
    };
    const run = { shards: shardsOf({ index: 0, count: 1 }), count: 64, isHeld: () => true };
    const report = await refreshDueConnections({ ...world.deps, pause }, run, DEADLINE_MS, 'tick');
    expect([report.dead, report.refreshed, waited]).toEqual([30, 570, 0]);
  });
});
