import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';

/** Fails, with the command that mends it and nothing of the file but its first wrong line, where a generated file is not up to date. */
export function expectWritten(path: string, wanted: string, command: string): void {
  const written = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (written === wanted) return;
  const lines = wanted.split('\n');
  const before = written.split('\n');
  const line = [...lines, undefined].findIndex((text, index) => text !== before[index]);
  expect.fail(
    `${relative(PROJECT_ROOT, path)}:${line + 1} is not what its sources say: run \`${command}\`. It wants there: ${(lines[line] ?? 'the end').slice(0, 200)}`,
  );
}
