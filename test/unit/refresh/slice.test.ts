import { describe, expect, it } from 'vitest';
import { DUE_PARTITIONS, DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { dueShardOf } from '../../../lambdas/gateway/core/identifiers.ts';
import { SWEEP_RESERVE_MS } from '../../../lambdas/gateway/core/limits.ts';
import type { DueWork } from '../../../lambdas/gateway/feature-dependencies.ts';
import {
  kindsOfShard,
  readAskedWork,
  readSlice,
  refreshDueConnections,
  shardsOf,
} from '../../../lambdas/refresh/sweep.ts';
import { DEADLINE_MS, dueRows, fresh, schedule, WHOLE } from './support/schedule.ts';

/** As security events have it. */
const FIRST_PARTITION = 4 * DUE_SHARDS;

const featureWork = (sweep: DueWork['sweep']): DueWork => ({
  firstPartition: FIRST_PARTITION,
  sweep,
  member: 'work',
  asked: async () => undefined,
});

describe('slices of the due index (F86)', () => {
  it.each([1, 2, 4, 8, 16, 32, 64])('%d of them hold every shard once', (count) => {
    const shards = Array.from({ length: count }, (_, index) => shardsOf(readSlice({ slice: { index, count } }))).flat();
    expect(shards.sort((a, b) => a - b)).toEqual(Array.from({ length: DUE_SHARDS }, (_, i) => i));
  });

  it('slices of the due index ask three partitions for each shard and one for the work of each feature, which belong to no other, and with the first one for domains', () => {
    const work = featureWork(async () => undefined);
    const partitions = shardsOf({ index: 0, count: 1 }).flatMap((shard) => kindsOfShard(shard, [work]));
    const statements = Array.from({ length: DUE_SHARDS }, (_, i) => FIRST_PARTITION + i);
    const domains = [DUE_PARTITIONS.lostDomains, DUE_PARTITIONS.workingDomains];
    const others = Array.from({ length: 3 * DUE_SHARDS }, (_, i) => i);
    expect(partitions.toSorted((a, b) => a - b)).toEqual([...others, ...statements, ...domains]);
    expect(kindsOfShard(0)).toEqual(expect.arrayContaining(domains));
  });

  it('slices of the due index begin only the kinds of work of which something is due', async () => {
    const rows = dueRows(1_000)
      .filter((row) => dueShardOf(row, DUE_SHARDS) === 7)
      .slice(0, 3);
    const statements: number[] = [];
    const run = async (due: ReadonlySet<number> | undefined, waiting = due) => {
      const { deps, sideWork, refreshed, script } = schedule(rows, fresh);
      script.hasDue = (partition) => waiting?.has(partition) !== false;
      const dueWorks = [featureWork(async (shard) => void statements.push(shard))];
      await refreshDueConnections({ ...deps, dueWorks }, { ...WHOLE, shards: [7], due }, DEADLINE_MS, 'run');
      return { sideWork, refreshed, statements: statements.splice(0) };
    };
    expect(await run(new Set([2 * DUE_SHARDS + 7]))).toEqual({ sideWork: ['escrow 7'], refreshed: [], statements: [] });
    expect(await run(new Set([DUE_SHARDS + 7]))).toMatchObject({ sideWork: ['revocations 7'], statements: [] });
    const ofStatements = new Set([FIRST_PARTITION + 7]);
    expect(await run(ofStatements)).toEqual({ sideWork: [], refreshed: [], statements: [7] });
    expect(await run(undefined, ofStatements)).toMatchObject({ sideWork: [], statements: [7] });
    expect(await run(undefined)).toMatchObject({ sideWork: ['escrow 7', 'revocations 7'], statements: [7] });
    const refreshed = rows.map(({ connectionId }) => connectionId);
    expect(await run(new Set([7]))).toEqual({ sideWork: [], refreshed, statements: [] });
  });

  it('slices of the due index ask for domains where some are due, with the first shard alone', async () => {
    const asked: number[] = [];
    const run = async (shard: number, due: ReadonlySet<number> | undefined, waiting = due) => {
      const { deps, script } = schedule([], fresh);
      script.hasDue = (partition) => waiting?.has(partition) !== false;
      const askDomains = async (untilMs: number) => void asked.push(untilMs);
      await refreshDueConnections({ ...deps, askDomains }, { ...WHOLE, shards: [shard], due }, DEADLINE_MS, 'run');
      return asked.splice(0).length;
    };
    for (const partition of [DUE_PARTITIONS.lostDomains, DUE_PARTITIONS.workingDomains]) {
      const due = new Set<number>([partition]);
      expect([await run(0, due), await run(1, due), await run(0, new Set([0]))]).toEqual([1, 0, 0]);
      expect([await run(0, undefined, due), await run(0, undefined, new Set())]).toEqual([1, 0]);
    }
  });

  it('slices of the due index end well where domains cannot be asked for', async () => {
    const { deps, metrics, refreshed, logged } = schedule(dueRows(3), fresh);
    const asked: unknown[][] = [];
    const askDomains = (...args: unknown[]) => {
      asked.push(args);
      return Promise.reject(new Error('no table'));
    };
    const report = await refreshDueConnections({ ...deps, askDomains }, WHOLE, DEADLINE_MS, 'run');
    expect([report.finished, refreshed.length, metrics.get('SweepShardFailed')]).toEqual([false, 3, 1]);
    expect(asked).toEqual([[DEADLINE_MS - SWEEP_RESERVE_MS, 'run']]);
    expect(logged).toEqual([['error', 'domains could not be asked for', { requestId: 'run' }, 'no table']]);
  });

  it('slices of the due index continue with other shards where the feature’s work of one cannot be read, and leave the function its last seconds', async () => {
    const { deps, metrics, logged } = schedule([], fresh);
    const worked: unknown[][] = [];
    const work = featureWork(async (...args) => {
      worked.push(args);
      if (args[0] === 7) throw new Error('no table');
    });
    const dueWorks = [work];
    const run = { ...WHOLE, shards: [5, 6, 7, 8] };
    const report = await refreshDueConnections({ ...deps, dueWorks }, run, DEADLINE_MS, 'run');
    expect(worked.toSorted()).toEqual([5, 6, 7, 8].map((shard) => [shard, DEADLINE_MS - SWEEP_RESERVE_MS, 'run']));
    expect([report.finished, metrics.get('SweepShardFailed')]).toEqual([false, 1]);
    const said = 'a shard of the due index could not be swept';
    expect(logged).toEqual([['error', said, { requestId: 'run' }, 'no table']]);
  });

  it('slices of the due index begin with no feature’s work once their time is over', async () => {
    const { deps, state } = schedule([], fresh);
    const worked: number[] = [];
    const work = featureWork(async (shard) => {
      worked.push(shard);
      state.nowMs = DEADLINE_MS - SWEEP_RESERVE_MS;
    });
    const dueWorks = [work];
    const run = { ...WHOLE, shards: Array.from({ length: 64 }, (_, shard) => shard) };
    const report = await refreshDueConnections({ ...deps, dueWorks }, run, DEADLINE_MS, 'run');
    expect(report.finished).toBe(false);
    expect(worked.length).toBeLessThan(64);
  });

  it('slices of the due index are the whole index where the event names none', () => {
    for (const event of [undefined, null, {}, 'x', { time: 'now' }])
      expect(readSlice(event)).toEqual({ index: 0, count: 1 });
  });

  it('slices of the due index are not what an event names that asks for a feature’s work', () => {
    const work = featureWork(async () => undefined);
    expect(readAskedWork({ work: { id: 1 } }, [work])).toEqual({ work, wish: { id: 1 } });
    for (const event of [undefined, null, 'tick', { slice: { index: 0, count: 1 } }, { other: 1 }])
      expect(readAskedWork(event, [work])).toBeUndefined();
  });

  it.each([
    { index: 0, count: 3 },
    { index: 0, count: 65 },
    { index: 4, count: 4 },
    { index: -1, count: 4 },
    { index: 0, count: 0 },
    { index: 0.5, count: 4 },
    { index: '0', count: 4 },
    { index: 0, count: '4' },
    { index: -2, count: -1 },
    { index: -1, count: -64 },
    { index: 0 },
    {},
    null,
    'all',
  ])('slices of the due index refuse %j', (slice) => {
    expect(() => readSlice({ slice })).toThrow('The slice must be');
  });
});
