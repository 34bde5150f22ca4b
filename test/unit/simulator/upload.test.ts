import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { CHUNK_UNIT_BYTES } from '../../../packages/simulator/drive/upload-session.ts';
import { apiFailure, control, open, test, type User } from './harness.ts';
import { DAY_SEC, FILES } from './names.ts';
import { jsonInit, readJson, text } from './values.ts';

const UPLOAD = `/upload${FILES}`;
const UNIT = CHUNK_UNIT_BYTES;
const PATTERN = Buffer.from(Array.from({ length: 3 * UNIT + 5 }, (_, index) => (index * 7) % 251));
const NOTHING = Buffer.alloc(0);

/** A resumable session on an API with an origin of its own. */
async function startSession(headers: Record<string, string> = {}, path = `${UPLOAD}?`) {
  const user = await open({ separateOrigins: true });
  const started = { 'x-upload-content-type': 'application/x-big', ...headers };
  const init = jsonInit('POST', { name: 'big.bin' }, started);
  const response = await user.call(`${path}uploadType=resumable`, init);
  expect([response.status, await response.text()]).toEqual([200, '']);
  return { ...user, session: text(response.headers.get('location')) };
}

/** A PUT to a session, and the range that it answers. */
async function put(session: string, body: Uint8Array, range?: string, headers: Record<string, string> = {}) {
  const all = { ...(range === undefined ? {} : { 'content-range': range }), ...headers };
  const answer = await fetch(session, { method: 'PUT', body: Buffer.from(body), redirect: 'manual', headers: all });
  return { answer, told: [answer.status, answer.headers.get('range')] };
}

async function contentOf({ call }: Pick<User, 'call'>, id: unknown): Promise<Buffer> {
  return Buffer.from(await (await call(`${FILES}/${id}?alt=media`)).arrayBuffer());
}

test('stores a media upload with its size, md5 and type', async ({ owner }) => {
  const init = { method: 'POST', headers: { 'content-type': 'image/x-test' }, body: 'some bytes' };
  const file = await owner.json(`${UPLOAD}?uploadType=media&fields=*`, init);
  const md5Checksum = createHash('md5').update('some bytes').digest('hex');
  expect(file).toMatchObject({ name: 'Untitled', mimeType: 'image/x-test', size: '10', md5Checksum });
  expect(String(await contentOf(owner, file.id))).toBe('some bytes');
});

test('stores a multipart upload with its metadata', async ({ owner }) => {
  const body =
    '--b\r\nContent-Type: application/json\r\n\r\n{"name":"a.txt"}\r\n--b\r\nContent-Type: text/plain\r\n\r\n--bytes\r\n\r\n--b--';
  const init = { method: 'POST', headers: { 'content-type': 'multipart/related; boundary="b"' }, body };
  const file = await owner.json(`${UPLOAD}?uploadType=multipart`, init);
  expect(Object.keys(file)).toEqual(['kind', 'id', 'name', 'mimeType']);
  expect(file).toMatchObject({ name: 'a.txt', mimeType: 'text/plain' });
  expect(String(await contentOf(owner, file.id))).toBe('--bytes\r\n');
});

test('reads bodies that were sent compressed, as Google’s Java client sends them', async ({ owner }) => {
  const gzipped = (body: string, contentType: string) => ({
    method: 'POST',
    headers: { 'content-type': contentType, 'content-encoding': 'gzip' },
    body: gzipSync(body),
  });
  const named = await owner.json(FILES, gzipped('{"name":"small.txt"}', 'application/json'));
  expect(named.name).toBe('small.txt');
  const parts =
    '--b\r\nContent-Type: application/json\r\n\r\n{"name":"a.txt"}\r\n--b\r\nContent-Type: text/plain\r\n\r\nbytes\r\n--b--';
  const file = await owner.json(`${UPLOAD}?uploadType=multipart`, gzipped(parts, 'multipart/related; boundary=b'));
  expect(String(await contentOf(owner, file.id))).toBe('bytes');
});

test.for([
  [
    'multipart',
    'multipart/related; boundary=b',
    '--b\r\nContent-Type: application/json\r\n\r\nnull\r\n--b\r\n\r\nnew\r\n--b--',
  ],
  ['resumable', 'application/json', 'null'],
] as const)('takes null for no metadata in a %s upload', async ([uploadType, contentType, body], { owner }) => {
  const id = await owner.make(FILES, { name: 'kept.txt' });
  const init = { method: 'PATCH', headers: { 'content-type': contentType }, body };
  const started = await owner.call(`${UPLOAD}/${id}?uploadType=${uploadType}`, init);
  const location = started.headers.get('location');
  const file = await readJson(location === null ? started : (await put(location, Buffer.from('new'))).answer);
  expect(file).toMatchObject({ id, name: 'kept.txt' });
  expect(String(await contentOf(owner, id))).toBe('new');
});

test('counts the bytes of a compressed chunk as they are without it', async () => {
  const { session, ...user } = await startSession();
  const body = Buffer.alloc(UNIT, 'a');
  const gzip = { 'content-encoding': 'gzip' };
  const first = await put(session, gzipSync(body), `bytes 0-${UNIT - 1}/*`, gzip);
  expect(first.told).toEqual([308, `bytes=0-${UNIT - 1}`]);
  const last = await put(session, gzipSync('end'), `bytes ${UNIT}-${UNIT + 2}/${UNIT + 3}`, gzip);
  const { id } = await readJson(last.answer);
  expect((await contentOf(user, id)).equals(Buffer.concat([body, Buffer.from('end')]))).toBe(true);
});

test('answers 400 to a body that is not compressed as it says', async ({ owner }) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect(await owner.refusal(FILES, { method: 'POST', headers, body: '{"name":"a"}' })).toBe('400 badRequest');
});

test.for([
  ['another media type', 'multipart/mixed; boundary=b', '--b\r\n\r\n{}\r\n--b--'],
  ['one part', 'multipart/related; boundary=b', '--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b--'],
  ['no closing boundary', 'multipart/related; boundary=b', '--b\r\nContent-Type: application/json\r\n\r\n{}'],
] as const)('refuses a multipart upload with %s', async ([, type, body], { owner }) => {
  const init = { method: 'POST', headers: { 'content-type': type }, body };
  expect(await owner.status(`${UPLOAD}?uploadType=multipart`, init)).toBe(400);
});

test('replaces bytes by PATCH and keeps the id', async ({ owner }) => {
  const init = (method: string, body: string) => ({ method, headers: { 'content-type': 'text/plain' }, body });
  const { id } = await owner.json(`${UPLOAD}?uploadType=media`, init('POST', 'one'));
  const path = `${UPLOAD}/${text(id)}?uploadType=media&fields=id,version`;
  expect(await owner.json(path, init('PATCH', 'two'))).toEqual({ id, version: '2' });
  expect(String(await contentOf(owner, id))).toBe('two');
});

test.each([`${UPLOAD}?`, `/resumable${UPLOAD}?`])(
  'names a session that starts at %s on the API origin',
  async (path) => {
    const { simulator, session } = await startSession({}, path);
    const url = new URL(session);
    expect(url.origin + url.pathname).toBe(simulator.endpoints.api_base_url + UPLOAD);
    expect(url.searchParams.get('uploadType')).toBe('resumable');
    expect(url.searchParams.get('upload_id')).toBeTruthy();
  },
);

test('takes a whole file in one PUT, without a token, and repeats the answer', async () => {
  const user = await startSession();
  const { answer } = await put(user.session, PATTERN);
  expect(answer.status).toBe(200);
  const file = await readJson(answer);
  expect(file).toMatchObject({ name: 'big.bin', mimeType: 'application/x-big' });
  expect((await contentOf(user, file.id)).equals(PATTERN)).toBe(true);
  const again = await put(user.session, NOTHING, `bytes */${PATTERN.length}`);
  expect([again.answer.status, await readJson(again.answer)]).toEqual([200, file]);
});

test('answers 308 with the range stored until the last chunk', async () => {
  const user = await startSession({}, `${UPLOAD}?fields=id,size&`);
  const { session } = user;
  const total = PATTERN.length;
  expect((await put(session, NOTHING, `bytes */${total}`)).told).toEqual([308, null]);
  const first = await put(session, PATTERN.subarray(0, UNIT), `bytes 0-${UNIT - 1}/*`);
  expect(first.told).toEqual([308, `bytes=0-${UNIT - 1}`]);
  expect((await put(session, NOTHING, 'bytes */*')).told).toEqual([308, `bytes=0-${UNIT - 1}`]);
  const { answer } = await put(session, PATTERN.subarray(UNIT), `bytes ${UNIT}-${total - 1}/${total}`);
  const file = await readJson(answer);
  expect([answer.status, file]).toEqual([200, { id: file.id, size: String(total) }]);
  expect((await contentOf(user, file.id)).equals(PATTERN)).toBe(true);
});

test('takes POST for PUT on a session', async () => {
  const { session } = await startSession();
  expect((await fetch(session, { method: 'POST', body: 'x', redirect: 'manual' })).status).toBe(200);
});

test('keeps whole units of an odd chunk and says so', async () => {
  const { session } = await startSession();
  const odd = UNIT + 100;
  const { told } = await put(session, PATTERN.subarray(0, odd), `bytes 0-${odd - 1}/${PATTERN.length}`);
  expect(told).toEqual([308, `bytes=0-${UNIT - 1}`]);
});

test.each([
  ['a chunk below 256 KiB', 100, 'bytes 0-99/*'],
  ['a gap', 300_000, 'bytes 300000-599999/*'],
  ['a range unlike the body', 300_000, 'bytes 0-99/*'],
  ['a malformed range', 300_000, 'bytes zero-99/*'],
  ['a total other than announced', 3, undefined],
])('refuses %s with 400', async (_claim, length, range) => {
  const { session } = await startSession(range === undefined ? { 'x-upload-content-length': '10' } : {});
  expect((await put(session, PATTERN.subarray(0, length), range)).answer.status).toBe(400);
});

test('hides the 308 from clients that ask for it', async () => {
  const { session } = await startSession();
  const no308 = { 'x-guploader-no-308': 'yes' };
  const { answer } = await put(session, PATTERN.subarray(0, UNIT), `bytes 0-${UNIT - 1}/*`, no308);
  expect([answer.status, answer.headers.get('x-http-status-code-override')]).toEqual([200, '308']);
});

test('forgets a session after a week and when cancelled', async () => {
  const { simulator, session } = await startSession();
  await control(simulator, 'POST', 'clock', { offsetSec: 7 * DAY_SEC + 1 });
  const gone = await apiFailure((await put(session, NOTHING, 'bytes */*')).answer);
  expect(gone).toMatchObject({ status: 404, reason: 'notFound' });
  const other = await startSession();
  expect((await fetch(other.session, { method: 'DELETE' })).status).toBe(499);
  expect((await put(other.session, PATTERN)).answer.status).toBe(404);
});

test('refuses a dead token on a session', async () => {
  const { session } = await startSession();
  expect((await put(session, PATTERN, undefined, { authorization: 'Bearer ya29.dead' })).answer.status).toBe(401);
});

test('refuses an unknown upload type', async ({ owner }) => {
  const failure = await owner.failure(`${UPLOAD}?uploadType=pigeon`, { method: 'POST' });
  expect(failure).toMatchObject({ status: 400, location: 'uploadType' });
});
