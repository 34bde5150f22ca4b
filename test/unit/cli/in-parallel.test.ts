import { describe, expect, it } from 'vitest';
import { inParallel } from '../../../packages/cli/bulk/in-parallel.ts';

const numbers = Array.from({ length: 10 }, (_, i) => i);

/** Work that ends on command, and counts how much of it is in flight. */
function heldWork() {
  const held: (() => void)[] = [];
  const state = { started: 0, running: 0, most: 0 };
  const work = async () => {
    state.started++;
    state.running++;
    state.most = Math.max(state.most, state.running);
    await new Promise<void>((resolve) => held.push(resolve));
    state.running--;
  };
  return { work, state, releaseOne: () => held.shift()?.() };
}

/** Lets everything that can continue continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('working through many items', () => {
  it('many items are worked through a few at a time, and all of them', async () => {
    const { work, state, releaseOne } = heldWork();
    const done = inParallel(numbers, 3, work);
    for (let i = 0; i < numbers.length; i++) {
      await settle();
      releaseOne();
    }
    await done;
    expect(state).toEqual({ started: 10, running: 0, most: 3 });
  });

  it('takes no new one once it is stopped, and waits for those under way', async () => {
    const { work, state, releaseOne } = heldWork();
    const stop = new AbortController();
    const done = inParallel(numbers, 3, work, stop.signal);
    await settle();
    stop.abort();
    for (let i = 0; i < 3; i++) releaseOne();
    await done;
    expect(state).toMatchObject({ started: 3, running: 0 });
  });

  it('throws the first failure after the others under way have ended', async () => {
    const ended: number[] = [];
    const work = async (item: number) => {
      if (item === 1) throw new Error('one');
      await settle();
      ended.push(item);
    };
    await expect(inParallel(numbers, 3, work)).rejects.toThrow('one');
    expect(ended).toContain(0);
    expect(ended.length).toBeLessThan(numbers.length);
  });
});
