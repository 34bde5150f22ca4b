import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSimulator } from '../../../simulator/index.ts';
import {
  api,
  apiJson,
  CLIENT,
  control,
  jsonInit,
  obtainTokens,
  readJson,
  records,
  refresh,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function statePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  folders.push(folder);
  return join(folder, 'deeper', 'state.json');
}

test('keeps clients, grants, tokens, key, files and events over a restart', async () => {
  const path = statePath();
  const before = await startSimulator({ clients: [CLIENT], statePath: path });
  const { accessToken, refreshToken } = await obtainTokens(before);
  const upload = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'kept bytes' };
  const file = await apiJson(before, accessToken, '/upload/drive/v3/files?uploadType=media', upload);
  const day = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' }, summary: 'kept' };
  const event = await apiJson(before, accessToken, '/calendar/v3/calendars/primary/events', jsonInit('POST', day));
  const permission = jsonInit('POST', { type: 'user', role: 'reader', emailAddress: SECOND });
  await apiJson(before, accessToken, `/drive/v3/files/${text(file.id)}/permissions`, permission);
  const comment = jsonInit('POST', { content: 'kept comment' });
  await apiJson(before, accessToken, `/drive/v3/files/${text(file.id)}/comments?fields=id`, comment);
  const keys = await readJson(await fetch(before.endpoints.jwks_uri));
  await control(before, 'POST', 'clock', { offsetSec: 60 });
  await before.close();
  const after = await startTestSimulator({ clients: [], statePath: path });
  expect(await readJson(await fetch(after.endpoints.jwks_uri))).toEqual(keys);
  expect((await refresh(after, refreshToken)).status).toBe(200);
  const bytes = await api(after, accessToken, `/drive/v3/files/${text(file.id)}?alt=media`);
  expect(await bytes.text()).toBe('kept bytes');
  const shown = await apiJson(after, accessToken, `/drive/v3/files/${text(file.id)}?fields=permissions(role)`);
  expect(shown.permissions).toEqual([{ role: 'owner' }, { role: 'reader' }]);
  const kept = await apiJson(after, accessToken, `/drive/v3/files/${text(file.id)}/comments?fields=comments(content)`);
  expect(kept.comments).toEqual([{ content: 'kept comment' }]);
  const found = await apiJson(after, accessToken, `/calendar/v3/calendars/primary/events/${text(event.id)}`);
  expect(found.summary).toBe('kept');
  const state = await control(after, 'GET', 'state');
  expect(records(state.grants)).toHaveLength(1);
  expect(Date.parse(text(state.now)) - Date.now()).toBeGreaterThan(50_000);
});

test('is private to the user and holds no token or secret in clear', async () => {
  const path = statePath();
  const simulator = await startTestSimulator({ statePath: path });
  const { accessToken, refreshToken } = await obtainTokens(simulator);
  const upload = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' };
  await apiJson(simulator, accessToken, '/upload/drive/v3/files?uploadType=media', upload);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const blob of readdirSync(`${path}.blobs`))
    expect(statSync(join(`${path}.blobs`, blob)).mode & 0o777).toBe(0o600);
  const json = readFileSync(path, 'utf8');
  for (const secret of [accessToken, refreshToken, CLIENT.clientSecret]) expect(json).not.toContain(secret);
});

test('is written before the answer leaves', async () => {
  const path = statePath();
  const simulator = await startTestSimulator({ statePath: path });
  const { refreshToken } = await obtainTokens(simulator);
  const copy = `${path}.copy`;
  writeFileSync(copy, readFileSync(path));
  const restored = await startTestSimulator({ clients: [], statePath: copy });
  expect((await refresh(restored, refreshToken)).status).toBe(200);
});

test.each(['{', '{}', '{"version":"0","oauth":{},"drive":{},"calendar":{}}'])(
  'refuses the file %j and leaves it',
  async (json) => {
    const path = join(mkdtempSync(join(tmpdir(), 'simulator-')), 'state.json');
    folders.push(join(path, '..'));
    writeFileSync(path, json);
    await expect(startSimulator({ statePath: path })).rejects.toThrow('Move it away to start afresh');
    expect(readFileSync(path, 'utf8')).toBe(json);
  },
);

test('writes nothing without a path', async () => {
  const simulator = await startTestSimulator();
  await obtainTokens(simulator);
  expect(existsSync('undefined')).toBe(false);
  expect(readdirSync('.').filter((name) => name.endsWith('.blobs'))).toEqual([]);
});
