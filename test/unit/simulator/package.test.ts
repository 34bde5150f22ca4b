import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packPackage } from '../../../tools/release/pack.ts';
import { simulatorPackage } from '../../../tools/release/simulator.ts';
import { PROJECT_ROOT } from '../../../tools/run.ts';
import { startTestSimulator } from './harness.ts';

const README = readFileSync(join(PROJECT_ROOT, 'simulator', 'README.md'), 'utf8');

/** A program that uses the package has Node's types. */
const TYPES = join(PROJECT_ROOT, 'node_modules', '@types');

function snippet(language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n(?<code>.*?)^\`\`\``, 'ms').exec(README)?.groups?.code;
  if (code === undefined) throw new Error(`The README has no ${language} snippet.`);
  return code;
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

let folder: string;
const children: ChildProcess[] = [];

/** Packs the simulator and installs the archive where nothing else is. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-package-'));
  // A cache of its own: nothing that was installed before helps, and a home folder is not needed.
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const packed = await packPackage(simulatorPackage, folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  npm(['install', '--offline', '--no-audit', '--no-fund', packed], folder);
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Address of the installed program, once it listens. */
async function startProgram(...args: string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(join(folder, 'node_modules', '.bin', 'google-simulator'), ['--port', '0', ...args], {
    cwd: folder,
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  await vi.waitUntil(() => output.includes('Ctrl-C stops it.'), { timeout: 60_000 });
  return { url: /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '', child };
}

describe('the package, installed without network', () => {
  test('has a program that starts from the README’s seed, answers a call, and ends on Ctrl-C', async () => {
    writeFileSync(join(folder, 'world.json'), snippet('json'));
    const { url, child } = await startProgram('--seed', 'world.json');
    const tokens = await fetch(`${url}/__sim/tokens`, {
      method: 'POST',
      body: '{"account":"second.user@example.com"}',
    });
    const { access_token: token }: { access_token?: unknown } = JSON.parse(await tokens.text());
    const list = await fetch(`${url}/calendar/v3/users/me/calendarList?fields=items(summary,accessRole)`, {
      headers: { authorization: `Bearer ${String(token)}` },
    });
    expect(await list.json()).toEqual({
      items: [
        { summary: 'second.user@example.com', accessRole: 'owner' },
        { summary: 'Team', accessRole: 'reader' },
      ],
    });
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('tells its version, and is CommonJS for who requires it', () => {
    const program = join(folder, 'node_modules', '.bin', 'google-simulator');
    const { version }: { version?: unknown } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toBe(`${String(version)}\n`);
    const code = "console.log(typeof require('@integration-gateway/google-simulator').startSimulator)";
    const args = ['--no-require-module', '--input-type=commonjs', '--eval', code];
    expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe('function\n');
  });

  test('runs the README’s Node snippet', () => {
    writeFileSync(join(folder, 'snippet.mjs'), snippet('js'));
    expect(execFileSync(process.execPath, ['snippet.mjs'], { cwd: folder, encoding: 'utf8' })).toBe("[ 'Only one' ]\n");
  });

  test('has types for what it exports', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      "import { startSimulator } from '@integration-gateway/google-simulator';\nexport const url: Promise<string> = startSimulator({ port: 0 }).then((one) => one.url);\n",
    );
    const args = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2024,dom',
      '--ignoreConfig',
    ];
    const checked = spawnSync(
      join(PROJECT_ROOT, 'node_modules', '.bin', 'tsc'),
      [...args, '--types', 'node', '--typeRoots', TYPES, 'use.ts'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect(checked.stdout).toBe('');
  });
});

describe('the README’s snippets, against a simulator', () => {
  const run = async (program: string, language: string) => {
    const simulator = await startTestSimulator();
    const code = snippet(language).replaceAll('http://127.0.0.1:3002', simulator.url);
    const child = spawn(program, [program === 'python3' ? '-' : '-s'], { stdio: ['pipe', 'pipe', 'pipe'] });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    child.stdin.end(code);
    const [exitCode] = await once(child, 'close');
    return { exitCode, output };
  };

  test.skipIf(!has('python3'))('Python', async () => {
    expect(await run('python3', 'python')).toEqual({
      exitCode: 0,
      output: "['2026-11-23T09:00:00+01:00', '2026-11-30T09:00:00+01:00', '2026-12-07T09:00:00+01:00']\n",
    });
  });

  test.skipIf(!has('curl'))('the shell', async () => {
    const { exitCode, output } = await run('sh', 'sh');
    expect(exitCode).toBe(0);
    expect(output).toContain('"id": "first.user@example.com"');
  });
});
