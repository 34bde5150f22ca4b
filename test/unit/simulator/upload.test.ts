import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHUNK_UNIT_BYTES } from '../../../simulator/drive/upload-session.ts';
import type { Simulator } from '../../../simulator/index.ts';
import {
  api,
  apiFailure,
  apiJson,
  control,
  DAY_SEC,
  jsonInit,
  obtainTokens,
  readJson,
  startTestSimulator,
  text,
} from './harness.ts';

const UPLOAD = '/upload/drive/v3/files';
const PATTERN = Buffer.from(Array.from({ length: 3 * CHUNK_UNIT_BYTES + 5 }, (_, index) => (index * 7) % 251));

interface Started {
  simulator: Simulator;
  token: string;
  session: string;
}

async function startSession(headers: Record<string, string> = {}, path = UPLOAD, method = 'POST'): Promise<Started> {
  const simulator = await startTestSimulator({ separateOrigins: true });
  const { accessToken } = await obtainTokens(simulator);
  const separator = path.includes('?') ? '&' : '?';
  const response = await api(
    simulator,
    accessToken,
    `${path}${separator}uploadType=resumable`,
    jsonInit(method, { name: 'big.bin' }, { 'x-upload-content-type': 'application/x-big', ...headers }),
  );
  expect([response.status, await response.text()]).toEqual([200, '']);
  return { simulator, token: accessToken, session: text(response.headers.get('location')) };
}

function put(
  session: string,
  body: Uint8Array,
  range?: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(session, {
    method: 'PUT',
    body: new Uint8Array(body),
    redirect: 'manual',
    headers: { ...(range === undefined ? {} : { 'content-range': range }), ...headers },
  });
}

async function contentOf(simulator: Simulator, token: string, id: unknown): Promise<Buffer> {
  return Buffer.from(await (await api(simulator, token, `/drive/v3/files/${id}?alt=media`)).arrayBuffer());
}

test('stores a media upload with its size, md5 and type', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const init = { method: 'POST', headers: { 'content-type': 'image/x-test' }, body: 'some bytes' };
  const file = await apiJson(simulator, accessToken, `${UPLOAD}?uploadType=media&fields=*`, init);
  const md5Checksum = createHash('md5').update('some bytes').digest('hex');
  expect(file).toMatchObject({ name: 'Untitled', mimeType: 'image/x-test', size: '10', md5Checksum });
  expect(String(await contentOf(simulator, accessToken, file.id))).toBe('some bytes');
});

test('stores a multipart upload with its metadata', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const body =
    '--b\r\nContent-Type: application/json\r\n\r\n{"name":"a.txt"}\r\n--b\r\nContent-Type: text/plain\r\n\r\n--bytes\r\n\r\n--b--';
  const init = { method: 'POST', headers: { 'content-type': 'multipart/related; boundary="b"' }, body };
  const file = await apiJson(simulator, accessToken, `${UPLOAD}?uploadType=multipart`, init);
  expect(Object.keys(file)).toEqual(['kind', 'id', 'name', 'mimeType']);
  expect(file).toMatchObject({ name: 'a.txt', mimeType: 'text/plain' });
  expect(String(await contentOf(simulator, accessToken, file.id))).toBe('--bytes\r\n');
});

test.each([
  ['another media type', 'multipart/mixed; boundary=b', '--b\r\n\r\n{}\r\n--b--'],
  ['one part', 'multipart/related; boundary=b', '--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b--'],
  ['no closing boundary', 'multipart/related; boundary=b', '--b\r\nContent-Type: application/json\r\n\r\n{}'],
])('refuses a multipart upload with %s', async (_claim, type, body) => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const init = { method: 'POST', headers: { 'content-type': type }, body };
  expect((await api(simulator, accessToken, `${UPLOAD}?uploadType=multipart`, init)).status).toBe(400);
});

test('replaces bytes by PATCH and keeps the id', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const init = (method: string, body: string) => ({ method, headers: { 'content-type': 'text/plain' }, body });
  const file = await apiJson(simulator, accessToken, `${UPLOAD}?uploadType=media`, init('POST', 'one'));
  const path = `${UPLOAD}/${text(file.id)}?uploadType=media&fields=id,version`;
  expect(await apiJson(simulator, accessToken, path, init('PATCH', 'two'))).toEqual({ id: file.id, version: '2' });
  expect(String(await contentOf(simulator, accessToken, file.id))).toBe('two');
});

test('names the session on the API origin', async () => {
  const { simulator, session } = await startSession();
  const url = new URL(session);
  expect(url.origin).toBe(simulator.endpoints.api_base_url);
  expect(url.pathname).toBe(UPLOAD);
  expect(url.searchParams.get('uploadType')).toBe('resumable');
  expect(url.searchParams.get('upload_id')).toBeTruthy();
});

test('starts a session on the /resumable path too', async () => {
  const { session } = await startSession({}, '/resumable/upload/drive/v3/files');
  expect(new URL(session).pathname).toBe(UPLOAD);
});

test('takes a whole file in one PUT, without a token', async () => {
  const { simulator, token, session } = await startSession();
  const response = await put(session, PATTERN);
  expect(response.status).toBe(200);
  const file = await readJson(response);
  expect(file).toMatchObject({ name: 'big.bin', mimeType: 'application/x-big' });
  expect((await contentOf(simulator, token, file.id)).equals(PATTERN)).toBe(true);
});

test('answers 308 with the range stored until the last chunk', async () => {
  const { simulator, token, session } = await startSession({}, `${UPLOAD}?fields=id,size`);
  const total = PATTERN.length;
  const unit = CHUNK_UNIT_BYTES;
  const first = await put(session, PATTERN.subarray(0, unit), `bytes 0-${unit - 1}/*`);
  expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${unit - 1}`]);
  const status = await put(session, Buffer.alloc(0), 'bytes */*');
  expect([status.status, status.headers.get('range')]).toEqual([308, `bytes=0-${unit - 1}`]);
  const last = await put(session, PATTERN.subarray(unit), `bytes ${unit}-${total - 1}/${total}`);
  const file = await readJson(last);
  expect([last.status, file]).toEqual([200, { id: file.id, size: String(total) }]);
  expect((await contentOf(simulator, token, file.id)).equals(PATTERN)).toBe(true);
});

test('gives no Range while nothing is stored', async () => {
  const { session } = await startSession();
  const response = await put(session, Buffer.alloc(0), `bytes */${PATTERN.length}`);
  expect([response.status, response.headers.get('range')]).toEqual([308, null]);
});

test('takes POST for PUT on a session', async () => {
  const { session } = await startSession();
  const response = await fetch(session, { method: 'POST', body: 'x', redirect: 'manual' });
  expect(response.status).toBe(200);
});

test('keeps whole units of an odd chunk and says so', async () => {
  const { session } = await startSession();
  const odd = CHUNK_UNIT_BYTES + 100;
  const response = await put(session, PATTERN.subarray(0, odd), `bytes 0-${odd - 1}/${PATTERN.length}`);
  expect([response.status, response.headers.get('range')]).toEqual([308, `bytes=0-${CHUNK_UNIT_BYTES - 1}`]);
});

test.each([
  ['a chunk below 256 KiB', 100, 'bytes 0-99/*'],
  ['a gap', 300_000, 'bytes 300000-599999/*'],
  ['a range unlike the body', 300_000, 'bytes 0-99/*'],
  ['a malformed range', 300_000, 'bytes zero-99/*'],
])('refuses %s with 400', async (_claim, length, range) => {
  const { session } = await startSession();
  const response = await put(session, PATTERN.subarray(0, length), range);
  expect(response.status).toBe(400);
});

test('refuses a total other than announced', async () => {
  const { session } = await startSession({ 'x-upload-content-length': '10' });
  expect((await put(session, Buffer.from('123'))).status).toBe(400);
});

test('repeats the answer of a finished session', async () => {
  const { session } = await startSession();
  const file = await readJson(await put(session, Buffer.from('done')));
  const again = await put(session, Buffer.alloc(0), 'bytes */4');
  expect([again.status, await readJson(again)]).toEqual([200, file]);
});

test('hides the 308 from clients that ask for it', async () => {
  const { session } = await startSession();
  const response = await put(session, PATTERN.subarray(0, CHUNK_UNIT_BYTES), `bytes 0-${CHUNK_UNIT_BYTES - 1}/*`, {
    'x-guploader-no-308': 'yes',
  });
  expect([response.status, response.headers.get('x-http-status-code-override')]).toEqual([200, '308']);
});

test('forgets a session after a week and when cancelled', async () => {
  const { simulator, session } = await startSession();
  await control(simulator, 'POST', 'clock', { offsetSec: 7 * DAY_SEC + 1 });
  const gone = await put(session, Buffer.alloc(0), 'bytes */*');
  expect(await apiFailure(gone)).toMatchObject({ status: 404, reason: 'notFound' });
  const other = await startSession();
  expect((await fetch(other.session, { method: 'DELETE' })).status).toBe(499);
  expect((await put(other.session, Buffer.from('x'))).status).toBe(404);
});

test('refuses a dead token on a session', async () => {
  const { session } = await startSession();
  expect((await put(session, Buffer.from('x'), undefined, { authorization: 'Bearer ya29.dead' })).status).toBe(401);
});

test('refuses an unknown upload type', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const failure = await apiFailure(
    await api(simulator, accessToken, `${UPLOAD}?uploadType=pigeon`, { method: 'POST' }),
  );
  expect(failure).toMatchObject({ status: 400, location: 'uploadType' });
});
