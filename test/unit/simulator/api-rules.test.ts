import { expect } from 'vitest';
import { HANDLERS } from '../../../packages/simulator/api/handlers.ts';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';
import { apiFailure, callsOf, signIn, test } from './harness.ts';
import { CALENDAR, DRIVE, FILES, LIST } from './names.ts';
import { readJson, records } from './values.ts';

test('the simulator has an entry for each of the 64 Drive and 38 Calendar methods, and for nothing else', () => {
  expect([METHODS.drive.length, METHODS.calendar.length]).toEqual([64, 38]);
  const ids = [...METHODS.drive, ...METHODS.calendar].map(({ id }) => id);
  expect([...HANDLERS.keys()].sort()).toEqual(ids.sort());
});

test('answers an unknown token with 401 authError and WWW-Authenticate', async ({ simulator }) => {
  const response = await callsOf(simulator, 'ya29.unknown').call(FILES);
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(await apiFailure(response)).toMatchObject({ status: 401, reason: 'authError', location: 'Authorization' });
});

test('answers a call without any credential with 403', async ({ simulator }) => {
  expect((await apiFailure(await fetch(simulator.endpoints.api_base_url + FILES))).status).toBe(403);
});

test.for([
  ['a calendar list with an events scope', `${CALENDAR}.events`, LIST],
  ['a file list with a calendar scope', CALENDAR, FILES],
  ['a file list with drive.scripts', `${DRIVE}.scripts`, FILES],
  ['a file list with drive.apps.readonly', `${DRIVE}.apps.readonly`, FILES],
] as const)('answers %s with 403 insufficientPermissions', async ([, scope, path], { simulator }) => {
  const response = await (await signIn(simulator, { scope })).call(path);
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toContain('insufficient_scope');
  expect((await readJson(response)).error).toMatchObject({
    status: 'PERMISSION_DENIED',
    errors: [{ domain: 'global', reason: 'insufficientPermissions' }],
    details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
  });
});

test.for<[path: string, reason: string, location: string | undefined]>([
  ['/drive/v3/files?pageSize=0', 'invalidParameter', 'pageSize'],
  ['/drive/v3/files?pageSize=1001', 'invalidParameter', 'pageSize'],
  ['/drive/v3/files?pageSize=ten', 'invalidParameter', 'pageSize'],
  ['/drive/v3/files?supportsAllDrives=maybe', 'invalidParameter', 'supportsAllDrives'],
  ['/drive/v3/files?corpus=world', 'invalidParameter', 'corpus'],
  ['/drive/v3/files?pageToken=stale', 'invalid', 'pageToken'],
  ['/drive/v3/changes?pageToken=stale', 'invalid', 'pageToken'],
  ['/drive/v3/drives?pageToken=stale', 'invalid', 'pageToken'],
  ['/calendar/v3/calendars/primary/events?pageToken=stale', 'invalid', 'pageToken'],
  ['/calendar/v3/users/me/settings?pageToken=stale', 'invalid', 'pageToken'],
  ['/calendar/v3/calendars/primary/events?syncToken=stale', 'invalid', 'syncToken'],
  ['/calendar/v3/users/me/calendarList?syncToken=stale', 'invalid', 'syncToken'],
  ['/calendar/v3/users/me/settings?syncToken=stale', 'invalid', 'syncToken'],
  ['/drive/v3/files?orderBy=colour', 'invalid', 'orderBy'],
  ['/drive/v3/files?q=colour%3D1', 'invalid', 'q'],
  ['/drive/v3/files?fields=files(colour)', 'invalidParameter', 'fields'],
  ['/drive/v3/files?fields=files(id', 'invalidParameter', 'fields'],
  ['/drive/v3/files?alt=xml', 'invalidParameter', 'alt'],
  ['/drive/v3/about?fields=*&alt=media', 'invalidParameter', 'alt'],
  ['/drive/v3/about', 'required', 'fields'],
  ['/drive/v3/changes', 'required', 'pageToken'],
  ['/calendar/v3/users/me/calendarList?maxResults=0', 'invalidParameter', 'maxResults'],
  ['/calendar/v3/users/me/calendarList?minAccessRole=king', 'invalidParameter', 'minAccessRole'],
  ['/calendar/v3/calendars/primary/events?timeMin=2026-01-01T00:00:00', 'badRequest', 'timeMin'],
  ['/calendar/v3/calendars/primary/events?orderBy=startTime', 'invalid', 'orderBy'],
])('answers %s with 400 %s', async ([path, reason, location], { owner }) => {
  expect(await owner.failure(path)).toMatchObject({ status: 400, reason, location });
});

test('ignores parameters it does not know', async ({ owner }) => {
  expect(await owner.status(`${FILES}?colour=red&pageSize=1`)).toBe(200);
});

test('answers a method of Google’s that it lacks with a loud 501', async ({ owner }) => {
  const failure = await owner.failure(`${FILES}/generateCseToken`);
  expect(failure).toMatchObject({ status: 501, reason: 'notImplementedBySimulator' });
  expect(failure.message).toContain('drive.files.generateCseToken');
});

test('distinguishes a colon verb from an id', async ({ owner }) => {
  const failure = await owner.failure(`${FILES}/x/approvals:start`, { method: 'POST' });
  expect(failure).toMatchObject({ status: 404, reason: 'notFound', location: 'fileId' });
});

test.for(['/drive/v3/nothing', '/drive/v2/files', '/drive/v3/files/', '/proxy/drive/v3/files', '/calendar/v3/%ff'])(
  'answers %s with 404',
  async (path, { owner }) => {
    expect(await owner.status(path)).toBe(404);
  },
);

test('takes a long GET as POST with the query as form, and nothing but a form', async ({ owner }) => {
  const headers = { 'x-http-method-override': 'GET' };
  const form = new URLSearchParams({ pageSize: '2', q: "mimeType = 'text/csv'" });
  const { kind, files } = await owner.json(FILES, { method: 'POST', headers, body: form });
  expect([kind, records(files).length]).toEqual(['drive#fileList', 2]);
  const plain = { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' };
  expect(await owner.status(FILES, plain)).toBe(400);
});

test('indents JSON unless prettyPrint is false, and answers HEAD without the body', async ({ owner }) => {
  const about = '/drive/v3/about?fields=kind';
  const bodyOf = async (path: string) => (await owner.call(path)).text();
  expect(await bodyOf(about)).toBe('{\n  "kind": "drive#about"\n}\n');
  expect(await bodyOf(`${about}&prettyPrint=false`)).toBe('{"kind":"drive#about"}');
  const head = await owner.call(about, { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['28', '']);
});
