import { expect, test } from 'vitest';
import { reachedTests } from '../../../dev/tools/reached-tests.ts';

const IMPORTS = [
  ['test/unit/a.test.ts', 'lambdas/a.ts'],
  ['lambdas/a.ts', 'lambdas/deep.ts'],
  ['test/unit/b.test.ts', 'lambdas/b.ts'],
  ['test/integration/c.test.ts', 'lambdas/deep.ts'],
  // A circle, as types may form.
  ['lambdas/deep.ts', 'lambdas/a.ts'],
].map(([from = '', to = '']) => ({ from, to }));

const unitTests = (changed: string[]) =>
  reachedTests(changed, IMPORTS).files.filter((file) => /\/[abc]\.test\.ts$/.test(file));

test('a change reaches the unit tests that import it over other files, and no others', () => {
  expect(unitTests(['lambdas/deep.ts'])).toEqual(['test/unit/a.test.ts']);
  expect(unitTests(['lambdas/b.ts'])).toEqual(['test/unit/b.test.ts']);
  expect(unitTests(['docs/page.md'])).toEqual([]);
});

test('a test that starts gateways is reached only where it has changed itself; the others are counted', () => {
  expect(reachedTests(['lambdas/deep.ts'], IMPORTS).gateways).toBe(1);
  expect(unitTests(['test/integration/c.test.ts'])).toEqual(['test/integration/c.test.ts']);
  expect(reachedTests(['test/integration/c.test.ts'], IMPORTS).gateways).toBe(0);
});

test('every change reaches the tests that read the whole project', () => {
  expect(reachedTests(['docs/page.md'], IMPORTS).files).toContain('test/unit/documents.test.ts');
});
