import { expect, it } from 'vitest';
import { editDistance } from '../../../lambdas/gateway/core/edit-distance.ts';

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['limit', 'limit', 0],
  ['limt', 'limit', 1],
  ['limits', 'limit', 1],
  ['lamit', 'limit', 1],
  ['ilmit', 'limit', 2],
  ['kitten', 'sitting', 3],
  ['saturday', 'sunday', 3],
])('%j is as far from %j as the letters that must change: %d', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});
