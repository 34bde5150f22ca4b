import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultIds, faultOf } from '../faults/support/elsewhere.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'faults.md'), 'utf8');

test('docs/faults.md has a line for every fault, and no row of it fails', () => {
  const lines = PAGE.split('\n').filter((line) => line.startsWith('| F'));
  const named = new Set(lines.map(faultOf));
  expect(faultIds().filter((id) => !named.has(id))).toEqual([]);
  expect(lines.filter((line) => line.includes('❌'))).toEqual([]);
});
