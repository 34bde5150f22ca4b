import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { type CallSums, LEVEL_MS, type PageEntry, PageFold } from '../../../lambdas/gateway/calls/page.rules.ts';
import { pageReader, pageStore } from '../../../lambdas/gateway/calls/page.store.ts';
import { ROLL_UP_RESERVE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { PageFolder } from '../../../lambdas/roll-up/fold-pages.ts';
import type { Fold } from '../../../lambdas/roll-up/windows.rules.ts';
import { drawn } from '../../support/draws.ts';
import { MINUTE, NOON } from './support/world.ts';

const ACCOUNT = 'default';
const HOUR_OF_NOON: Fold = { account: ACCOUNT, level: 'hour', startMs: NOON, isNew: true };

/** One call of one of many connections. */
function callOf(connection: number, atMs: number): CallSums {
  return {
    ...{ account: ACCOUNT, integration: 'google-drive', connection: `3f0c2a8e-7b1d-4c5e-9f00-${connection}` },
    ...{ key: `key-${connection % 3}`, provider: 'google-drive', project: '123456789012', class: 'ok', calls: 1 },
    ...{ bytesIn: 1, bytesOut: connection, totalMs: 7, refreshed: 0, units: 5, lastEndedAtMs: atMs },
  };
}

/** Pages of minutes with the calls of some connections each, and what folds them. */
class FoldWorld {
  readonly memory = new MemoryTable();
  readonly pages = pageStore(this.memory.table, async () => {});
  /** Calls since the beginning, to hold pages against. */
  readonly #all: CallSums[] = [];
  readonly noted: number[] = [];
  nowMs = NOON;

  async minute(minute: number, connections: readonly number[]): Promise<void> {
    const startMs = NOON + minute * MINUTE;
    const fold = new PageFold();
    for (const connection of connections) {
      const call = callOf(connection, startMs);
      fold.addSums(call);
      this.#all.push(call);
    }
    await this.pages.write(ACCOUNT, { level: 'minute', startMs }, fold.page());
  }

  folder(table = this.memory.table): PageFolder {
    return new PageFolder({
      pages: pageStore(table, async () => {}),
      clock: { nowMs: () => this.nowMs },
      noteLastUses: async (_, day) => void this.noted.push(day.lines),
    });
  }

  /** Folds to the end, each time with a clock that leaves room for so many groups. */
  async foldIn(fold: Fold, groupsAtOnce: number): Promise<number> {
    let left: Fold | undefined = fold;
    let turns = 0;
    while (left !== undefined) {
      turns += 1;
      expect(turns).toBeLessThan(1_000);
      const before = this.nowMs;
      let looks = 0;
      const folder = new PageFolder({
        pages: this.pages,
        clock: { nowMs: () => before + (looks++ < groupsAtOnce ? 0 : ROLL_UP_RESERVE_MS) },
        noteLastUses: async (_, day) => void this.noted.push(day.lines),
      });
      left = await folder.fold(left, before + ROLL_UP_RESERVE_MS);
    }
    return turns;
  }

  /** The page of an hour or day, with all its connections, as a reader finds it. */
  async page(level: 'hour' | 'day', startMs: number) {
    const reader = pageReader(this.memory.table, true);
    const [head] = await reader.heads(ACCOUNT, level, startMs, startMs + LEVEL_MS[level]);
    if (head === undefined) return undefined;
    const connections = await reader.connections(ACCOUNT, level, head);
    return {
      lines: head.lines,
      shards: head.connectionShards,
      entries: [...notConnections(head.entries), ...connections],
    };
  }

  /** The same sums by one fold over all calls. */
  whole(): readonly PageEntry[] {
    const fold = new PageFold();
    for (const call of this.#all) fold.addSums(call);
    return fold.page().entries;
  }
}

const notConnections = (entries: readonly PageEntry[]) => entries.filter(({ kind }) => kind !== 'connection');
const sorted = (entries: readonly PageEntry[]) =>
  entries.map((entry) => JSON.stringify([entry.kind, entry.ids, entry.sums, entry.lastEpochSec])).sort();
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

test('makes an hour of minutes of any size exactly, in however many turns (BK-22)', { tags: ['drawn'] }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          minute: fc.nat({ max: 59 }),
          from: fc.nat({ max: 3_000 }),
          size: fc.constantFrom(1, 30, 700, 3_000),
        }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      fc.integer({ min: 1, max: 5 }),
      async (minutes, groupsAtOnce) => {
        const world = new FoldWorld();
        const byMinute = Map.groupBy(minutes, ({ minute }) => minute);
        for (const [minute, own] of byMinute) {
          await world.minute(
            minute,
            own.flatMap(({ from, size }) => range(from, from + size)),
          );
        }
        await world.foldIn(HOUR_OF_NOON, groupsAtOnce);
        const page = await world.page('hour', NOON);
        expect(sorted(page?.entries ?? [])).toEqual(sorted(world.whole()));
        for (const item of world.memory.ofType('usage_page')) {
          expect(JSON.stringify(item).length).toBeLessThan(200_000);
        }
      },
    ),
    { numRuns: drawn(12) },
  );
});

test('finds one connection of an hour that was made in groups', async () => {
  const world = new FoldWorld();
  for (const minute of [0, 7, 59]) await world.minute(minute, range(0, 5_000));
  expect(await world.foldIn(HOUR_OF_NOON, 2)).toBeGreaterThan(1);
  const reader = pageReader(world.memory.table, true);
  const [head] = await reader.heads(ACCOUNT, 'hour', NOON, NOON + LEVEL_MS.hour);
  if (head === undefined) throw new Error('The hour has no page');
  expect(head.connectionShards).toBeGreaterThan(1);
  const ref = { integrationId: 'google-drive', connectionId: '3f0c2a8e-7b1d-4c5e-9f00-4321' };
  const [found] = await reader.connections(ACCOUNT, 'hour', head, ref);
  expect(found?.sums.ok).toBe(3);
});

test('writes every group again where lines came late between two turns (BK-22)', async () => {
  const world = new FoldWorld();
  await world.minute(0, range(0, 5_000));
  let looks = 0;
  const folder = new PageFolder({
    pages: world.pages,
    clock: { nowMs: () => NOON + (looks++ < 3 ? 0 : ROLL_UP_RESERVE_MS) },
    noteLastUses: async () => {},
  });
  const left = await folder.fold(HOUR_OF_NOON, NOON + ROLL_UP_RESERVE_MS);
  expect(left?.begun?.done).toBe(3);
  expect(await world.page('hour', NOON)).toBeUndefined();
  await world.minute(1, range(0, 6_000));
  if (left === undefined) throw new Error('The fold is done');
  await world.foldIn(left, 4);
  expect(sorted((await world.page('hour', NOON))?.entries ?? [])).toEqual(sorted(world.whole()));
});

test('never replaces a page by one of fewer lines, also where another process writes meanwhile (BK-22)', async () => {
  const world = new FoldWorld();
  await world.minute(0, range(0, 2_000));
  let isFirst = true;
  const slow = world.folder(
    world.memory.through(async (call, key) => {
      if (isFirst && String(key.pk).includes('#hour#')) {
        isFirst = false;
        // Another process reads a late minute and makes the hour of both.
        await world.minute(1, range(0, 2_500));
        await world.foldIn(HOUR_OF_NOON, 1_000);
      }
      return call();
    }),
  );
  let left: Fold | undefined = HOUR_OF_NOON;
  for (let turn = 0; left !== undefined && turn < 5; turn += 1) left = await slow.fold(left, NOON + 60 * MINUTE);
  expect(left).toBeUndefined();
  const page = await world.page('hour', NOON);
  expect(page?.lines).toBe(4_500);
  expect(sorted(page?.entries ?? [])).toEqual(sorted(world.whole()));
});

test('notes the last uses of a day before its page is there, once (BK-25)', async () => {
  const world = new FoldWorld();
  await world.minute(0, range(0, 3_000));
  await world.foldIn(HOUR_OF_NOON, 1_000);
  await world.foldIn({ ...HOUR_OF_NOON, level: 'day', startMs: NOON - 12 * LEVEL_MS.hour }, 2);
  expect(world.noted).toEqual([3_000]);
  expect((await world.page('day', NOON - 12 * LEVEL_MS.hour))?.lines).toBe(3_000);
  await world.foldIn({ ...HOUR_OF_NOON, level: 'day', startMs: NOON - 12 * LEVEL_MS.hour }, 2);
  expect(world.noted).toEqual([3_000]);
});
