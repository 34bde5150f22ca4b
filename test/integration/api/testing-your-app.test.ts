// @module-tag long
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathWithCurl } from '../../support/small-curl/path.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/testing-your-app.md'), 'utf8');
const execute = promisify(execFile);

/** Code blocks of the page by their names, as `sh start` or `js app.test.mjs`. */
const SNIPPETS = new Map(
  [...PAGE.matchAll(/^```(?:sh|js|python) (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]),
);

/** What each command prints; the files of the page are written, not run themselves. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  start: /^$/,
  call: /"name": "from a shell\.txt"/,
  node: /(?:pass 3\n[\s\S]*fail 0)/,
  python: /^$/,
  stop: /^$/,
};

describe('docs/testing-your-app.md, walked as it is written', () => {
  const app = mkdtempSync(join(tmpdir(), 'testing-your-app-'));
  const temporary = join(app, 'tmp');
  let gatewayUrl = '';

  beforeAll(() => {
    mkdirSync(temporary);
    const client = join(app, 'node_modules/@integration-gateway/client');
    mkdirSync(client, { recursive: true });
    cpSync(join(ROOT, 'packages/client/package.json'), join(client, 'package.json'));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', join(ROOT, 'packages/client/tsconfig.json'), '--outDir', join(client, 'dist')]);
    for (const [name, code] of SNIPPETS) if (!(name in COMMANDS)) writeFileSync(join(app, name), code);
  });
  afterAll(async () => {
    await run('stop').catch(() => {});
    rmSync(app, { recursive: true, force: true });
  });

  function run(name: string) {
    return execute('sh', ['-euc', SNIPPETS.get(name) ?? 'exit 1'], {
      cwd: app,
      timeout: 120_000,
      env: {
        PATH: `${dirname(process.execPath)}:${join(ROOT, 'node_modules/.bin')}:${pathWithCurl()}`,
        HOME: app,
        TMPDIR: temporary,
        GATEWAY_FOLDER: ROOT,
      },
    });
  }

  test('every snippet is a command that is walked, or a file that one of them runs', () => {
    const commands = [...SNIPPETS.keys()].filter((name) => name in COMMANDS);
    expect(commands).toEqual(Object.keys(COMMANDS));
    const files = [...SNIPPETS.keys()].filter((name) => !(name in COMMANDS));
    const text = commands.map((name) => SNIPPETS.get(name)).join('\n');
    expect(files.filter((name) => !text.includes(name))).toEqual([]);
  });

  test.each(Object.entries(COMMANDS))('%s works', async (name, prints) => {
    // The bare machine has no Python.
    if (name === 'python' && spawnSync('python3', ['--version']).status !== 0) return;
    const { stdout } = await run(name);
    expect(stdout).toMatch(prints);
    if (name === 'start') {
      const data = readFileSync(join(app, 'gateway-data.txt'), 'utf8').trim();
      gatewayUrl = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8')).gateway_url;
    }
    // Nothing that was started is left.
    if (name === 'stop') await expect(fetch(gatewayUrl)).rejects.toThrow();
  });
});
