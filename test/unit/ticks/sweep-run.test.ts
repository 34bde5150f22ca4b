import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { DUE_LOOK_MAX_ENTRIES } from '../../../lambdas/gateway/core/limits.ts';
import { dueIndex, sliceLeases } from '../../../lambdas/gateway/ticks/slice.store.ts';
import { type SlicedWork, type SliceRun, sweepSlice } from '../../../lambdas/gateway/ticks/sweep-run.ts';

const LEASE_MS = 90_000;
const START_MS = Date.UTC(2026, 10, 23);
const SHARDS = Array.from({ length: 8 }, (_, i) => i);
const KIND = 64;

/** A table with entries of the due index, and the processes that sweep it. */
class World {
  readonly table = new MemoryTable();
  nowMs = START_MS;
  readonly counted: string[] = [];
  readonly logged: string[] = [];
  calls = 0;
  isBroken = false;
  #runs = 0;

  /** An entry that is due since so many seconds. */
  due(partition: number, sinceSec = 10, name = `${this.table.items.size}`): void {
    const refreshAt = Math.floor(START_MS / 1000) - sinceSec;
    this.table.put({ pk: `WORK#${name}`, sk: 'WORK', dueShard: partition, refreshAt });
  }

  /** The table as the process sees it. */
  readonly #seen = this.table.through((call) => {
    this.calls++;
    if (this.isBroken) throw Object.assign(new Error('away'), { name: 'TimeoutError' });
    return call();
  });
  readonly #dueIndex = dueIndex(this.#seen);

  /** One tick, in a process whose clock is off by so much. */
  tick<T>(
    run: (slice: SliceRun) => Promise<T>,
    more: { skewMs?: number; count?: number } = {},
  ): Promise<T | undefined> {
    const log = (message: string) => void this.logged.push(message);
    const deps = {
      leases: sliceLeases(this.#seen),
      dueIndex: this.#dueIndex,
      clock: { nowMs: () => this.nowMs + (more.skewMs ?? 0) },
      metrics: { count: (name: string) => void this.counted.push(name) },
      logger: { info: log, warn: log, error: log },
      sliceLeaseMs: LEASE_MS,
    };
    const work: SlicedWork = {
      sweeper: 'refresh',
      index: 0,
      count: more.count ?? 1,
      shards: SHARDS,
      partitionsOf: (shard) => [shard, KIND + shard],
    };
    return sweepSlice(deps, work, `run-${++this.#runs}`, run);
  }

  /** A tick that works until the test ends it; one that never ends has crashed. */
  begin(more: { skewMs?: number } = {}) {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<SliceRun | undefined>();
    const ended = this.tick(async (slice) => {
      begun.resolve(slice);
      await end.promise;
      return 'done';
    }, more);
    ended.then(() => begun.resolve(undefined));
    const endIt = () => {
      end.resolve();
      return ended;
    };
    return { slice: begun.promise, end: endIt };
  }
}

/** A world with something to do. */
function busyWorld(): World {
  const world = new World();
  world.due(3);
  return world;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('ST-28: one run a slice', () => {
  test('a tick whose slice is held ends after two calls and is counted; the next one after the end continues', async () => {
    const world = busyWorld();
    const first = world.begin();
    await first.slice;
    world.calls = 0;
    expect(await world.tick(async () => 'done')).toBeUndefined();
    expect(world.calls).toBe(2);
    expect(world.counted).toEqual(['SweepSkipped']);
    expect(await first.end()).toBe('done');
    expect(await world.tick(async () => 'done')).toBe('done');
    expect(world.counted).toHaveLength(1);
  });

  test('two ticks at once: one of them works', async () => {
    const world = busyWorld();
    const [one, other] = await Promise.all([world.tick(settled), world.tick(settled)].map((tick) => tick.then(String)));
    // The work itself returns `undefined`, too: the count shows which tick worked.
    expect([one, other]).toEqual(['undefined', 'undefined']);
    expect(world.counted).toEqual(['SweepSkipped']);
  });

  test('a run that died frees its slice after 90 s and no sooner', async () => {
    const world = busyWorld();
    await world.begin().slice;
    world.nowMs += LEASE_MS - 1;
    expect(await world.tick(async () => 'done')).toBeUndefined();
    world.nowMs += 1;
    expect(await world.tick(async () => 'done')).toBe('done');
  });

  test('a run of five minutes keeps its slice by renewing it, one write each half minute', async () => {
    const world = busyWorld();
    const run = world.begin();
    const slice = await run.slice;
    world.calls = 0;
    for (let second = 0; second < 300; second++) {
      world.nowMs += 1_000;
      expect(slice?.isHeld()).toBe(true);
      await settled();
    }
    expect(world.calls).toBe(9);
    expect(await world.tick(async () => 'done')).toBeUndefined();
    await run.end();
  });

  test('a late run whose slice was taken over takes up nothing more, and does not free the slice of the other', async () => {
    const world = busyWorld();
    const late = world.begin();
    const slice = await late.slice;
    world.nowMs += LEASE_MS + 5_000;
    const other = world.begin();
    expect(await other.slice).toBeDefined();
    expect(slice?.isHeld()).toBe(false);
    await settled();
    world.nowMs += 1_000;
    expect(slice?.isHeld()).toBe(false);
    await late.end();
    expect(await world.tick(async () => 'done'), 'still the other one').toBeUndefined();
    expect((await other.slice)?.isHeld()).toBe(true);
    await other.end();
  });

  test('a late run that ends without a further look does not free the slice of the other', async () => {
    const world = busyWorld();
    const late = world.begin();
    await late.slice;
    world.nowMs += LEASE_MS;
    const other = world.begin();
    await other.slice;
    expect(await late.end()).toBe('done');
    expect(await world.tick(async () => 'done')).toBeUndefined();
    await other.end();
  });

  test('a late run that nobody took over continues', async () => {
    const world = busyWorld();
    const late = world.begin();
    const slice = await late.slice;
    world.nowMs += LEASE_MS + 5_000;
    expect(slice?.isHeld()).toBe(false);
    await settled();
    expect(slice?.isHeld()).toBe(true);
    await late.end();
  });

  test('a clock that is a day ahead keeps the others away for no longer than they would wait anyway', async () => {
    const world = busyWorld();
    await world.begin({ skewMs: 24 * 3600_000 }).slice;
    expect(await world.tick(async () => 'done')).toBe('done');
  });

  test('a table that takes no lease keeps no work from being done', async () => {
    const world = busyWorld();
    world.isBroken = true;
    const run = world.begin();
    const slice = await run.slice;
    world.nowMs += 10 * LEASE_MS;
    expect(slice?.shards).toEqual(SHARDS);
    expect(slice?.isHeld()).toBe(true);
    expect(await run.end()).toBe('done');
    expect(world.logged).toHaveLength(3);
  });

  test('no two runs hold a slice at the same time, whichever of them starts, dies, stops or continues', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('start' as const) }),
      fc.record({ kind: fc.constant('end' as const), which: fc.nat(5) }),
      fc.record({ kind: fc.constant('die' as const), which: fc.nat(5) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120_000 }) }),
      fc.record({ kind: fc.constant('look' as const), which: fc.nat(5) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = busyWorld();
        const running: { readonly slice: SliceRun; end(): Promise<unknown> }[] = [];
        for (const one of steps) {
          const which = 'which' in one ? one.which % Math.max(1, running.length) : 0;
          if (one.kind === 'wait') world.nowMs += one.ms;
          else if (one.kind === 'look') running[which]?.slice.isHeld();
          else if (one.kind === 'end') await running.splice(which, 1)[0]?.end();
          else if (one.kind === 'die') running.splice(which, 1);
          else {
            const run = world.begin();
            const slice = await run.slice;
            if (slice !== undefined) running.push({ slice, end: run.end });
          }
          await settled();
          expect(running.filter(({ slice }) => slice.isHeld()).length).toBeLessThanOrEqual(1);
          await settled();
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('ST-24: an idle tick', () => {
  test('costs one read and no write, whatever is due later or is of another kind', async () => {
    const world = new World();
    world.due(3, -60);
    world.due(3 + 2 * KIND);
    expect(await world.tick(async ({ shards }) => shards)).toEqual([]);
    expect(world.calls).toBe(1);
    expect(world.table.ofType('sweep_slice')).toEqual([]);
  });

  test('sweeps every shard in which something is due and, of a small index, no other', async () => {
    const entry = fc.record({ partition: fc.nat(3 * KIND), sinceSec: fc.integer({ min: -100, max: 100 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 30 }), async (entries) => {
        const world = new World();
        for (const { partition, sinceSec } of entries) world.due(partition, sinceSec);
        const due = new Set(entries.filter(({ sinceSec }) => sinceSec >= 0).map(({ partition }) => partition));
        const wanted = SHARDS.filter((shard) => due.has(shard) || due.has(KIND + shard));
        expect(await world.tick(async ({ shards }) => shards)).toEqual(wanted);
      }),
    );
  });

  test('asks every shard where the index is too large for one read, and reads it at once again after an hour', async () => {
    const world = new World();
    for (let i = 0; i < DUE_LOOK_MAX_ENTRIES; i++) world.due(5, -60);
    expect(await world.tick(async ({ shards }) => shards)).toEqual(SHARDS);
    world.calls = 0;
    expect(await world.tick(async ({ shards }) => shards)).toEqual(SHARDS);
    expect(world.calls, 'taken and given back, not looked at').toBe(2);
    world.table.items.clear();
    world.nowMs += 3_600_000;
    expect(await world.tick(async ({ shards }) => shards)).toEqual([]);
  });

  test('an idle tick of one slice among many asks the shards of its slice', async () => {
    const world = busyWorld();
    expect(await world.tick(async ({ shards }) => shards, { count: 8 })).toEqual(SHARDS);
  });
});
