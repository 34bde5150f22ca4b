import { describe, expect, test } from 'vitest';
import { DUE_SHARDS } from '../../../lambdas/gateway/contract.ts';
import {
  SWEEP_BRAKE_AFTER_FAILURES,
  SWEEP_CONCURRENCY,
  SWEEP_PAGE_SIZE,
} from '../../../lambdas/gateway/core/limits.ts';
import { dueShardOf } from '../../../lambdas/gateway/tokens/freshness.rules.ts';
import { refreshDueConnections, type SweepDependencies } from '../../../lambdas/refresh/sweep.ts';
import { fake } from '../support/fake.ts';
import { connection, START_SEC } from './support/connection.ts';
import { DEADLINE_MS, dueRows, fresh, schedule, WHOLE } from './support/schedule.ts';

describe('a run of the schedule', () => {
  test('does everything due once, never more than its concurrency at a time, and reports the oldest', async () => {
    let running = 0;
    let most = 0;
    const run = schedule(dueRows(500), async (row) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return fresh(row);
    });
    expect(await refreshDueConnections(run.deps, WHOLE, DEADLINE_MS, 'tick')).toMatchObject({
      refreshed: 500,
      finished: true,
    });
    expect(new Set(run.refreshed).size).toBe(500);
    expect(most).toBeLessThanOrEqual(SWEEP_CONCURRENCY);
    expect(run.metrics.get('OldestDueAgeSec')).toBe(700);
  });

  test('covers its slice and no other shard', async () => {
    const all = dueRows(300);
    const run = schedule(all, fresh);
    await refreshDueConnections(run.deps, { index: 1, count: 4 }, DEADLINE_MS, 'tick');
    const mine = all.filter((row) => Math.floor(dueShardOf(row, DUE_SHARDS) / 16) === 1);
    expect(run.refreshed.toSorted()).toEqual(mine.map(({ connectionId }) => connectionId).toSorted());
  });

  test('F87: a whole page of rows that always fail does not hide what is due behind it', async () => {
    const shard = dueShardOf(connection({ connectionId: 'c0' }), DUE_SHARDS);
    const crowded = dueRows(20_000)
      .filter((row) => dueShardOf(row, DUE_SHARDS) === shard)
      .slice(0, SWEEP_PAGE_SIZE + 5);
    const last = crowded.at(-1)?.connectionId;
    const run = schedule(crowded, (row) =>
      row.connectionId === last ? fresh(row) : Promise.reject(new Error('poisoned')),
    );
    const report = await refreshDueConnections(run.deps, WHOLE, DEADLINE_MS, 'tick');
    expect(report).toMatchObject({ refreshed: 1, failed: SWEEP_PAGE_SIZE + 4 });
    expect(run.postponed).toHaveLength(SWEEP_PAGE_SIZE + 4);
  });

  test('a shard that cannot be read stops no other, and the run says it is not finished', async () => {
    const rows = dueRows(100);
    const bad = dueShardOf(connection({ connectionId: 'c0' }), DUE_SHARDS);
    const run = schedule(rows, fresh);
    const { duePage } = run.deps.upkeep;
    const upkeep = fake<SweepDependencies['upkeep']>({
      duePage: (shard: number, ...rest: [number, number, undefined]) =>
        shard === bad ? Promise.reject(new Error('throttled')) : duePage(shard, ...rest),
    });
    const deps: SweepDependencies = { ...run.deps, upkeep };
    const report = await refreshDueConnections(deps, WHOLE, DEADLINE_MS, 'tick');
    const others = rows.filter((row) => dueShardOf(row, DUE_SHARDS) !== bad);
    expect(report).toMatchObject({ refreshed: others.length, finished: false });
  });

  test('gives the provider a rest after failures in a row, and the rest stays due', async () => {
    const run = schedule(dueRows(1_000), async () => ({ kind: 'transient', reason: 'http_503', retryAfterSec: 20 }));
    const report = await refreshDueConnections(run.deps, WHOLE, DEADLINE_MS, 'tick');
    expect(report.finished).toBe(false);
    expect(run.refreshed.length).toBeLessThanOrEqual(SWEEP_BRAKE_AFTER_FAILURES + SWEEP_CONCURRENCY);
    expect(run.metrics.get('SweepBraked')).toBe(1);
  });

  test('back-offs that were there before are no failures of the provider', async () => {
    const run = schedule(dueRows(100), async () => ({
      kind: 'transient',
      reason: 'refresh_backoff',
      retryAfterSec: 30,
    }));
    expect(await refreshDueConnections(run.deps, WHOLE, DEADLINE_MS, 'tick')).toMatchObject({
      putOff: 100,
      finished: true,
    });
    expect(run.rescheduled).toEqual(Array.from({ length: 100 }, () => START_SEC + 30));
  });

  test('starts nothing when its time is nearly over', async () => {
    const run = schedule(dueRows(10), fresh);
    const report = await refreshDueConnections(run.deps, WHOLE, START_SEC * 1000 + 5_000, 'tick');
    expect(report).toMatchObject({ refreshed: 0, finished: false });
    expect(run.refreshed).toEqual([]);
  });

  test.each(['deleted', 'reauthorization_required'] as const)(
    'F83: takes a %s row out of the index without a refresh',
    async (status) => {
      const run = schedule([connection({ status })], fresh);
      expect(await refreshDueConnections(run.deps, WHOLE, DEADLINE_MS, 'tick')).toMatchObject({
        skipped: 1,
        refreshed: 0,
      });
      expect(run.rescheduled).toEqual([undefined]);
      expect(run.refreshed).toEqual([]);
    },
  );
});
