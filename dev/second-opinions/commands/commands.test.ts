import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { namedScripts } from '../../tools/named-scripts.ts';
import { lowestNodes } from '../../tools/release/launcher.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { nodeProgram } from '../packages/nodes.ts';

const PAGE = readFileSync(join(PROJECT_ROOT, 'CONTRIBUTING.md'), 'utf8');

/** `PATH` as the reader of the page has it: their own Node first, and without the project's programs. */
function pathOfReader(node: string): string {
  const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(PROJECT_ROOT));
  return [dirname(node), ...others].join(delimiter);
}

describe.each(lowestNodes('.'))('on Node %s', (version) => {
  it.each(namedScripts(PAGE))('npm run %s shows its help', async (name) => {
    const path = pathOfReader(await nodeProgram(version));
    const env = { PATH: path, HOME: process.env.HOME ?? '', npm_config_update_notifier: 'false' };
    const options = { cwd: PROJECT_ROOT, env, maxBuffer: 16 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', name, '--', '--help'], options);
    expect(stdout).toMatch(/usage|npm (?:run|test|start)|--help/i);
  });
});
