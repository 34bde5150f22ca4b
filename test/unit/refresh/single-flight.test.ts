import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SingleFlight } from '../../../lambdas/gateway/tokens/refresher.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('those who come while work runs share its result', async () => {
  const flight = new SingleFlight<number>();
  let runs = 0;
  const work = async () => ++runs;
  const results = await Promise.all([1, 2, 3].map(() => flight.run('key', work, 1_000, () => -1)));
  expect(results).toEqual([1, 1, 1]);
});

test('F12: work that rejects leaves no entry', async () => {
  const flight = new SingleFlight<number>();
  await expect(
    flight.run(
      'key',
      () => Promise.reject(new Error('broken')),
      1_000,
      () => -1,
    ),
  ).rejects.toThrow('broken');
  expect(
    await flight.run(
      'key',
      async () => 2,
      1_000,
      () => -1,
    ),
  ).toBe(2);
});

test('F12: work that never settles gives way at its deadline', async () => {
  const flight = new SingleFlight<number>();
  const waiting = flight.run(
    'key',
    () => new Promise(() => {}),
    1_000,
    () => -1,
  );
  await vi.advanceTimersByTimeAsync(999);
  const late = flight.run(
    'key',
    async () => 2,
    1_000,
    () => -1,
  );
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting).toBe(-1);
  expect(await late, 'joined the entry while it stood').toBe(-1);
  expect(
    await flight.run(
      'key',
      async () => 3,
      1_000,
      () => -1,
    ),
  ).toBe(3);
});

test('different keys do not wait for each other', async () => {
  const flight = new SingleFlight<number>();
  void flight.run(
    'one',
    () => new Promise(() => {}),
    1_000,
    () => -1,
  );
  expect(
    await flight.run(
      'two',
      async () => 2,
      1_000,
      () => -1,
    ),
  ).toBe(2);
});
