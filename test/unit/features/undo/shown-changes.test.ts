import { expect, test } from 'vitest';
import { shownChanges } from '../../../../lambdas/features/undo/change.rules.ts';

test.each([
  ['nothing is kept', undefined],
  ['the state before is unknown', { touched: ['name'], after: { name: 'b' } }],
  ['the state after is unknown', { touched: ['name'], before: null }],
])('where %s, what a write changed is not known', (_, change) => {
  expect(shownChanges(change)).toBeUndefined();
});

test('a write shows members that differ, of a deletion all, and cuts long values', () => {
  const before = { name: 'a', size: '1', tags: { x: 1 } };
  expect(
    shownChanges({ touched: ['name', 'size', 'tags'], before, after: { ...before, name: 'b'.repeat(600), tags: {} } }),
  ).toEqual([
    { member: 'name', before: 'a', after: `${'b'.repeat(500)}…` },
    { member: 'tags', before: '{"x":1}', after: '{}' },
  ]);
  expect(shownChanges({ touched: ['name'], before, after: null })).toEqual([
    { member: 'name', before: 'a', after: null },
  ]);
  // What the request itself determines counts where nothing was read afterwards.
  expect(shownChanges({ touched: ['name'], before, wrote: { name: 'c' } })).toEqual([
    { member: 'name', before: 'a', after: 'c' },
  ]);
});
