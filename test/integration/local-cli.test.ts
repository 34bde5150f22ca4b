// @module-tag long
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocal } from '../../dev/local/start.ts';
import { pathWithCurl } from '../support/small-curl/path.ts';
import { until } from '../unit/local/fixtures/gateway.ts';

const CLI = join(import.meta.dirname, '../../dev/local/cli.ts');

/** A Google whose addresses nobody answers. */
const NOBODY = Object.fromEntries(
  [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'revocation_endpoint',
    'userinfo_endpoint',
    'jwks_uri',
    'api_base_url',
  ].map((name) => [name, 'http://127.0.0.1:1']),
);

let folder: string;
let started: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));
  started = [];
});
afterEach(async () => {
  for (const child of started.filter((one) => one.exitCode === null && one.signalCode === null)) {
    child.kill('SIGINT');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  child: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
}

function run(...args: string[]): Run {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  return { child, output: () => output, exited };
}

/** Runs a printed call in a shell, as a reader does who pastes it. */
function paste(call: string): string {
  return execFileSync('/bin/sh', ['-c', call], { encoding: 'utf8', env: { ...process.env, PATH: pathWithCurl() } });
}

async function ready(gateway: Run): Promise<void> {
  await until(
    'the gateway to be ready',
    () => gateway.output().includes('Press Ctrl-C to stop') || gateway.child.exitCode !== null,
    180_000,
  );
  expect(gateway.output()).toContain('The gateway is ready');
}

describe('npm start', () => {
  it('ends with two calls that work when pasted, writes local.json, and leaves nothing on Ctrl-C', async () => {
    const gateway = run(
      ...['--port', '0', '--data', join(folder, 'data'), '--return-url', 'http://localhost:4000/connected'],
    );
    await ready(gateway);
    const calls = gateway
      .output()
      .split('\n')
      .filter((line) => line.startsWith("  curl 'http") && line.includes('/proxy/'));
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      const answer = JSON.parse(paste(call));
      expect(answer.files?.length ?? answer.items?.length).toBe(5);
    }
    const localJson = join(folder, 'data', 'local.json');
    expect(statSync(localJson).mode & 0o777).toBe(0o600);
    const local = JSON.parse(readFileSync(localJson, 'utf8'));
    expect(local).toEqual({
      gateway_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      simulator_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/),
      proxy_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      simulator_control_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/__sim\/[\w-]{32}$/),
      secret_key: expect.stringMatching(/^sk_default_/),
      connections: ['google-drive', 'google-calendar'].map((integration_id) => ({
        integration_id,
        connection_id: expect.any(String),
      })),
      table_name: expect.stringMatching(/^IntegrationGateway-/),
      events_function_name: expect.stringMatching(/^IntegrationGateway-/),
      token_key_arn: expect.stringMatching(/^arn:aws:kms:/),
      dynamodb_endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      aws_endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      aws_access_key_id: expect.any(String),
      aws_secret_access_key: expect.any(String),
    });
    // A first write works: the connections may make files and events.
    const { key, id } = { key: local.secret_key, id: local.connections[0].connection_id };
    const made = await fetch(`${local.gateway_url}/proxy/drive/v3/files`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'provider-config-key': 'google-drive',
        'connection-id': id,
        'content-type': 'application/json',
      },
      body: '{"name": "first.txt"}',
    });
    expect(await made.json()).toMatchObject({ name: 'first.txt' });
    const session = await fetch(`${local.gateway_url}/connect/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ end_user: { id: 'u' }, return_url: 'http://localhost:4000/connected' }),
    });
    expect(session.status).toBe(201);
    gateway.child.kill('SIGINT');
    expect(await gateway.exited).toBe(0);
    await expect(fetch(local.gateway_url)).rejects.toThrow();
    await expect(fetch(local.simulator_url)).rejects.toThrow();
    await expect(fetch(local.dashboard_url)).rejects.toThrow();
    expect(readdirSync(join(folder, 'data'))).not.toContain('lock.json');
  });

  it('connects nothing with another Google, and says how to', async () => {
    const file = join(folder, 'google.json');
    writeFileSync(file, JSON.stringify(NOBODY));
    const gateway = run('--port', '0', '--data', join(folder, 'data'), '--google-endpoints', file);
    await ready(gateway);
    expect(gateway.output()).toContain('There is no connection yet');
    expect(gateway.output()).not.toContain('Simulator');
    expect(gateway.output()).not.toContain('created at the simulator');
  });
});

describe('a data folder that was filled at the simulator', () => {
  it('keeps key and connections across a restart, and is said not to fit another Google', async () => {
    const [data, file] = [join(folder, 'data'), join(folder, 'google.json')];
    const read = () => JSON.parse(readFileSync(join(data, 'local.json'), 'utf8'));
    const made = await startLocal({ dataDir: data, seed: true, quiet: true, synth: 'reuse', warmUp: false });
    const before = read();
    expect(before.connections).toHaveLength(2);
    await made.close();
    const first = run('--port', '0', '--data', data);
    await ready(first);
    expect([read().secret_key, read().connections]).toEqual([before.secret_key, before.connections]);
    const call = first
      .output()
      .split('\n')
      .find((line) => line.includes('/proxy/drive/'));
    expect(JSON.parse(paste(call ?? '')).files).toHaveLength(5);
    first.child.kill('SIGINT');
    await first.exited;
    writeFileSync(file, JSON.stringify(NOBODY));
    const second = run('--port', '0', '--data', data, '--google-endpoints', file);
    await ready(second);
    expect([read().secret_key, read().connections]).toEqual([before.secret_key, before.connections]);
    expect(second.output()).toMatch(/created at the simulator and do not work at Google itself.*--data/);
  });
});

describe('npm start with what cannot work', () => {
  it('shows its usage on --help', async () => {
    const help = run('--help');
    expect(await help.exited).toBe(0);
    expect(help.output()).toContain('--google-endpoints FILE');
  });

  it('refuses an unknown option', async () => {
    const refused = run('--bogus');
    expect(await refused.exited).toBe(2);
    expect(refused.output()).toContain("Unknown option '--bogus'");
    expect(refused.output()).not.toContain('    at ');
  });

  it('reports every problem of an endpoints file', async () => {
    const file = join(folder, 'google.json');
    writeFileSync(file, '{"issuer":"x"}');
    const refused = run('--google-endpoints', file);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toMatch(/issuer must be an absolute URL.*token_endpoint is missing/s);
  });

  it.each([['/proc/nowhere/data'], ['/proc/1/data'], [`${CLI}/data`]])(
    'names a data folder that cannot be made: %s',
    async (data) => {
      const refused = run('--port', '0', '--data', data);
      expect(await refused.exited).toBe(1);
      expect(refused.output()).toMatch(/data cannot be used: .*Choose another folder with --data/);
    },
  );

  it('ends cleanly when interrupted while it starts', async () => {
    const gateway = run('--port', '0', '--data', join(folder, 'data'));
    await until('the start', () => gateway.output().includes('Starting'));
    gateway.child.kill('SIGINT');
    expect(await gateway.exited).toBe(0);
  });
});
