// @module-tag first
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { history, look, PERSONS, play, setStage } from './histories.ts';
import { UndoWorld } from './undo-world.ts';

let world: UndoWorld;
beforeAll(async () => {
  world = await UndoWorld.start();
  world.ask = world.ask.bind(world);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const quick = { numRuns: 3, seed: 20261127 };

async function endsEqual(steps: readonly Parameters<typeof play>[3][]): Promise<void> {
  const stage = await setStage(world);
  const before = await look(world, stage);
  const since = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 2));
  for (const step of steps) await play(world, stage, 'agent', step);
  const report = await world.undo(since);
  expect([report.conflicts, report.notUndoable]).toEqual([[], []]);
  expect(Object.fromEntries(await look(world, stage))).toEqual(Object.fromEntries(before));
  const again = await world.undo(since);
  expect([again.undone, again.conflicts]).toEqual([[], []]);
}

describe('random histories', () => {
  test('AP-22: what a key wrote in any order is as it was after one undo: files with their bytes, permissions, events, sharing', async () => {
    await fc.assert(fc.asyncProperty(history, endsEqual), quick);
    expect(world.failures).toEqual([]);
  }, 120_000);

  async function conflictsAreTold(runs: fc.Parameters<unknown>): Promise<void> {
    const person = fc.record({ kind: fc.constantFrom(...PERSONS), object: fc.nat(2), value: fc.nat(1000) });
    await fc.assert(
      fc.asyncProperty(history, person, fc.nat(23), async (steps, changes, at) => {
        const stage = await setStage(world);
        const before = await look(world, stage);
        const since = Date.now();
        await new Promise((resolve) => setTimeout(resolve, 2));
        // The same members that the person changes: what the key did before and does after.
        const own = { ...changes, value: changes.value + 1 };
        const played = steps.filter(({ kind }) => !['trash', 'delete', 'update'].includes(kind));
        const cut = at % (played.length + 1);
        for (const step of played.slice(0, cut)) await play(world, stage, 'agent', step);
        await play(world, stage, 'agent', own);
        const changed = await play(world, stage, 'person', changes);
        const asChanged = (await look(world, stage)).get(changed);
        for (const step of played.slice(cut)) await play(world, stage, 'agent', step);
        const report = await world.undo(since);
        const names = new Set(report.conflicts.map(({ object }) => object?.ids.at(-1)));
        expect([[...names], report.notUndoable]).toEqual([[changed], []]);
        const after = await look(world, stage);
        const member = { rename: 'name', content: 'md5Checksum', patch: 'summary' }[changes.kind];
        expect(after.get(changed)[member]).toEqual(asChanged[member]);
        after.delete(changed);
        before.delete(changed);
        expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before));
      }),
      runs,
    );
  }

  test('AP-22: what a person has changed between is a conflict, stays as it is, and nothing else is one', async () => {
    await conflictsAreTold({ ...quick, numRuns: 2 });
  }, 120_000);

  test('AP-22: what a person has changed in dozens of histories is a conflict, too', {
    tags: ['long'],
    timeout: 600_000,
  }, async () => {
    await conflictsAreTold({ numRuns: 40 });
  });

  test('AP-22: hundreds of histories end equal, too', { tags: ['long'], timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(history, endsEqual), { numRuns: 200 });
  });
});
