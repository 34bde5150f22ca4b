import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', '..', '..', 'contributing', 'faults.md');

/**
 * Replaces what stands in contributing/faults.md between `<!-- name: … -->` and `<!-- end of name -->`.
 *
 * @throws Error when the page has no such section
 */
export function writeSection(name: string, text: string): void {
  const { page, start, end } = findSection(name);
  writeFileSync(FILE, `${page.slice(0, start)}\n\n${text}\n\n${page.slice(end)}`);
}

/** Lines of such a section. @throws Error when the page has none of that name */
export function readSection(name: string): string[] {
  const { page, start, end } = findSection(name);
  return page.slice(start, end).split('\n');
}

function findSection(name: string): { page: string; start: number; end: number } {
  const page = readFileSync(FILE, 'utf8');
  const start = page.indexOf('-->', page.indexOf(`<!-- ${name}:`)) + '-->'.length;
  const end = page.indexOf(`<!-- end of ${name} -->`);
  if (!page.includes(`<!-- ${name}:`) || end < start) throw new Error(`contributing/faults.md has no section ${name}`);
  return { page, start, end };
}
