import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { StateFileError, startSimulator } from '../../../packages/simulator/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { refresh } from './flow.ts';
import { callsOf, control, open, signIn, startTestSimulator, test, type User } from './harness.ts';
import { CLIENT, EVENTS, FILES, SECOND } from './names.ts';
import { readJson, text } from './values.ts';

/** A file in a folder that the simulator has to make. */
const statePath = () => join(temporaryFolder(), 'deeper', 'state.json');

const upload = ({ json }: User, body: string) => {
  const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body };
  return json(`/upload${FILES}?uploadType=media`, init);
};

test('keeps clients, grants, tokens, key, files and events over a restart', async () => {
  const path = statePath();
  const simulator = await startSimulator({ clients: [CLIENT], statePath: path });
  const before = await signIn(simulator);
  const file = `${FILES}/${text((await upload(before, 'kept bytes')).id)}`;
  const day = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' }, summary: 'kept' };
  const event = await before.make(EVENTS, day);
  await before.post(`${file}/permissions`, { type: 'user', role: 'reader', emailAddress: SECOND });
  await before.post(`${file}/comments?fields=id`, { content: 'kept comment' });
  const keys = await readJson(await fetch(simulator.endpoints.jwks_uri));
  await control(simulator, 'POST', 'clock', { offsetSec: 60 });
  await simulator.close();
  const restarted = await startTestSimulator({ clients: [], statePath: path });
  const after = callsOf(restarted, before.accessToken);
  expect(await readJson(await fetch(restarted.endpoints.jwks_uri))).toEqual(keys);
  expect((await refresh(restarted, before.refreshToken)).status).toBe(200);
  expect(await (await after.call(`${file}?alt=media`)).text()).toBe('kept bytes');
  const roles = [{ role: 'owner' }, { role: 'reader' }];
  expect(await after.list(`${file}?fields=permissions(role)`, 'permissions')).toEqual(roles);
  const comments = await after.list(`${file}/comments?fields=comments(content)`, 'comments');
  expect(comments).toEqual([{ content: 'kept comment' }]);
  expect((await after.json(`${EVENTS}/${event}`)).summary).toBe('kept');
  const { grants, now } = await control(restarted, 'GET', 'state');
  expect(grants).toHaveLength(1);
  expect(Date.parse(text(now)) - Date.now()).toBeGreaterThan(50_000);
});

test('is private to the user and holds no token or secret in clear', async () => {
  const path = statePath();
  const user = await open({ statePath: path });
  await upload(user, 'x');
  const blobs = readdirSync(`${path}.blobs`).map((blob) => join(`${path}.blobs`, blob));
  for (const file of [path, ...blobs]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const json = readFileSync(path, 'utf8');
  for (const secret of [user.accessToken, user.refreshToken, CLIENT.clientSecret]) expect(json).not.toContain(secret);
});

test('is written before the answer leaves', async () => {
  const path = statePath();
  const { refreshToken } = await open({ statePath: path });
  const copy = `${path}.copy`;
  writeFileSync(copy, readFileSync(path));
  const restored = await startTestSimulator({ clients: [], statePath: copy });
  expect((await refresh(restored, refreshToken)).status).toBe(200);
});

test('takes clients, grants and tokens over from a file of an older form, and says what it cannot read', async () => {
  const path = statePath();
  const former = await startSimulator({ clients: [CLIENT], statePath: path });
  const user = await signIn(former);
  await former.close();
  const { oauth } = JSON.parse(readFileSync(path, 'utf8'));
  const sub = oauth.grants[0].sub;
  const older = JSON.stringify({
    version: '1',
    oauth,
    drive: { [sub]: { files: [{ id: 'a' }, { id: 'b' }], removedIds: ['c'], log: [] } },
    calendar: { [sub]: { seq: 1, events: [{ calendarId: 'primary', seq: 1, event: {} }] } },
  });
  writeFileSync(path, older);
  const told: string[] = [];
  const simulator = await startTestSimulator({ clients: [], statePath: path, warn: (message) => told.push(message) });
  expect((await refresh(simulator, user.refreshToken)).status).toBe(200);
  expect(told).toEqual([
    `The simulator's state has an older form. Taken over: 1 OAuth client, 1 grant, 1 refresh token. Not taken over: 2 changed files of Drive, 1 removed file of Drive, 1 changed event of Calendar. A copy of the former file is ${path}.version-1.`,
  ]);
  expect(readFileSync(`${path}.version-1`, 'utf8')).toBe(older);
  expect(statSync(`${path}.version-1`).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8')).version).toBe('2');
});

test('says nothing of an older file in which Drive and Calendar were not changed', async () => {
  const path = statePath();
  const former = await startSimulator({ clients: [CLIENT], statePath: path });
  const user = await signIn(former);
  await former.close();
  const { oauth } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ version: '1', oauth, drive: {}, calendar: {} }));
  const told: string[] = [];
  const simulator = await startTestSimulator({ clients: [], statePath: path, warn: (message) => told.push(message) });
  expect((await refresh(simulator, user.refreshToken)).status).toBe(200);
  expect(told).toEqual([]);
  expect(existsSync(`${path}.version-1`)).toBe(false);
});

test.each([
  ['{', 'it is not JSON.'],
  ['[]', 'it holds no state.'],
  ['{}', 'its version is undefined, and this simulator reads 1 to 2.'],
  [
    '{"version":"3","oauth":{"grants":[{},{}]},"drive":{"files":[{}]}}',
    'its version is 3, and this simulator reads 1 to 2. Without it the simulator forgets 2 grants, 1 changed file of Drive.',
  ],
  [
    '{"version":"2","oauth":{"refreshTokens":[{}]},"drive":{},"calendar":{}}',
    'state.oauth.clients must be a list. Without it the simulator forgets 1 refresh token.',
  ],
])('refuses the file %j, names what is in it, and leaves it', async (json, told) => {
  const path = join(temporaryFolder(), 'state.json');
  writeFileSync(path, json);
  const refused = startSimulator({ statePath: path });
  await expect(refused).rejects.toThrow(StateFileError);
  await expect(refused).rejects.toThrow(`${path} is not a state file that this simulator can take over: ${told}`);
  expect(readFileSync(path, 'utf8')).toBe(json);
});

test('writes nothing without a path', async ({ owner }) => {
  await upload(owner, 'x');
  expect(existsSync('undefined')).toBe(false);
  expect(readdirSync('.').filter((name) => name.endsWith('.blobs'))).toEqual([]);
});
