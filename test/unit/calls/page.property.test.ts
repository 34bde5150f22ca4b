import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BACKGROUND_WORK, LINE_CLASSES } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import {
  type CallSums,
  callsOf,
  decodeEntries,
  encodeEntries,
  foldPages,
  LEVEL_MS,
  PAGE_LEVELS,
  type Page,
  type PageEntry,
  PageFold,
  partsOf,
  placeOf,
  shardOf,
  startAt,
  startOf,
} from '../../../lambdas/gateway/calls/page.rules.ts';
import { drawn } from '../../support/draws.ts';

const few = (...names: string[]) => fc.constantFrom(...names);
const count = fc.nat({ max: 1_000_000 });

const rows: fc.Arbitrary<CallSums> = fc.record({
  account: fc.constant('default'),
  integration: few('google-drive', 'google-calendar', 'dr#ive.é'),
  connection: fc.oneof(few('a', 'b', '"', '\n'), fc.string({ minLength: 1, maxLength: 40 })),
  key: few('0a1b2c3d4e5f', 'ffffffffffff'),
  provider: fc.constant('google-drive'),
  project: fc.option(few('1', '2'), { nil: undefined }),
  class: fc.constantFrom(...LINE_CLASSES),
  calls: fc.integer({ min: 1, max: 1_000 }),
  bytesIn: count,
  bytesOut: count,
  totalMs: count,
  refreshed: count,
  units: count,
  observed: fc.option(few('methods', 'methods:drive.files.delete', 'day.units:drive.files.list'), { nil: undefined }),
  lastEndedAtMs: fc.nat({ max: 2e12 }),
});

function folded(some: readonly CallSums[]): Page {
  const fold = new PageFold();
  for (const row of some) fold.addSums(row);
  return fold.page();
}

/** A page as what it says, whatever order it was made in. */
function said({ lines, entries }: Page) {
  const all = entries.map((entry) => JSON.stringify([entry.kind, entry.ids, entry.sums, entry.lastEpochSec]));
  return { lines, entries: all.sort() };
}

test('PC-21: what feeds and checks call takes of the quota of their Cloud project, named apart, and is no call of anybody', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 20 }), fc.array(rows, { maxLength: 20 }), (called, own) => {
      const background = own.map((row, at) => ({ ...row, key: BACKGROUND_WORK[at % 2] ?? 'feeds' }));
      const page = folded([...called, ...background]);
      const without = folded(called);
      for (const kind of ['integration', 'connection', 'key'] as const) {
        expect(page.entries.filter((entry) => entry.kind === kind)).toEqual(
          without.entries.filter((entry) => entry.kind === kind),
        );
      }
      const unitsOf = (some: readonly CallSums[]) =>
        some.reduce((sum, { project, units }) => sum + (project === undefined ? 0 : units), 0);
      const summed = (ids: number) =>
        page.entries
          .filter((entry) => entry.kind === 'project' && entry.ids.length === ids)
          .reduce((sum, { sums }) => sum + sums.units, 0);
      expect(summed(2)).toBe(unitsOf([...called, ...background]));
      expect(summed(3)).toBe(unitsOf(background));
      expect(decodeEntries(encodeEntries(page.entries))?.length).toBe(page.entries.length);
    }),
  );
});

test('LK-15: a page counts by key and method what limits that only observe would have refused', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 40 }), (some) => {
      const observed = folded(some).entries.filter(({ kind }) => kind === 'observed');
      const counts = new Map<string, number>();
      for (const { key, observed: said, calls } of some) {
        if (said !== undefined) counts.set(`${key} ${said}`, (counts.get(`${key} ${said}`) ?? 0) + calls);
      }
      expect(new Map(observed.map((entry) => [entry.ids.join(' '), callsOf(entry)]))).toEqual(counts);
      expect(decodeEntries(encodeEntries(observed))).toEqual(expect.arrayContaining(observed));
    }),
  );
});

test('a page is the same in whatever order and parts its lines come: minutes make hours, hours days (BK-22)', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rows, fc.nat({ max: 4 })), { maxLength: 40 }), (some) => {
      const whole = folded(some.map(([row]) => row));
      expect(said(folded(some.map(([row]) => row).toReversed()))).toEqual(said(whole));
      const parts = [0, 1, 2, 3, 4].map((part) => folded(some.filter(([, of]) => of === part).map(([row]) => row)));
      expect(said(foldPages(parts))).toEqual(said(whole));
      expect(said(foldPages([foldPages(parts.slice(0, 2)), foldPages(parts.slice(2))]))).toEqual(said(whole));
    }),
  );
});

test('a page counts each line once for its integration, connection and key, and in its class alone (BK-25)', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 40 }), (some) => {
      const page = folded(some);
      const calls = some.reduce((sum, row) => sum + row.calls, 0);
      expect(page.lines).toBe(calls);
      for (const kind of ['integration', 'connection', 'key'] as const) {
        const own = page.entries.filter((entry) => entry.kind === kind);
        expect(own.reduce((sum, entry) => sum + callsOf(entry), 0)).toBe(calls);
        for (const name of ['bytesIn', 'bytesOut', 'totalMs', 'refreshed', 'units'] as const) {
          const wanted = some.reduce((sum, row) => sum + row[name], 0);
          expect(own.reduce((sum, { sums }) => sum + sums[name], 0)).toBe(wanted);
        }
      }
    }),
  );
});

test('entries read back as they were, and a text of another form is read as none', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 40 }), (some) => {
      const page = folded(some);
      const back = decodeEntries(encodeEntries(page.entries)) ?? [];
      expect(said({ lines: page.lines, entries: back })).toEqual(said(page));
    }),
  );
  for (const text of ['', '{}', '[1]', '[["i"]]', '[[["x"],["a","1"]]]', '[[["i"],["a"]]]', '[[["i"],["a","1.2"]]]']) {
    expect(decodeEntries(text), text).toBeUndefined();
  }
});

test('a page is stored with every entry once, each connection in the shard of its ids, and in items below 50 KB (BK-24)', {
  tags: ['drawn'],
}, () => {
  const entries = (connections: number, keys: number): PageEntry[] =>
    folded(
      Array.from({ length: Math.max(connections, keys) }, (_, at) => ({
        account: 'default',
        integration: 'google-drive',
        connection: `3f0c2a8e-7b1d-4c5e-9f00-${String(at % connections).padStart(12, '0')}`,
        key: String(at % keys),
        provider: 'google-drive',
        project: '1',
        class: 'ok',
        calls: 1,
        bytesIn: 0,
        bytesOut: 10_240,
        totalMs: 164,
        refreshed: 0,
        units: 5,
        lastEndedAtMs: 1_772_366_400_000,
      })),
    ).entries.slice();
  for (const [connections, keys] of [
    [1, 1],
    [30, 1],
    [700, 3],
    [drawn(20_000), 10],
    [5, drawn(5_000)],
  ] as const) {
    const all = entries(connections, keys);
    for (const level of PAGE_LEVELS) {
      const page = { lines: 1, entries: all.slice() };
      const { counts, parts } = partsOf(page, level);
      expect(parts.at(-1)?.of).toBe('head');
      expect(said({ lines: 1, entries: parts.flatMap((part) => part.entries) })).toEqual(said(page));
      for (const part of parts) {
        expect(Buffer.byteLength(encodeEntries(part.entries))).toBeLessThan(50_000);
        if (part.of !== 'connections') continue;
        for (const { ids } of part.entries) expect(shardOf(ids, counts.connectionShards)).toBe(part.shard);
      }
      // Connections of days are kept for a shorter time than the rest.
      if (level === 'day') expect(parts.at(-1)?.entries.some(({ kind }) => kind === 'connection')).toBe(false);
    }
  }
});

test('every page has a place of its own, from which its time reads back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(...PAGE_LEVELS), (ms, level) => {
      const startMs = startOf(level, ms);
      const { partition, place } = placeOf({ level, startMs });
      expect(startAt(level, partition, place)).toBe(startMs);
      const next = placeOf({ level, startMs: startMs + LEVEL_MS[level] });
      expect(`${next.partition} ${next.place}` > `${partition} ${place}`).toBe(true);
    }),
  );
});

test('a page of a version that did not count the gateway’s own failures is read as one without any, and 5xx count among its refusals', () => {
  const [old] = decodeEntries('[[["i"],["drive","5.1.......no8.do..tbqg00"]]]') ?? [];
  expect(old).toMatchObject({
    kind: 'integration',
    ids: ['drive'],
    sums: { ok: 5, providerRefused: 1, gatewayFailed: 0 },
  });
  const row = { account: 'default', integration: 'drive', connection: 'a', key: 'k', provider: 'google-drive' };
  const sizes = {
    bytesIn: 0,
    bytesOut: 0,
    totalMs: 3,
    refreshed: 0,
    units: 0,
    lastEndedAtMs: 5000,
    project: undefined,
  };
  const page = folded([
    { ...row, ...sizes, class: 'gatewayFailed', calls: 2 },
    { ...row, ...sizes, class: 'gatewayRefused', calls: 3 },
  ]);
  const [entry] = decodeEntries(encodeEntries(page.entries)) ?? [];
  expect(entry?.sums).toMatchObject({ gatewayRefused: 5, gatewayFailed: 2 });
  expect(entry === undefined ? 0 : callsOf(entry)).toBe(5);
});

test('GA-28: 2xx answers of the provider are counted apart, and a page of an earlier version has none', () => {
  const [old] = decodeEntries('[[["i"],["drive","5.1.......no8.do..tbqg00..2"]]]') ?? [];
  expect(old?.sums.answered).toBe(2);
  expect(decodeEntries('[[["i"],["drive","5.1.......no8.do..tbqg00"]]]')?.[0]?.sums.answered).toBe(0);
});
