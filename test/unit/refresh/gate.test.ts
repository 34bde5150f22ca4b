import { expect, test } from 'vitest';
import { Gate } from '../../../lambdas/gateway/core/gate.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a gate lets its width through at a time, in order, and hands every place on', async () => {
  const gate = new Gate(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((index) =>
    gate.run(() => {
      started.push(index);
      return new Promise<number>((resolve) => ends.push(() => resolve(index)));
    }),
  );
  await turn();
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await turn();
  expect(started).toEqual([0, 1, 2]);
  for (const index of [0, 2]) ends[index]?.();
  await turn();
  ends[3]?.();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test('work that fails gives its place back', async () => {
  const gate = new Gate(1);
  await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate.run(async () => 'next')).toBe('next');
  expect(await gate.run(async () => 'again')).toBe('again');
});
