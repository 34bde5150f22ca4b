import { expect, test } from 'vitest';
import { hotKeys, PARTITION_UNITS } from '../../../dev/bench/scale/hot-keys.ts';

test('no partition key is full at the rates that the gateway allows: consents, sessions, deaths, marks of a billion calls', async () => {
  const keys = await hotKeys(100_000, 64);
  const bounded = keys.flatMap(({ what, key, units, atMostASecond }) =>
    atMostASecond === undefined ? [] : [{ what, key, unitsASecond: units * atMostASecond }],
  );
  expect(new Set(bounded.map(({ what }) => what)).size).toBe(4);
  expect(bounded.filter(({ unitsASecond }) => unitsASecond > PARTITION_UNITS)).toEqual([]);
  // The fullest, of 1,000.
  const dead = bounded.find(({ key }) => key === 'LISTED#default#DEAD#');
  expect(dead?.unitsASecond).toBe(800);
});

test('what the bench calls a consent writes to is what a consent writes: its lists, counters, events and search entry', async () => {
  const keys = (await hotKeys(1_000, 64)).filter(({ what }) => what.startsWith('consent'));
  expect(keys.map(({ key }) => key)).toEqual(
    expect.arrayContaining([
      'LISTED#default#INTEGRATION#google-drive',
      'LISTED#default#NAME#',
      'byAccount ACCOUNT#default#CONNECTION',
      'byAccount ACCOUNT#default#EVENT',
      'USAGE#default#2026-03-02',
      'EVENT#default',
    ]),
  );
});
