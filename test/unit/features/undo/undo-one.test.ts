import { afterAll, beforeAll, expect, test } from 'vitest';
import { UndoWorld } from './undo-world.ts';

let world: UndoWorld;
beforeAll(async () => {
  world = await UndoWorld.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());

test('AP-21: a single write is undone, and not while a later one stands on it', async () => {
  const path = '/drive/v3/files';
  const { id } = await world.ask('person', 'POST', path, { name: 'before' });
  const other = await world.ask('person', 'POST', path, { name: 'other' });
  const sinceMs = world.clock.nowMs();
  await world.ask('agent', 'PATCH', `${path}/${id}`, { name: 'one' });
  await world.ask('agent', 'PATCH', `${path}/${other.id}`, { name: 'changed' });
  await world.ask('agent', 'PATCH', `${path}/${id}`, { name: 'two' });
  const planned = await world.undoOnce(sinceMs, { dryRun: true });
  const [second, ofOther, first] = planned.undone.map(({ row }) => row.rowId);
  const name = async (of: string) => (await world.ask('person', 'GET', `${path}/${of}?fields=name`)).name;
  const early = await world.undoOnce(sinceMs, { only: first ?? '' });
  expect([early.undone, early.conflicts.map(({ row }) => row.rowId)]).toEqual([[], [first]]);
  expect((await world.undoOnce(sinceMs, { only: ofOther ?? '' })).undone).toHaveLength(1);
  expect([await name(id), await name(other.id)]).toEqual(['two', 'other']);
  expect((await world.undoOnce(sinceMs, { only: second ?? '' })).undone).toHaveLength(1);
  expect((await world.undoOnce(sinceMs, { only: first ?? '' })).undone).toHaveLength(1);
  expect(await name(id)).toBe('before');
});

test('a dry run of one write shows what it changed, before and after, and no other run does', async () => {
  const path = '/drive/v3/files';
  const { id } = await world.ask('person', 'POST', path, { name: 'before', description: 'kept' });
  const sinceMs = world.clock.nowMs();
  await world.ask('agent', 'PATCH', `${path}/${id}`, { name: 'after', starred: true });
  const made = await world.ask('agent', 'POST', path, { name: 'new' });
  const planned = await world.undoOnce(sinceMs, { dryRun: true });
  expect(planned.undone.map(({ changes }) => changes)).toEqual([undefined, undefined]);
  const look = async (only: string) => (await world.undoOnce(sinceMs, { only, dryRun: true })).undone[0]?.changes;
  const [creation, change] = planned.undone.map(({ row }) => row.rowId);
  expect(await look(change ?? '')).toEqual([
    { member: 'name', before: 'before', after: 'after' },
    { member: 'starred', before: 'false', after: 'true' },
  ]);
  expect(await look(creation ?? '')).toContainEqual({ member: 'name', before: null, after: 'new' });
  expect((await world.undoOnce(sinceMs, { only: change ?? '' })).undone[0]?.changes).toBeUndefined();
  expect((await world.ask('person', 'GET', `${path}/${made.id}?fields=name`)).name).toBe('new');
});
