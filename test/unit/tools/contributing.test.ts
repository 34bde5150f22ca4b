import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { headComment } from '../../../dev/tools/help.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

const page = readFileSync(join(PROJECT_ROOT, 'CONTRIBUTING.md'), 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'),
);

/** Names of the npm scripts that a text mentions. */
function namedScripts(text: string): string[] {
  const named = [...text.matchAll(/`npm (?:run )?(?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name);
  // These are npm's own.
  return [...new Set(named)].filter((name) => !['ci', 'install'].includes(name)).sort();
}

/** Commands that start a program by its file, which only Node 24 can run. */
function bareCommands(text: string): string[] {
  return [...text.matchAll(/`node [^`]*`/g)].map(([command]) => command);
}

/** The Node of a reader of CONTRIBUTING.md: the second opinion `commands` names the oldest ones, one after another. */
const READERS_NODE = process.env.READERS_NODE;

/** `PATH` as that reader has it, without the project's programs. */
function pathOfReader(node: string): string {
  const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(PROJECT_ROOT));
  return [dirname(node), ...others].join(delimiter);
}

describe('the commands that CONTRIBUTING.md names', () => {
  it('the commands that CONTRIBUTING.md names are all npm scripts, which run on the Node that npm ci brings', () => {
    expect(bareCommands(page)).toEqual([]);
    expect(bareCommands('Run `node dev/tools/costs.ts`.')).toEqual(['`node dev/tools/costs.ts`']);
    expect(namedScripts(page).length).toBeGreaterThan(15);
    expect(namedScripts(page).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  describe.runIf(READERS_NODE !== undefined)('on the Node of their reader', () => {
    it.each(namedScripts(page))('npm run %s shows its help', { tags: ['long'] }, async (name) => {
      const path = pathOfReader(READERS_NODE ?? '');
      const env = { PATH: path, HOME: process.env.HOME ?? '', npm_config_update_notifier: 'false' };
      const options = { cwd: PROJECT_ROOT, env, maxBuffer: 16 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)('npm', ['run', '--silent', name, '--', '--help'], options);
      expect(stdout).toMatch(/usage|npm (?:run|test|start)|--help/i);
    });
  });
});

describe('the head comment of a program', () => {
  it('the head comment of a program is its help', () => {
    expect(headComment('/**\n * `npm run x`: does x.\n * Twice.\n */\nimport "x";')).toBe('npm run x: does x.\nTwice.');
    expect(() => headComment('import "x";')).toThrow('A program begins with a comment');
  });
});
