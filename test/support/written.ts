import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';

/** Fails where a generated file is not up to date: with the command that writes it, and only the first wrong line of the file. */
export function expectWritten(path: string, wanted: string): void {
  const file = join(PROJECT_ROOT, path);
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (written === wanted) return;
  const lines = wanted.split('\n');
  const before = written.split('\n');
  const line = [...lines, undefined].findIndex((text, index) => text !== before[index]);
  expect.fail(
    `Run \`npm run generate\`: ${path}:${line + 1} is not up to date. It would write there: ${(lines[line] ?? 'the end').slice(0, 200)}`,
  );
}
