// @module-tag long
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { packPackage } from '../../../dev/tools/release/pack.ts';
import { simulatorPackage } from '../../../dev/tools/release/simulator.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { startTestSimulator, test } from './harness.ts';
import { SECOND } from './names.ts';
import { readJson, text } from './values.ts';

const README = readFileSync(join(PROJECT_ROOT, 'packages', 'simulator', 'README.md'), 'utf8');

function snippet(language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n(?<code>.*?)^\`\`\``, 'ms').exec(README)?.groups?.code;
  if (code === undefined) throw new Error(`The README has no ${language} snippet.`);
  return code;
}

let folder: string;
const children: ChildProcess[] = [];

/** A program, its input given, in the folder of the package. */
function run(program: string, args: string[], input = '') {
  const child = spawn(program, args, { cwd: folder });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stdin.end(input);
  const ended = once(child, 'close');
  return { child, output: () => output, ended: async () => [(await ended)[0], output] };
}

const simulator = (...args: string[]) => run(join(folder, 'node_modules', '.bin', 'google-simulator'), args);
const node = (...args: string[]) => run(process.execPath, args).ended();

/** Packs the simulator and installs the archive where nothing else is. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-package-'));
  // A cache of its own: nothing that was installed before helps, and a home folder is not needed.
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const packed = await packPackage(simulatorPackage, folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('the package, installed without network', () => {
  test('the package, installed without network has a program that starts from the README’s seed, answers a call, and ends on Ctrl-C', async () => {
    writeFileSync(join(folder, 'world.json'), snippet('json'));
    const { child, output, ended } = simulator('--port', '0', '--seed', 'world.json');
    await expect.poll(output).toContain('Ctrl-C stops it.');
    for (const part of ['token_endpoint', 'apps.googleusercontent.com', 'editor@workspace.example', '/__sim/faults'])
      expect(output()).toContain(part);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0] ?? '';
    const minted = await fetch(`${url}/__sim/tokens`, {
      method: 'POST',
      body: '{"account":"second.user@example.com"}',
    });
    const headers = { authorization: `Bearer ${text((await readJson(minted)).access_token)}` };
    const list = await fetch(`${url}/calendar/v3/users/me/calendarList?fields=items(summary,accessRole)`, { headers });
    expect((await readJson(list)).items).toEqual([
      { summary: SECOND, accessRole: 'owner' },
      { summary: 'Team', accessRole: 'reader' },
    ]);
    child.kill('SIGINT');
    expect((await ended())[0]).toBe(0);
  });

  test('the package, installed without network has a program that explains itself and says what is wrong', async () => {
    const { port } = new URL((await startTestSimulator()).url);
    const { version }: { version?: unknown } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
    const taken = `Port ${port} is already in use. Choose another one or stop the other program.\n`;
    const usage = expect.stringContaining('Usage: npx google-simulator');
    const rows: [args: string[], code: number, output: unknown][] = [
      [['--version'], 0, `${String(version)}\n`],
      [['--help'], 0, expect.stringContaining('--state FILE')],
      [['--port', port], 1, taken],
      [['--port', 'many'], 1, expect.stringContaining('--port needs a number')],
      [['--colour', 'red'], 2, usage],
      [['extra'], 2, usage],
    ];
    const answers = await Promise.all(rows.map(([args]) => simulator(...args).ended()));
    expect(answers).toEqual(rows.map(([, code, output]) => [code, output]));
  });

  test('the package, installed without network is CommonJS for who requires it', async () => {
    const code = "console.log(typeof require('@integration-gateway/google-simulator').startSimulator)";
    const commonJs = await node('--no-require-module', '--input-type=commonjs', '--eval', code);
    expect(commonJs).toEqual([0, 'function\n']);
  });

  test('runs the README’s Node snippet', async () => {
    writeFileSync(join(folder, 'snippet.mjs'), snippet('js'));
    expect(await node('snippet.mjs')).toEqual([0, "[ 'Only one' ]\n"]);
  });

  test('runs the README’s walk through the consent pages', async () => {
    writeFileSync(join(folder, 'consent.mjs'), snippet('js consent'));
    const [code, output] = await node('consent.mjs');
    expect(code, String(output)).toBe(0);
    for (const member of ['access_token', 'id_token', 'refresh_token', 'scope'])
      expect(output).toContain(`'${member}'`);
    expect(output).toMatch(/access_denied\n$/);
  });

  test('the package, installed without network has types for what it exports', { tags: ['long'] }, async () => {
    const use = `import { startSimulator } from '@integration-gateway/google-simulator';
      export const url: Promise<string> = startSimulator({ port: 0 }).then((one) => one.url);`;
    writeFileSync(join(folder, 'use.ts'), use);
    // A program that uses the package has Node's types.
    const types = ['--types', 'node', '--typeRoots', join(PROJECT_ROOT, 'node_modules', '@types')];
    const language = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2024,dom'];
    const args = ['--noEmit', '--ignoreConfig', ...language, ...types, 'use.ts'];
    expect(await run(join(PROJECT_ROOT, 'node_modules', '.bin', 'tsc'), args).ended()).toEqual([0, '']);
  });
});

describe('the README’s snippets, against a simulator', () => {
  const has = (program: string) => spawnSync(program, ['--version']).status === 0;
  const runHere = async (program: string, language: string) => {
    const { url } = await startTestSimulator();
    const code = snippet(language).replaceAll('http://127.0.0.1:3002', url);
    return run(program, [program === 'python3' ? '-' : '-s'], code).ended();
  };

  test.skipIf(!has('python3'))('Python', async () => {
    const starts = "['2026-11-23T09:00:00+01:00', '2026-11-30T09:00:00+01:00', '2026-12-07T09:00:00+01:00']\n";
    expect(await runHere('python3', 'python')).toEqual([0, starts]);
  });

  test.skipIf(!has('curl'))('the shell', async () => {
    const shown = expect.stringContaining('"id": "first.user@example.com"');
    expect(await runHere('sh', 'sh')).toEqual([0, shown]);
  });
});
