import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { control, open, signIn, test, type User } from './harness.ts';
import { DRIVE, FILES, FIRST, FOLDER, SECOND } from './names.ts';
import { type Json, rawGet, readJson, record, records, text } from './values.ts';

async function findFile(user: User, q: string): Promise<Json> {
  const [file] = await user.search(q, '&fields=files(id,name,size,md5Checksum,mimeType)');
  return record(file);
}

async function download(user: User, id: unknown, headers: Record<string, string> = {}) {
  const response = await user.call(`${FILES}/${text(id)}?alt=media`, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('lists kind, id, name and mimeType of 100 files without fields', async ({ owner }) => {
  const list = await owner.json(FILES);
  expect(Object.keys(list).sort()).toEqual(['files', 'incompleteSearch', 'kind', 'nextPageToken']);
  const files = records(list.files);
  expect(files).toHaveLength(100);
  for (const file of files) expect(Object.keys(file)).toEqual(['kind', 'id', 'name', 'mimeType']);
});

test('pages through every file once, and refuses a page token with another query', async ({ owner }) => {
  const ids: unknown[] = [];
  let next: unknown;
  do {
    const token = next === undefined ? '' : `&pageToken=${encodeURIComponent(text(next))}`;
    const list = await owner.json(`${FILES}?pageSize=77${token}`);
    ids.push(...records(list.files).map(({ id }) => id));
    next = list.nextPageToken;
    if (next !== undefined) {
      const other = `${FILES}?q=starred%3Dtrue&pageToken=${encodeURIComponent(text(next))}`;
      expect((await owner.failure(other)).location).toBe('pageToken');
    }
  } while (next !== undefined);
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

test('generates the same data on every start, other data per account', async () => {
  const read = async (account: string) =>
    (await open({ account })).list(`${FILES}?pageSize=1000&fields=files(id,name,size,md5Checksum)`, 'files');
  const first = await read(FIRST);
  expect(await read(FIRST)).toEqual(first);
  expect(await read(SECOND)).not.toEqual(first);
});

test('sorts by several keys', async ({ owner }) => {
  const path = `${FILES}?pageSize=1000&fields=files(name,mimeType)&orderBy=folder,name desc`;
  const files = await owner.list(path, 'files');
  const isFolder = files.map(({ mimeType }) => mimeType === FOLDER);
  expect(isFolder.indexOf(false)).toBe(isFolder.lastIndexOf(true) + 1);
  const names = files.filter((_, index) => isFolder[index] === false).map(({ name }) => text(name).toLowerCase());
  expect(names).toEqual([...names].sort().reverse());
});

test('gets a file, My Drive by its alias, and 404 notFound otherwise', async ({ owner }) => {
  expect(await owner.json(`${FILES}/root`)).toMatchObject({ name: 'My Drive', mimeType: FOLDER });
  const message = 'File not found: 1missing.';
  const failure = await owner.failure(`${FILES}/1missing`);
  expect(failure).toEqual({ status: 404, reason: 'notFound', message, location: 'fileId' });
});

test.for(['text/plain', 'image/png', 'application/pdf', 'video/mp4'])(
  'downloads bytes whose size and md5 are as listed: %s',
  async (mimeType, { owner }) => {
    const file = await findFile(owner, `mimeType = '${mimeType}'`);
    const { status, headers, bytes } = await download(owner, file.id);
    expect([status, headers.get('content-type')]).toEqual([200, mimeType]);
    const md5Checksum = createHash('md5').update(bytes).digest('hex');
    expect(file).toMatchObject({ mimeType, size: String(bytes.length), md5Checksum });
  },
);

test('holds a file of no bytes, one of five megabytes and an odd name', async ({ owner }) => {
  const empty = await findFile(owner, "name = 'empty.txt'");
  expect(empty.size).toBe('0');
  expect((await download(owner, empty.id, { range: 'bytes=0-0' })).status).toBe(416);
  expect(Number((await findFile(owner, "mimeType = 'video/mp4'")).size)).toBeGreaterThan(5_000_000);
  expect((await findFile(owner, "name contains 'Launch'")).name).toMatch(/🚀.*"final".*ש/);
});

test('answers a Range with the part it names, with 416, or with everything', async ({ owner }) => {
  const { id } = await findFile(owner, "mimeType = 'video/mp4'");
  const whole = (await download(owner, id)).bytes;
  const rows: [range: string, status: number, contentRange: string | null, start: number, end: number][] = [
    ['bytes=100-199', 206, 'bytes 100-199/5243201', 100, 200],
    ['bytes=65530-65545', 206, 'bytes 65530-65545/5243201', 65_530, 65_546],
    ['bytes=5243200-', 206, 'bytes 5243200-5243200/5243201', 5_243_200, 5_243_201],
    ['bytes=-5', 206, 'bytes 5243196-5243200/5243201', 5_243_196, 5_243_201],
    ['bytes=0-1,5-6', 200, null, 0, 5_243_201],
    ['lines=1-2', 200, null, 0, 5_243_201],
  ];
  for (const [range, status, contentRange, start, end] of rows) {
    const part = await download(owner, id, { range });
    expect([part.status, part.headers.get('content-range')], range).toEqual([status, contentRange]);
    expect(part.bytes.equals(whole.subarray(start, end)), range).toBe(true);
  }
});

test('says in the body of a 416 that the range is not satisfiable', async ({ owner }) => {
  const { id, size } = await findFile(owner, "mimeType = 'video/mp4'");
  const response = await owner.call(`${FILES}/${text(id)}?alt=media`, { headers: { range: `bytes=${text(size)}-` } });
  expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${text(size)}`]);
  const message = 'Request range not satisfiable';
  const reason = 'requestedRangeNotSatisfiable';
  expect(await readJson(response)).toEqual({
    error: { code: 416, message, errors: [{ domain: 'global', reason, message }] },
  });
});

test('compresses only when Accept-Encoding and User-Agent both name gzip', async ({ simulator, owner }) => {
  const url = `${simulator.endpoints.api_base_url}${FILES}?pageSize=5`;
  /** Encoding and bytes of an answer as they came. */
  const get = async (headers: Record<string, string>) => {
    const response = await rawGet(url, { authorization: `Bearer ${owner.accessToken}`, ...headers });
    return [response.headers['content-encoding'], Buffer.concat(await response.toArray())] as const;
  };
  const [encoding, plain] = await get({ 'accept-encoding': 'gzip', 'user-agent': 'client/1' });
  const [ofOther] = await get({ 'user-agent': 'client/1 (gzip)' });
  const [ofBoth, packed] = await get({ 'accept-encoding': 'gzip', 'user-agent': 'client/1 (gzip)' });
  const [refused] = await get({ 'accept-encoding': 'identity, gzip;q=0', 'user-agent': 'client/1 (gzip)' });
  const [ofWeighed] = await get({ 'accept-encoding': 'br, GZIP; q=0.5', 'user-agent': 'client/1 (gzip)' });
  expect([encoding, ofOther, ofBoth, refused, ofWeighed]).toEqual([undefined, undefined, 'gzip', undefined, 'gzip']);
  expect(gunzipSync(packed).equals(plain)).toBe(true);
});

test('hides with drive.file what the app has not made', async ({ simulator, owner }) => {
  const { id } = await findFile(owner, "mimeType = 'image/png'");
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason: 'user_revoked' });
  const app = await signIn(simulator, { scope: `${DRIVE}.file` });
  expect(await app.list(FILES, 'files')).toEqual([]);
  expect(await app.status(`${FILES}/${id}`)).toBe(404);
  await app.post(FILES, { name: 'own' });
  expect(await app.list(FILES, 'files')).toHaveLength(1);
});

test('refuses bytes to a metadata scope', async ({ simulator }) => {
  const user = await signIn(simulator, { scope: `${DRIVE}.metadata.readonly` });
  const { id } = await findFile(user, "mimeType = 'image/png'");
  expect((await download(user, id)).status).toBe(403);
});
