// @module-tag long
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failed, localAws, printed, runCommand, runGateway } from '../../support/command-line.ts';
import { connectAccount } from '../../support/connect.ts';
import {
  connectUser,
  DRIVE_SCOPE,
  EDITOR,
  list,
  makeIntegration,
  makeRobot,
  VIEWER,
} from '../../support/delegation.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { keyWith } from '../api/keys.ts';

const CLIENT = { client_id: '900000000000-moved.apps.googleusercontent.com', client_secret: 'GOCSPX-moved' };

let here: TestGateway;
let there: TestGateway;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'move-'));
  file = join(folder, 'connections.jsonl');
  here = await startTestGateway({ seed: false });
  const { simulator } = here.gateway;
  if (simulator === undefined) throw new Error('no simulator');
  const redirectUris = [`${here.gateway.gatewayUrl}/oauth/callback`];
  simulator.upsertClient({ clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret, redirectUris });
  there = await startTestGateway({ googleEndpoints: simulator.endpoints });
  for (const gateway of [here, there]) {
    const integration = { provider: 'google-drive', unique_key: 'drive', credentials: { type: 'OAUTH2', ...CLIENT } };
    const made = await gateway.json('POST', '/integrations', integration);
    expect(made.status).toBe(200);
  }
});
afterAll(async () => {
  await there?.[Symbol.asyncDispose]();
  await here?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('connections move to another gateway with their tokens, end users and consent, and work there', async () => {
  const accounts = ['first.user@example.com', 'second.user@example.com', 'editor@workspace.example'];
  const end_user = { id: 'user-17', email: 'user-17@example.com' };
  for (const account of accounts)
    await connectAccount(here, 'drive', { account }, { end_user, tags: { plan: 'team' } });
  // As where there is no dashboard: with rights to the table.
  const args = ['create', 'export', '--table', here.gateway.tableName, '--right', 'read', '--can-read-credentials'];
  const made = await runCommand(['secret-keys', ...args, '--yes'], localAws(here));
  expect(made).toMatchObject(failed(0, /"export", right read/));
  const reading = made.out.trim();
  const exporting = { GATEWAY_SECRET_KEY: reading };

  const refused = await runGateway(here, ['export', '--all', '--to', join(folder, 'none.jsonl')]);
  expect(refused).toMatchObject(failed(1, /may not read credentials.*dashboard/s));
  expect(existsSync(join(folder, 'none.jsonl'))).toBe(false);
  const exported = await runGateway(here, ['export', '--all', '--to', file], exporting);
  expect(exported).toMatchObject(printed(/Written\t3/));
  expect(exported.err).toMatch(/will contain refresh tokens in plain text/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const tokens = lines.map((line) => String(JSON.parse(line).credentials.refresh_token));
  for (const token of tokens) expect(exported.out + exported.err).not.toContain(token);

  const imported = await runGateway(there, ['import', file]);
  expect(imported).toMatchObject(printed(/Imported\t3/));
  const ids = lines.map((line) => String(JSON.parse(line).connection_id));
  for (const id of ids) {
    const read = async (gateway: TestGateway) =>
      (await gateway.json('GET', `/connections/${id}?provider_config_key=drive`)).body;
    const { end_user: user, tags, provider_account, granted_scopes, consented_at } = Object(await read(here));
    expect(await read(there)).toMatchObject({ end_user: user, tags, provider_account, granted_scopes, consented_at });
    expect((await there.proxyAs('drive', id, '/drive/v3/files?pageSize=1')).status).toBe(200);
  }
  const events = await here.json('GET', `/connections/${ids[0]}/events?provider_config_key=drive`);
  expect(JSON.stringify(events.body)).toMatch(/ConnectionCredentialsRead/);
});

test('an export continues where it was cut off, and overwrites nothing', async () => {
  const reading = { GATEWAY_SECRET_KEY: await keyWith(here, { right: 'read', can_read_credentials: true }) };
  const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n');
  const torn = join(folder, 'torn.jsonl');
  writeFileSync(torn, `${first}\n${second.slice(0, 40)}`);
  expect(await runGateway(here, ['export', '--all', '--to', torn], reading)).toMatchObject(
    failed(2, /already exists.*--resume/),
  );
  const resumed = await runGateway(here, ['export', '--all', '--resume', '--to', torn], reading);
  expect(resumed).toMatchObject(printed(/Written\t2\nAlready in the file\t1/));
  const all = (path: string) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).connection_id);
  expect(all(torn).sort()).toEqual(all(file).sort());
});

test('an import judges every line first, imports the good ones and can be repeated', async () => {
  const [known = ''] = readFileSync(file, 'utf8').split('\n');
  const { credentials } = JSON.parse(known);
  // As Nango's API gives a connection, with members that mean nothing here.
  const nango = {
    id: 7,
    connection_id: 'from-nango',
    provider_config_key: 'drive',
    provider: 'google-drive',
    credentials: { type: 'OAUTH2', access_token: 'a', expires_at: '2026-01-01T00:00:00Z', raw: {}, ...credentials },
    connection_config: {},
    metadata: { folder: 'reports' },
    tags: { end_user_id: 'user-9' },
    created_at: '2026-01-01T00:00:00Z',
    end_user: { id: 'user-9', email: null, display_name: null, organization: { id: 'org-1', display_name: 'One' } },
  };
  const lines = [
    JSON.stringify(nango),
    '{"connection_id": "x", ',
    JSON.stringify({ provider_config_key: 'drive', credentials: {} }),
    JSON.stringify({ provider_config_key: 'lost', connection_id: 'y', credentials }),
    JSON.stringify(nango),
    JSON.stringify({ provider_config_key: 'drive', connection_id: 'z', credentials: { refresh_token: '1//wrong' } }),
    known,
  ];
  const judged = await runGateway(there, ['import', '-', '--dry-run'], {}, lines.join('\n'));
  expect(judged).toMatchObject({ code: 1, out: 'Good lines\t3\nBad lines\t4\n' });
  const run = await runGateway(there, ['import', '-'], {}, lines.join('\n'));
  // Nothing that another run would change.
  expect(run.code).toBe(1);
  expect(run.out).toMatch(
    /Imported\t1\nAlready present\t1\nBad lines\t4\nRefused by the gateway\t1\nFailed for now\t0/,
  );
  expect(run.err).toMatch(/Line 2: is not valid JSON/);
  expect(run.err).toMatch(/Line 3: connection_id must be a string; credentials.refresh_token must be a string/);
  expect(run.err).toMatch(/Line 4: there is no integration lost here/);
  expect(run.err).toMatch(/Line 5: line 1 names the same connection/);
  expect(run.err).toMatch(/Line 6: credentials.refresh_token: the provider refuses it/);
  expect(run.err + run.out).not.toContain(credentials.refresh_token);
  const shown = await there.json('GET', '/connections/from-nango?provider_config_key=drive');
  expect(shown.body).toMatchObject({
    consented_at: '2026-01-01T00:00:00.000Z',
    metadata: { folder: 'reports' },
    end_user: { organization: { id: 'org-1' } },
  });
  const again = await runGateway(there, ['import', '-'], {}, lines.join('\n'));
  expect(again.out).toMatch(/Imported\t0\nAlready present\t2/);
});

test('users of a service account move without a token, and are connected once however often', async () => {
  const robot = await makeRobot(here, 'moved');
  await list(here, robot, [DRIVE_SCOPE]);
  for (const gateway of [here, there]) await makeIntegration(gateway, robot, { via: 'key', uniqueKey: 'drive-domain' });
  await connectUser(here, 'drive-domain', EDITOR);
  await connectUser(here, 'drive-domain', VIEWER);
  const users = join(folder, 'users.jsonl');
  const exported = await runGateway(here, ['export', '--integration', 'drive-domain', '--to', users]);
  expect(exported).toMatchObject(printed(/Written\t2/));
  expect(readFileSync(users, 'utf8')).not.toMatch(/token|connection_id|sub_/);
  const again = await runGateway(here, ['export', '--integration', 'drive-domain', '--to', users, '--resume']);
  expect(again).toMatchObject(printed(/Already in the file\t2/));
  for (let round = 0; round < 2; round++) {
    expect(await runGateway(there, ['import', users])).toMatchObject(printed(/Imported\t2/));
  }
  const { body } = await there.json('GET', '/connections?provider_config_key=drive-domain');
  expect(body.connections.map((one: { connection_id: string }) => one.connection_id)).toHaveLength(2);
  const [{ connection_id: id }] = body.connections;
  expect((await there.proxyAs('drive-domain', id, '/drive/v3/about?fields=user')).status).toBe(200);
});
