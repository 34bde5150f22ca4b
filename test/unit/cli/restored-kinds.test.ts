import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KINDS, RESTORED_TYPES } from '../../../packages/cli/restore/kinds.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../..', name), 'utf8');

/** Cells of the rows of the first table behind a text. */
function tableBehind(text: string, start: string): string[][] {
  const rows = text.slice(text.indexOf(start)).split('\n');
  const first = rows.findIndex((row) => row.startsWith('|---'));
  const end = rows.findIndex((row, i) => i > first && !row.startsWith('|'));
  return rows.slice(first + 1, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const typesIn = (cell = '') => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, type = '']) => type);

describe('what a restore brings back', () => {
  const stored = tableBehind(page('contributing/storage-schema.md'), '| Item | `pk` |');
  const left = tableBehind(page('contributing/restore-leaves-out.md'), 'A restore does not copy:');

  it('ST-26: what a restore brings back is every kind of row in the table, except those that the documents give a reason for', () => {
    const types = stored.flatMap(([, , , type]) => typesIn(type));
    const notCopied = left.flatMap(([, type]) => typesIn(type));
    expect(types.length).toBeGreaterThan(35);
    expect([...new Set(types)].sort()).toEqual([...Object.keys(RESTORED_TYPES), ...notCopied].sort());
    // The one row without a type has its place, too.
    expect(stored.filter(([, , , type]) => type === 'none')).toHaveLength(1);
    expect(left.filter(([, type]) => type === 'none')).toHaveLength(1);
  });

  it('what a restore brings back is counted and said by kinds that all have rows, and every reason is a sentence of its own', () => {
    expect([...new Set(Object.values(RESTORED_TYPES))].sort()).toEqual([...KINDS].sort());
    for (const [what, , why] of left) expect(why, what).toMatch(/\w+/);
  });
});
