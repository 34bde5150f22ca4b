import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Simulator } from '../../../simulator/index.ts';
import {
  api,
  apiFailure,
  apiJson,
  control,
  DRIVE,
  type Json,
  obtainTokens,
  records,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

async function findFile(simulator: Simulator, token: string, q: string): Promise<Json> {
  const query = new URLSearchParams({ q, fields: 'files(id,name,size,md5Checksum,mimeType)' });
  const [file] = records((await apiJson(simulator, token, `/drive/v3/files?${query}`)).files);
  if (file === undefined) throw new Error(`No file for ${q}`);
  return file;
}

async function download(simulator: Simulator, token: string, id: unknown, headers: Record<string, string> = {}) {
  return api(simulator, token, `/drive/v3/files/${id}?alt=media`, { headers });
}

test('lists kind, id, name and mimeType of 100 files without fields', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const list = await apiJson(simulator, accessToken, '/drive/v3/files');
  expect(Object.keys(list).sort()).toEqual(['files', 'incompleteSearch', 'kind', 'nextPageToken']);
  const files = records(list.files);
  expect(files).toHaveLength(100);
  for (const file of files) expect(Object.keys(file)).toEqual(['kind', 'id', 'name', 'mimeType']);
});

test('pages through every file once', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const ids: unknown[] = [];
  for (let pageToken = ''; ; ) {
    const token = pageToken === '' ? '' : `&pageToken=${encodeURIComponent(pageToken)}`;
    const list = await apiJson(simulator, accessToken, `/drive/v3/files?pageSize=77${token}`);
    ids.push(...records(list.files).map(({ id }) => id));
    if (list.nextPageToken === undefined) break;
    pageToken = text(list.nextPageToken);
  }
  expect(ids).toHaveLength(300);
  expect(new Set(ids).size).toBe(300);
});

test('refuses a page token with another query', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const list = await apiJson(simulator, accessToken, '/drive/v3/files?pageSize=1');
  const path = `/drive/v3/files?q=starred%3Dtrue&pageToken=${encodeURIComponent(text(list.nextPageToken))}`;
  expect((await apiFailure(await api(simulator, accessToken, path))).location).toBe('pageToken');
});

test('generates the same data on every start, other data per account', async () => {
  const read = async (account: string | undefined) => {
    const simulator = await startTestSimulator();
    const choice = account === undefined ? {} : { account };
    const { accessToken } = await obtainTokens(simulator, {}, choice);
    return JSON.stringify(
      await apiJson(simulator, accessToken, '/drive/v3/files?pageSize=1000&fields=files(id,name,size,md5Checksum)'),
    );
  };
  expect(await read(undefined)).toBe(await read(undefined));
  expect(await read(SECOND)).not.toBe(await read(undefined));
});

test('sorts by several keys', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const path = '/drive/v3/files?pageSize=1000&fields=files(name,mimeType)&orderBy=folder,name desc';
  const files = records((await apiJson(simulator, accessToken, path)).files);
  const isFolder = files.map(({ mimeType }) => mimeType === 'application/vnd.google-apps.folder');
  expect(isFolder.indexOf(false)).toBe(isFolder.lastIndexOf(true) + 1);
  const names = files.filter((_, index) => isFolder[index] === false).map(({ name }) => text(name).toLowerCase());
  expect(names).toEqual([...names].sort().reverse());
});

test('refuses an order beside fullText', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const query = new URLSearchParams({ q: "fullText contains 'plan'", orderBy: 'name' });
  expect((await api(simulator, accessToken, `/drive/v3/files?${query}`)).status).toBe(400);
});

test('gets a file, My Drive by its alias, and 404 notFound otherwise', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const root = await apiJson(simulator, accessToken, '/drive/v3/files/root');
  expect(root).toMatchObject({ name: 'My Drive', mimeType: 'application/vnd.google-apps.folder' });
  const failure = await apiFailure(await api(simulator, accessToken, '/drive/v3/files/1missing'));
  expect(failure).toEqual({
    status: 404,
    reason: 'notFound',
    message: 'File not found: 1missing.',
    location: 'fileId',
  });
});

test.each([
  "mimeType = 'text/plain'",
  "mimeType = 'image/png'",
  "mimeType = 'application/pdf'",
  "mimeType = 'video/mp4'",
])('downloads bytes whose size and md5 are as listed: %s', async (q) => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const file = await findFile(simulator, accessToken, q);
  const response = await download(simulator, accessToken, file.id);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(file.mimeType);
  expect(String(bytes.length)).toBe(file.size);
  expect(createHash('md5').update(bytes).digest('hex')).toBe(file.md5Checksum);
});

test('holds a file of no bytes, one of five megabytes and an odd name', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const empty = await findFile(simulator, accessToken, "name = 'empty.txt'");
  expect(empty.size).toBe('0');
  const response = await download(simulator, accessToken, empty.id, { range: 'bytes=0-0' });
  expect(response.status).toBe(416);
  expect(Number((await findFile(simulator, accessToken, "mimeType = 'video/mp4'")).size)).toBeGreaterThan(5_000_000);
  expect((await findFile(simulator, accessToken, "name contains 'Launch'")).name).toMatch(/🚀.*"final".*ש/);
});

test.each([
  ['bytes=100-199', 206, 'bytes 100-199/5243201', 100],
  ['bytes=65530-65545', 206, 'bytes 65530-65545/5243201', 16],
  ['bytes=5243200-', 206, 'bytes 5243200-5243200/5243201', 1],
  ['bytes=-5', 206, 'bytes 5243196-5243200/5243201', 5],
  ['bytes=5243201-', 416, 'bytes */5243201', 0],
  ['bytes=0-1,5-6', 200, null, 5_243_201],
  ['lines=1-2', 200, null, 5_243_201],
])('answers Range %s with %i', async (range, status, contentRange, length) => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const { id } = await findFile(simulator, accessToken, "mimeType = 'video/mp4'");
  const whole = Buffer.from(await (await download(simulator, accessToken, id)).arrayBuffer());
  const response = await download(simulator, accessToken, id, { range });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect([response.status, response.headers.get('content-range'), bytes.length]).toEqual([
    status,
    contentRange,
    length,
  ]);
  const start = Number(/bytes (\d+)-/.exec(contentRange ?? '')?.[1] ?? 0);
  expect(bytes.equals(whole.subarray(start, start + length))).toBe(true);
});

function rawGet(
  url: string,
  headers: Record<string, string>,
): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('compresses only when Accept-Encoding and User-Agent both name gzip', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const url = `${simulator.endpoints.api_base_url}/drive/v3/files?pageSize=5`;
  const get = (headers: Record<string, string>) => rawGet(url, { authorization: `Bearer ${accessToken}`, ...headers });
  const plain = await get({ 'accept-encoding': 'gzip', 'user-agent': 'client/1' });
  const packed = await get({ 'accept-encoding': 'gzip', 'user-agent': 'client/1 (gzip)' });
  expect(plain.encoding).toBeUndefined();
  expect((await get({ 'user-agent': 'client/1 (gzip)' })).encoding).toBeUndefined();
  expect(packed.encoding).toBe('gzip');
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
});

test('exports a document and refuses to download it', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const { id } = await findFile(simulator, accessToken, "mimeType = 'application/vnd.google-apps.document'");
  const exported = await api(simulator, accessToken, `/drive/v3/files/${id}/export?mimeType=application/pdf`);
  expect(await exported.text()).toMatch(/^%PDF-/);
  expect((await apiFailure(await download(simulator, accessToken, id))).reason).toBe('fileNotDownloadable');
  const odd = await api(simulator, accessToken, `/drive/v3/files/${id}/export?mimeType=image/gif`);
  expect((await apiFailure(odd)).reason).toBe('badRequest');
});

test('refuses to export what is not a document', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const { id } = await findFile(simulator, accessToken, "mimeType = 'image/png'");
  const response = await api(simulator, accessToken, `/drive/v3/files/${id}/export?mimeType=application/pdf`);
  expect(await apiFailure(response)).toMatchObject({ status: 403, reason: 'fileNotExportable' });
});

test('downloads through an operation', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const { id } = await findFile(simulator, accessToken, "mimeType = 'image/png'");
  const started = await apiJson(simulator, accessToken, `/drive/v3/files/${id}/download`, { method: 'POST' });
  expect(started.done).toBe(false);
  const finished = await apiJson(simulator, accessToken, `/drive/v3/operations/${text(started.name)}`);
  expect(finished).toMatchObject({ done: true, response: { partialDownloadAllowed: true } });
});

test('hides with drive.file what the app has not made', async () => {
  const simulator = await startTestSimulator();
  const whole = await obtainTokens(simulator);
  const { id } = await findFile(simulator, whole.accessToken, "mimeType = 'image/png'");
  await control(simulator, 'POST', 'grants/kill', { account: 'first.user@example.com', reason: 'user_revoked' });
  const { accessToken } = await obtainTokens(simulator, { scope: `${DRIVE}.file` });
  expect(records((await apiJson(simulator, accessToken, '/drive/v3/files')).files)).toEqual([]);
  expect((await api(simulator, accessToken, `/drive/v3/files/${id}`)).status).toBe(404);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"own"}' };
  await apiJson(simulator, accessToken, '/drive/v3/files', init);
  expect(records((await apiJson(simulator, accessToken, '/drive/v3/files')).files)).toHaveLength(1);
});

test('refuses bytes to a metadata scope', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope: `${DRIVE}.metadata.readonly` });
  const { id } = await findFile(simulator, accessToken, "mimeType = 'image/png'");
  expect((await download(simulator, accessToken, id)).status).toBe(403);
});
