import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headComment } from '../../../dev/tools/help.ts';
import { namedScripts } from '../../../dev/tools/named-scripts.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

const page = readFileSync(join(PROJECT_ROOT, 'CONTRIBUTING.md'), 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'),
);

/** Commands that start a program by its file, which only Node 24 can run. */
function bareCommands(text: string): string[] {
  return [...text.matchAll(/`node [^`]*`/g)].map(([command]) => command);
}

describe('the commands that CONTRIBUTING.md names', () => {
  it('the commands that CONTRIBUTING.md names are all npm scripts, which run on the Node that npm ci brings', () => {
    expect(bareCommands(page)).toEqual([]);
    expect(bareCommands('Run `node dev/tools/costs.ts`.')).toEqual(['`node dev/tools/costs.ts`']);
    expect(namedScripts(page).length).toBeGreaterThan(15);
    expect(namedScripts(page).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('the head comment of a program', () => {
  it('the head comment of a program is its help', () => {
    expect(headComment('/**\n * `npm run x`: does x.\n * Twice.\n */\nimport "x";')).toBe('npm run x: does x.\nTwice.');
    expect(() => headComment('import "x";')).toThrow('A program begins with a comment');
  });
});
