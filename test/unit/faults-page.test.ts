import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeElsewhere, faultIds, faultOf } from '../faults/support/elsewhere.ts';
import { readSection } from '../faults/support/page.ts';
import { MUTATIONS } from '../faults/support/removals.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(PROJECT_ROOT, 'contributing', 'faults.md'), 'utf8');

test('contributing/faults.md has a line for every fault, and no row of it fails', () => {
  const lines = PAGE.split('\n').filter((line) => line.startsWith('| F'));
  const named = new Set(lines.map(faultOf));
  expect(faultIds().filter((id) => !named.has(id))).toEqual([]);
  expect(lines.filter((line) => line.includes('❌'))).toEqual([]);
});

test('contributing/faults.md names the tests that show what the matrix does not run (if not: run npm run test:faults)', () => {
  const inMatrix = new Set(readSection('result').flatMap((line) => faultOf(line) ?? []));
  expect(readSection('elsewhere').join('\n').trim()).toBe(describeElsewhere(inMatrix));
});

test('every safeguard that `npm run mutations` takes away is where it looks for it', () => {
  const edits = MUTATIONS.flatMap((one) => [one, ...(one.more ?? [])]);
  const lost = edits.filter(({ file, find }) => !readFileSync(join(PROJECT_ROOT, file), 'utf8').includes(find));
  expect(lost.map(({ file, find }) => `${file} no longer has ${find}`)).toEqual([]);
});
