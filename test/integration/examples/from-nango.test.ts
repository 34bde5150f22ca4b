// @module-tag long
/** The scripts of docs/from-nango.md run against a stand-in for Nango's API on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment } from '../../support/command-line.ts';
import { namedBlock } from '../../support/http-blocks.ts';
import { control } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';
import { type NangoConnection, startNango } from './nango-server.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CREATED_AT = '2026-01-01T00:00:00.000Z';
const running = useTestGateway();
const folder = mkdtempSync(join(tmpdir(), 'from-nango-'));
let nango: Awaited<ReturnType<typeof startNango>>;

beforeAll(async () => {
  const connections: NangoConnection[] = [];
  const { client_id: clientId } = (await running.json('GET', '/test-credentials/google-drive')).body.data;
  for (const number of [1, 2, 3, 4]) {
    const scopes = ['https://www.googleapis.com/auth/drive.readonly', 'openid', 'email'];
    const minted = await control(running, 'POST', '/tokens', { account: 'first.user@example.com', clientId, scopes });
    const { refresh_token, access_token } = Object(minted);
    connections.push({
      id: number,
      connection_id: `nango ${number}`,
      provider_config_key: 'google-drive',
      provider: 'google-drive',
      credentials: { type: 'OAUTH2', access_token, expires_at: CREATED_AT, refresh_token, raw: {} },
      connection_config: {},
      end_user: { id: `user-${number}`, display_name: null, email: `user-${number}@example.com`, organization: null },
      tags: { end_user_id: `user-${number}` },
      metadata: { plan: 'team' },
      created_at: CREATED_AT,
    });
  }
  nango = await startNango(connections, new Set(['nango 3']));
});
afterAll(async () => {
  await nango?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script of examples/from-nango, or a block of the page by its name; the command line is this project's. */
async function run(block: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const [language = '', name = ''] = block.split(' ');
  const command = `node ${join(ROOT, 'packages/cli/cli.ts')} --data ${running.gateway.dataDir}`;
  const scripts = join(ROOT, 'examples/from-nango');
  const source =
    language === 'js' ? readFileSync(join(scripts, name), 'utf8') : namedBlock('docs/from-nango.md', block);
  const code = source
    .replace('examples/from-nango', scripts)
    .replace('@integration-gateway/client', join(ROOT, 'packages/client/src/index.ts'))
    .replace('npm run --silent gateway --', command);
  if (language === 'js') writeFileSync(join(folder, name), code);
  const gateway = { GATEWAY_BASE_URL: running.gateway.gatewayUrl, GATEWAY_SECRET_KEY: running.gateway.secretKey };
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { ...bareEnvironment(), ...gateway, ...nango.environment, ...environment, PATH };
  const [program, ...args] = language === 'js' ? ['node', name] : ['bash', '-euc', code];
  const child = spawn(program, args, { cwd: folder, env });
  const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ block, exit, err: exit === 0 ? '' : err }).toEqual({ block, exit: 0, err: '' });
  return out;
}

function lines(file: string): Record<string, unknown>[] {
  const all = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
  return all.map((line) => JSON.parse(line));
}

test('all connections of Nango move with their ids, users, metadata and time of creation, and work here', async () => {
  await run('js export-nango.mjs');
  expect(lines('connections.jsonl').map((one) => one.connection_id)).toEqual(['nango 1', 'nango 2', 'nango 4']);
  expect(lines('rest.jsonl').map((one) => one.connection_id)).toEqual(['nango 3']);
  expect(await run('bash import')).toMatch(/Imported\s+3[\s\S]*Refused by the gateway\s+0\s+Failed for now\s+0/);
  const moved = await running.json('GET', '/connections/nango%204?provider_config_key=google-drive');
  expect(moved.body).toMatchObject({
    consented_at: CREATED_AT,
    end_user: { id: 'user-4', email: 'user-4@example.com' },
    metadata: { plan: 'team' },
  });
  expect((await running.proxyAs('google-drive', 'nango 4', '/drive/v3/files?pageSize=1')).status).toBe(200);
});

test('the others get a link each', async () => {
  expect(await run('js links.mjs')).toMatch(/^user-3 http\S+\/connect#session_token=cs_\S+\n$/);
});

test('connections go back to Nango with both tokens', async () => {
  const GATEWAY_SECRET_KEY = await keyWith(running, { right: 'read', can_read_credentials: true });
  const out = await run('js back-to-nango.mjs', { GATEWAY_SECRET_KEY });
  expect(out.match(/nango \d: moved/g)).toHaveLength(3);
  expect(nango.imported).toContainEqual({
    provider_config_key: 'google-drive',
    connection_id: 'nango 1',
    credentials: {
      type: 'OAUTH2',
      access_token: expect.stringMatching(/./),
      refresh_token: Object(lines('connections.jsonl')[0]?.credentials).refresh_token,
      expires_at: expect.stringMatching(/^20\d\d-/),
    },
    end_user: { id: 'user-1', email: 'user-1@example.com' },
    tags: expect.objectContaining({ end_user_id: 'user-1' }),
    metadata: { plan: 'team' },
  });
});
