import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { startTestSimulator } from './harness.ts';

const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(...args: string[]): {
  child: ChildProcessWithoutNullStreams;
  output: () => string;
  ended: Promise<unknown[]>;
} {
  const child = spawn(process.execPath, ['simulator/cli.ts', ...args]);
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  return { child, output: () => output, ended: once(child, 'close') };
}

test('prints address, client, accounts and control routes, and ends cleanly on Ctrl-C', async () => {
  const { child, output, ended } = run('--port', '0');
  await vi.waitUntil(() => output().includes('Ctrl-C stops it.'), { timeout: 60_000 });
  expect(output()).toMatch(/Google simulator: http:\/\/127\.0\.0\.1:\d+/);
  for (const part of ['token_endpoint', 'apps.googleusercontent.com', 'editor@workspace.example', '/__sim/faults']) {
    expect(output()).toContain(part);
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0] ?? '';
  expect((await fetch(`${url}/.well-known/openid-configuration`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('says which port is taken', async () => {
  const simulator = await startTestSimulator();
  const { port } = new URL(simulator.url);
  const { output, ended } = run('--port', port);
  expect(await ended).toEqual([1, null]);
  expect(output()).toBe(`Port ${port} is already in use. Choose another one or stop the other program.\n`);
});

test.each([[['--colour', 'red']], [['extra']]])('refuses %j with the usage', async (args) => {
  const { output, ended } = run(...args);
  expect(await ended).toEqual([2, null]);
  expect(output()).toContain('Usage: npx google-simulator');
});

test('refuses a port that is none', async () => {
  const { output, ended } = run('--port', 'many');
  expect(await ended).toEqual([1, null]);
  expect(output()).toContain('--port needs a number');
});

test('explains itself with --help', async () => {
  const { output, ended } = run('--help');
  expect(await ended).toEqual([0, null]);
  expect(output()).toContain('--state FILE');
});
