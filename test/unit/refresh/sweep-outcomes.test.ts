import { describe, expect, test } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { dueShardOf } from '../../../lambdas/gateway/core/identifiers.ts';
import {
  SWEEP_BRAKE_AFTER_FAILURES,
  SWEEP_CONCURRENCY,
  SWEEP_PAGE_SIZE,
  SWEEP_RESERVE_MS,
  UNREADABLE_ROW_RETRY_SEC,
} from '../../../lambdas/gateway/core/limits.ts';
import type { RefreshOutcome } from '../../../lambdas/gateway/tokens/lease.ts';
import { refreshDueConnections, type SweepDependencies, shardsOf } from '../../../lambdas/refresh/sweep.ts';
import { connection, integration, START_SEC } from './support/connection.ts';
import { DEATH } from './support/refresh-world.ts';
import { DEADLINE_MS, dueRows, fresh, schedule, WHOLE } from './support/schedule.ts';

const TICK = { requestId: 'tick' };
const NOTHING = { refreshed: 0, dead: 0, putOff: 0, skipped: 0, failed: 0, finished: true };
const run = (world: ReturnType<typeof schedule>, deadlineMs = DEADLINE_MS) =>
  refreshDueConnections(world.deps, WHOLE, deadlineMs, 'tick');
const ending = (outcome: RefreshOutcome) => schedule(dueRows(1), async () => outcome);

describe('a due connection', () => {
  test.each<[RefreshOutcome, object, (number | undefined)[]]>([
    [{ kind: 'fresh', connection: connection(), accessToken: 'new' }, { refreshed: 1 }, []],
    [{ kind: 'fresh', connection: connection(), accessToken: undefined }, { skipped: 1 }, []],
    [{ kind: 'dead', connection: connection(), death: DEATH }, { dead: 1 }, []],
    [{ kind: 'busy', connection: connection() }, { skipped: 1 }, []],
    [{ kind: 'gone' }, { skipped: 1 }, [undefined]],
    [{ kind: 'transient', reason: 'http_503', retryAfterSec: 40 }, { putOff: 1 }, []],
    [{ kind: 'transient', reason: 'refresh_backoff', retryAfterSec: 40 }, { putOff: 1 }, [START_SEC + 40]],
    [{ kind: 'transient', reason: 'refresh_in_progress', retryAfterSec: 40 }, { putOff: 1 }, []],
    // The pause of the client, and half of the minute over which its connections are spread.
    [{ kind: 'client_fault', error: 'invalid_client', retryAfterSec: 60 }, { putOff: 1 }, [START_SEC + 90]],
  ])('a due connection is counted and rescheduled as its refresh ends: %j', async (outcome, counted, rescheduled) => {
    const world = ending(outcome);
    expect(await run(world)).toEqual({ ...NOTHING, ...counted });
    expect(world.rescheduled).toEqual(rescheduled);
    expect(world.postponed).toEqual([]);
  });

  test('a due connection is refreshed without waiting or force, within what is left of the function', async () => {
    const world = ending({ kind: 'gone' });
    await run(world);
    await run(world, START_SEC * 1000 + SWEEP_RESERVE_MS + 1);
    expect(world.asked).toEqual(
      [300_000 - SWEEP_RESERVE_MS / 2, SWEEP_RESERVE_MS / 2 + 1].map((budgetMs) => ({
        wait: false,
        force: false,
        budgetMs,
        requestId: 'tick',
      })),
    );
  });

  test.each<[string, Connection | undefined]>([
    ['is gone', undefined],
    ['is not in the index any more', connection({ refreshAtEpochSec: undefined })],
    ['is due in a second', connection({ refreshAtEpochSec: START_SEC + 1 })],
  ])('F83: that %s by now is passed over', async (_, row) => {
    const world = schedule(dueRows(1), fresh);
    world.script.read = async () => row;
    expect(await run(world)).toEqual({ ...NOTHING, skipped: 1 });
    expect([world.refreshed, world.rescheduled, world.loaded]).toEqual([[], [], []]);
  });

  test('a due connection is refreshed at the very second it is due', async () => {
    const world = schedule([connection({ refreshAtEpochSec: START_SEC })], fresh);
    expect(await run(world)).toEqual({ ...NOTHING, refreshed: 1 });
    // A gauge of nothing would be a metric to pay for.
    expect(world.metrics.get('OldestDueAgeSec')).toBeUndefined();
  });

  test.each(['deleted', 'reauthorization_required'] as const)(
    'F83: a due connection that is %s leaves the index without a refresh',
    async (status) => {
      const world = schedule([connection({ status })], fresh);
      expect(await run(world)).toEqual({ ...NOTHING, skipped: 1 });
      expect([world.refreshed, world.rescheduled]).toEqual([[], [undefined]]);
    },
  );

  test('leaves the index when its integration is gone', async () => {
    const world = schedule(dueRows(1), fresh);
    world.script.integration = async () => undefined;
    expect(await run(world)).toEqual({ ...NOTHING, skipped: 1 });
    expect([world.refreshed, world.rescheduled]).toEqual([[], [undefined]]);
  });

  test('a due connection is refreshed though its integration could not be read for those before it', async () => {
    const world = schedule(dueRows(SWEEP_CONCURRENCY + 20), fresh);
    let reads = 0;
    world.script.integration = async () => {
      if (reads++ === 0) throw new Error('The table is away');
      return integration();
    };
    const report = await run(world);
    expect(report.failed).toBeLessThanOrEqual(SWEEP_CONCURRENCY);
    expect(report.refreshed).toBe(SWEEP_CONCURRENCY + 20 - report.failed);
  });

  test('a due connection is warned of its end before it is refreshed', async () => {
    const testing = integration({ publishingStatus: 'testing', audience: 'external' });
    const row = connection({ consentedAtEpochSec: START_SEC - 6 * 86_400 });
    const seen: (number | undefined)[] = [];
    const world = schedule([row], async (warned) => {
      seen.push(warned.expiryWarnings);
      return fresh(warned);
    });
    world.script.integration = async () => testing;
    const warn = async () => true;
    await refreshDueConnections(
      { ...world.deps, connections: { ...world.deps.connections, warn } },
      WHOLE,
      DEADLINE_MS,
      'tick',
    );
    expect(seen).toEqual([2]);
  });
});

describe('a row that fails', () => {
  const failing = (row: Connection) => schedule([row], () => Promise.reject(new Error('poisoned')));

  test.each([
    [0, 60],
    [1, 120],
    [9, 2700],
  ])('F87: a row that fails after %i failures waits %i seconds', async (failureCount, waitSec) => {
    const world = failing(connection({ failureCount }));
    expect(await run(world)).toEqual({ ...NOTHING, failed: 1 });
    expect(world.postponedTo).toEqual([START_SEC + waitSec]);
    expect(world.metrics.get('SweepItemFailed')).toBe(1);
    expect(world.logged).toEqual([
      ['error', 'a due connection could not be refreshed', { requestId: 'tick' }, 'poisoned'],
    ]);
  });

  test('a row that cannot be read waits an hour', async () => {
    const world = schedule(dueRows(1), fresh);
    world.script.read = () => Promise.reject(new Error('unreadable'));
    await run(world);
    expect(world.postponedTo).toEqual([START_SEC + UNREADABLE_ROW_RETRY_SEC]);
  });

  test('a row that fails and cannot be put off ends nothing', async () => {
    const world = failing(connection());
    world.script.postpone = () => Promise.reject(new Error('throttled'));
    expect(await run(world)).toEqual({ ...NOTHING, failed: 1 });
    expect(world.logged.at(-1)).toEqual(['error', 'a failing connection could not be put off', TICK, 'throttled']);
  });
});

describe('the brake', () => {
  const failure: RefreshOutcome = { kind: 'transient', reason: 'http_503', retryAfterSec: 20 };
  /** A run of one shard at a time, in which every n-th refresh ends otherwise. */
  const failingBut = (count: number, nth: number, other: RefreshOutcome) => {
    let made = 0;
    return schedule(dueRows(count), async () => (++made % nth === 0 ? other : failure));
  };

  test.each<[string, RefreshOutcome]>([
    ['tokens', { kind: 'fresh', connection: connection(), accessToken: 'new' }],
    ['a death, which is an answer', { kind: 'dead', connection: connection(), death: DEATH }],
  ])('the brake is not pulled while there are %s in between', async (_, other) => {
    const world = failingBut(200, 5, other);
    expect(await run(world)).toMatchObject({ putOff: 160, finished: true });
    expect(world.metrics.has('SweepBraked')).toBe(false);
  });

  test.each(['refresh_backoff', 'refresh_in_progress', 'conflicting_writes', 'client_credentials_unavailable'])(
    'the brake is not pulled by %s, which is no fault of the provider',
    async (reason) => {
      const world = schedule(dueRows(100), async () => ({ kind: 'transient', reason, retryAfterSec: 20 }));
      expect(await run(world)).toMatchObject({ putOff: 100, finished: true });
      expect(world.metrics.has('SweepBraked')).toBe(false);
    },
  );

  test('the brake is not pulled by refusals of tokens, which are answers', async () => {
    const world = schedule(dueRows(100), async () => ({ ...failure, refused: true }));
    expect(await run(world)).toMatchObject({ putOff: 100, finished: true });
  });

  test('the brake is pulled by the twentieth failure in a row, not by the nineteenth', async () => {
    const almost = schedule(dueRows(SWEEP_BRAKE_AFTER_FAILURES - 1), async () => failure);
    expect(await run(almost)).toMatchObject({ finished: true });
    expect(almost.metrics.has('SweepBraked')).toBe(false);
    const braked = schedule(dueRows(SWEEP_BRAKE_AFTER_FAILURES), async () => failure);
    expect(await run(braked)).toMatchObject({ putOff: SWEEP_BRAKE_AFTER_FAILURES, finished: false });
    expect(braked.metrics.get('SweepBraked')).toBe(1);
    const many = schedule(dueRows(1_000), async () => failure);
    await run(many);
    expect(many.refreshed.length).toBeLessThanOrEqual(SWEEP_BRAKE_AFTER_FAILURES + SWEEP_CONCURRENCY);
  });
});

describe('a run', () => {
  test('a run does everything due once, never more than its concurrency at a time, and reports the oldest', async () => {
    let running = 0;
    let most = 0;
    const world = schedule(dueRows(500), async (row) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return fresh(row);
    });
    expect(await run(world)).toMatchObject({
      refreshed: 500,
      finished: true,
    });
    expect(new Set(world.refreshed).size).toBe(500);
    expect(most).toBeLessThanOrEqual(SWEEP_CONCURRENCY);
    expect(world.metrics.get('OldestDueAgeSec')).toBe(700);
  });

  test('covers its slice and no other shard', async () => {
    const all = dueRows(300);
    const world = schedule(all, fresh);
    await refreshDueConnections(
      world.deps,
      { shards: shardsOf({ index: 1, count: 4 }), count: 1, isHeld: () => true },
      DEADLINE_MS,
      'tick',
    );
    const mine = all.filter((row) => Math.floor(dueShardOf(row, DUE_SHARDS) / 16) === 1);
    expect(world.refreshed.toSorted()).toEqual(mine.map(({ connectionId }) => connectionId).toSorted());
  });

  test('F87: a whole page of rows that always fail does not hide what is due behind it', async () => {
    const shard = dueShardOf(connection({ connectionId: 'c0' }), DUE_SHARDS);
    const crowded = dueRows(20_000)
      .filter((row) => dueShardOf(row, DUE_SHARDS) === shard)
      .slice(0, SWEEP_PAGE_SIZE + 5);
    const last = crowded.at(-1)?.connectionId;
    const world = schedule(crowded, (row) =>
      row.connectionId === last ? fresh(row) : Promise.reject(new Error('poisoned')),
    );
    const report = await run(world);
    expect(report).toMatchObject({ refreshed: 1, failed: SWEEP_PAGE_SIZE + 4 });
    expect(world.postponed).toHaveLength(SWEEP_PAGE_SIZE + 4);
  });

  test('a run does the side work of every shard after what is due there', async () => {
    const world = schedule(dueRows(3), fresh);
    await run(world);
    for (const name of ['escrow', 'revocations']) {
      const shards = world.sideWork.filter((work) => work.startsWith(name)).map((work) => Number(work.split(' ')[1]));
      expect(shards.toSorted((a, b) => a - b)).toEqual(Array.from({ length: DUE_SHARDS }, (_, shard) => shard));
    }
  });

  test('begins at a shard that chance chooses', async () => {
    const firsts: string[] = [];
    for (const random of [0, 0.25, 0.99]) {
      const world = schedule([], fresh);
      world.state.random = random;
      await run(world);
      firsts.push(world.sideWork[0] ?? '');
    }
    expect(firsts).toEqual(['escrow 0', `escrow ${DUE_SHARDS / 4}`, `escrow ${Math.floor(DUE_SHARDS * 0.99)}`]);
  });

  test('ends twenty seconds before its function would be stopped', async () => {
    const late = schedule(dueRows(3), fresh);
    expect(await run(late, START_SEC * 1000 + SWEEP_RESERVE_MS)).toEqual({ ...NOTHING, finished: false });
    const inTime = schedule(dueRows(3), fresh);
    expect(await run(inTime, START_SEC * 1000 + SWEEP_RESERVE_MS + 1)).toEqual({ ...NOTHING, refreshed: 3 });
  });

  test('a run whose time is over in the middle does no side work of that shard', async () => {
    const world = schedule(dueRows(1), async (row) => {
      world.state.nowMs = DEADLINE_MS;
      return fresh(row);
    });
    world.state.random = 0;
    expect(await run(world)).toMatchObject({ refreshed: 1, finished: false });
    expect(world.sideWork.length).toBeLessThan(2 * DUE_SHARDS);
  });

  test('looks an integration up once, and again after it could not be read', async () => {
    const world = schedule(dueRows(20), fresh);
    await run(world);
    expect(world.loaded).toEqual([{ accountId: 'default', integrationId: 'drive' }]);
    const broken = schedule(dueRows(2), fresh);
    broken.script.integration = () => Promise.reject(new Error('throttled'));
    await run(broken);
    broken.script.integration = async () => integration();
    expect(await run(broken)).toEqual({ ...NOTHING, refreshed: 2 });
  });

  test('F19: a run has the first refresh of an integration go alone, and the others after it whatever came of it', async () => {
    for (const first of [() => fresh(connection()), () => Promise.reject(new Error('poisoned'))]) {
      let running = 0;
      const together: number[] = [];
      let made = 0;
      const world = schedule(dueRows(30), async (row) => {
        together.push(++running);
        const leads = made++ === 0;
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        running--;
        return leads ? first() : fresh(row);
      });
      await run(world);
      expect(world.refreshed).toHaveLength(30);
      expect(together.filter((count) => count === 1)).toHaveLength(2);
      expect(Math.max(...together)).toBeGreaterThan(2);
    }
  });

  test('a run that cannot read a shard counts it and says so, and continues with the others', async () => {
    const rows = dueRows(100);
    const bad = dueShardOf(connection({ connectionId: 'c0' }), DUE_SHARDS);
    const world = schedule(rows, fresh);
    const { duePage } = world.deps.upkeep;
    const upkeep = fake<SweepDependencies['upkeep']>({
      duePage: (shard: number, ...rest: [number, number, undefined]) =>
        shard === bad ? Promise.reject(new Error('throttled')) : duePage(shard, ...rest),
      hasDue: async () => false,
    });
    const refreshed = rows.filter((row) => dueShardOf(row, DUE_SHARDS) !== bad).length;
    const report = await refreshDueConnections({ ...world.deps, upkeep }, WHOLE, DEADLINE_MS, 'tick');
    expect(report).toEqual({ ...NOTHING, refreshed, failed: 1, finished: false });
    expect(world.metrics.get('SweepShardFailed')).toBe(1);
    expect(world.logged).toEqual([
      ['error', 'a shard of the due index could not be swept', { requestId: 'tick' }, 'throttled'],
    ]);
  });
});
