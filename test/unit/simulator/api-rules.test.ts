import { expect, test } from 'vitest';
import { HANDLERS } from '../../../simulator/api/handlers.ts';
import { METHODS } from '../../../simulator/api/method-table.ts';
import {
  api,
  apiFailure,
  apiJson,
  CALENDAR,
  DRIVE,
  obtainTokens,
  readJson,
  record,
  records,
  startTestSimulator,
} from './harness.ts';

test('has an entry for each of the 64 Drive and 38 Calendar methods, and for nothing else', () => {
  expect(METHODS.drive).toHaveLength(64);
  expect(METHODS.calendar).toHaveLength(38);
  const ids = [...METHODS.drive, ...METHODS.calendar].map(({ id }) => id);
  expect([...HANDLERS.keys()].sort()).toEqual(ids.sort());
});

test('answers an unknown token with 401 authError and WWW-Authenticate', async () => {
  const simulator = await startTestSimulator();
  const response = await api(simulator, 'ya29.unknown', '/drive/v3/files');
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  expect(await apiFailure(response)).toMatchObject({ status: 401, reason: 'authError', location: 'Authorization' });
});

test('answers a call without any credential with 403', async () => {
  const simulator = await startTestSimulator();
  const response = await fetch(`${simulator.endpoints.api_base_url}/drive/v3/files`);
  expect((await apiFailure(response)).status).toBe(403);
});

test.each([
  ['a calendar list with an events scope', `${CALENDAR}.events`, '/calendar/v3/users/me/calendarList'],
  ['a file list with a calendar scope', CALENDAR, '/drive/v3/files'],
  ['a file list with drive.scripts', `${DRIVE}.scripts`, '/drive/v3/files'],
  ['a file list with drive.apps.readonly', `${DRIVE}.apps.readonly`, '/drive/v3/files'],
])('answers %s with 403 insufficientPermissions', async (_claim, scope, path) => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope });
  const response = await api(simulator, accessToken, path);
  expect(response.status).toBe(403);
  expect(response.headers.get('www-authenticate')).toContain('insufficient_scope');
  const error = record((await readJson(response)).error);
  expect(records(error.errors)[0]).toMatchObject({ domain: 'global', reason: 'insufficientPermissions' });
  expect(error.status).toBe('PERMISSION_DENIED');
  expect(records(error.details)[0]).toMatchObject({ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' });
});

const badParameters: [path: string, reason: string, location: string | undefined][] = [
  ['/drive/v3/files?pageSize=0', 'invalidParameter', 'pageSize'],
  ['/drive/v3/files?pageSize=1001', 'invalidParameter', 'pageSize'],
  ['/drive/v3/files?pageSize=ten', 'invalidParameter', 'pageSize'],
  ['/drive/v3/files?supportsAllDrives=maybe', 'invalidParameter', 'supportsAllDrives'],
  ['/drive/v3/files?corpus=world', 'invalidParameter', 'corpus'],
  ['/drive/v3/files?pageToken=stale', 'invalidParameter', 'pageToken'],
  ['/drive/v3/files?orderBy=colour', 'invalidParameter', 'orderBy'],
  ['/drive/v3/files?q=colour%3D1', 'invalid', 'q'],
  ['/drive/v3/files?fields=files(colour)', 'invalidParameter', 'fields'],
  ['/drive/v3/files?fields=files(id', 'invalidParameter', 'fields'],
  ['/drive/v3/files?alt=xml', 'invalidParameter', 'alt'],
  ['/drive/v3/about', 'required', 'fields'],
  ['/drive/v3/changes', 'required', 'pageToken'],
  ['/calendar/v3/users/me/calendarList?maxResults=0', 'invalidParameter', 'maxResults'],
  ['/calendar/v3/users/me/calendarList?minAccessRole=king', 'invalidParameter', 'minAccessRole'],
  ['/calendar/v3/calendars/primary/events?timeMin=2026-01-01T00:00:00', 'badRequest', 'timeMin'],
  ['/calendar/v3/calendars/primary/events?orderBy=startTime', 'badRequest', undefined],
];

test.each(badParameters)('answers %s with 400 %s', async (path, reason, location) => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  expect(await apiFailure(await api(simulator, accessToken, path))).toMatchObject({ status: 400, reason, location });
});

test('ignores parameters it does not know', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  await apiJson(simulator, accessToken, '/drive/v3/files?colour=red&pageSize=1');
});

test('answers a method of Google’s that it lacks with a loud 501', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const failure = await apiFailure(await api(simulator, accessToken, '/drive/v3/files/generateCseToken'));
  expect(failure).toMatchObject({ status: 501, reason: 'notImplementedBySimulator' });
  expect(failure.message).toContain('drive.files.generateCseToken');
});

test('tells a colon verb from an id', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const failure = await apiFailure(
    await api(simulator, accessToken, '/drive/v3/files/x/approvals:start', { method: 'POST' }),
  );
  expect(failure).toMatchObject({ status: 404, reason: 'notFound', location: 'fileId' });
});

test.each(['/drive/v3/nothing', '/drive/v2/files', '/drive/v3/files/', '/proxy/drive/v3/files', '/calendar/v3/%ff'])(
  'answers %s with 404',
  async (path) => {
    const simulator = await startTestSimulator();
    const { accessToken } = await obtainTokens(simulator);
    expect((await api(simulator, accessToken, path)).status).toBe(404);
  },
);

test('takes a long GET as POST with the query as form', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const response = await api(simulator, accessToken, '/drive/v3/files', {
    method: 'POST',
    headers: { 'x-http-method-override': 'GET' },
    body: new URLSearchParams({ pageSize: '2', q: "mimeType = 'text/csv'" }),
  });
  const body = await readJson(response);
  expect(body.kind).toBe('drive#fileList');
  expect(records(body.files)).toHaveLength(2);
});

test('refuses an overridden GET without a form', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const init = {
    method: 'POST',
    headers: { 'x-http-method-override': 'GET', 'content-type': 'text/plain' },
    body: 'x',
  };
  expect((await api(simulator, accessToken, '/drive/v3/files', init)).status).toBe(400);
});

test('indents JSON unless prettyPrint is false', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const bodyOf = async (query: string) =>
    (await api(simulator, accessToken, `/drive/v3/about?fields=kind${query}`)).text();
  expect(await bodyOf('')).toBe('{\n  "kind": "drive#about"\n}\n');
  expect(await bodyOf('&prettyPrint=false')).toBe('{"kind":"drive#about"}');
});

test('answers HEAD with the length of the body and without it', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const path = '/drive/v3/about?fields=kind';
  const response = await api(simulator, accessToken, path, { method: 'HEAD' });
  expect(response.headers.get('content-length')).toBe('28');
  expect(await response.text()).toBe('');
});
