import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const MIB = 1024 * 1024;
const CHUNK = 4 * MIB;

const gateway = useTestGateway();
let writer: string;
beforeAll(async () => {
  const integration = { provider: 'google-drive', unique_key: 'drive-writer', scopes: ['drive'] };
  await gateway.json('POST', '/integrations', { ...integration, credentials_source: 'test' });
  writer = await connectAccount(gateway, 'drive-writer');
});

const identity = () => ({
  authorization: `Bearer ${gateway.gateway.secretKey}`,
  'provider-config-key': 'drive-writer',
  'connection-id': writer,
});
const drive = (path: string, init?: RequestInit) => gateway.proxyAs('drive-writer', writer, path, init);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function startResumable(metadata: unknown): Promise<string> {
  const started = await drive('/upload/drive/v3/files?uploadType=resumable', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-upload-content-type': 'application/octet-stream' },
    body: JSON.stringify(metadata),
  });
  expect(started.status).toBe(200);
  return started.headers.get('location') ?? '';
}

describe('uploads', () => {
  test('a media upload comes down again equal', async () => {
    const bytes = randomBytes(700_001);
    const created = await drive('/upload/drive/v3/files?uploadType=media', {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: bytes,
    });
    const file = await created.json();
    expect(created.status).toBe(200);
    const down = await drive(`/drive/v3/files/${file.id}?alt=media`);
    expect(sha256(new Uint8Array(await down.arrayBuffer()))).toBe(sha256(bytes));
  });

  test('a multipart upload keeps metadata and media', async () => {
    const media = randomBytes(50_000);
    const boundary = 'b-o-u-n-d-a-r-y';
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"Übersicht.bin"}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      media,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const created = await drive('/upload/drive/v3/files?uploadType=multipart&fields=id,name,size', {
      method: 'POST',
      headers: { 'content-type': `multipart/related; boundary=${boundary}` },
      body,
    });
    const file = await created.json();
    expect(file).toMatchObject({ name: 'Übersicht.bin', size: '50000' });
    const down = await drive(`/drive/v3/files/${file.id}?alt=media`);
    expect(sha256(new Uint8Array(await down.arrayBuffer()))).toBe(sha256(media));
  });

  test('PX-15: the session address of a resumable upload points to the gateway', async () => {
    const location = await startResumable({ name: 'where.bin' });
    expect(location.startsWith(`${gateway.gateway.proxyUrl}/proxy/upload/drive/v3/files?`)).toBe(true);
    expect(new URL(location).searchParams.get('upload_id')).toBeTruthy();
  });

  test('a 60 MB file goes up in chunks and comes down equal', { tags: ['long'] }, async () => {
    const size = 60 * MIB + 17;
    const bytes = randomBytes(size);
    const location = await startResumable({ name: 'large.bin' });
    let finished = new Response();
    for (let start = 0; start < size; start += CHUNK) {
      const end = Math.min(start + CHUNK, size);
      const answer = await fetch(location, {
        method: 'PUT',
        headers: { ...identity(), 'content-range': `bytes ${start}-${end - 1}/${size}` },
        body: bytes.subarray(start, end),
        redirect: 'manual',
      });
      if (end < size) {
        expect([answer.status, answer.headers.get('range')]).toEqual([308, `bytes=0-${end - 1}`]);
        await answer.arrayBuffer();
      } else finished = answer;
    }
    expect(finished.status).toBe(200);
    const { id } = await finished.json();
    const down = await drive(`/drive/v3/files/${id}?alt=media`);
    const hash = createHash('sha256');
    let length = 0;
    for await (const chunk of down.body ?? []) {
      hash.update(chunk);
      length += chunk.length;
    }
    expect(length).toBe(size);
    expect(hash.digest('hex')).toBe(sha256(bytes));
  });

  test('a status query shows how much has arrived, and the upload continues from there', async () => {
    const bytes = randomBytes(512 * 1024 + 5);
    const location = await startResumable({ name: 'resumed.bin' });
    const put = (range: string, body?: Uint8Array<ArrayBuffer>) =>
      fetch(location, {
        method: 'PUT',
        headers: { ...identity(), 'content-range': range },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
      });
    const empty = await put(`bytes */${bytes.length}`);
    expect([empty.status, empty.headers.get('range')]).toEqual([308, null]);
    await put(`bytes 0-262143/${bytes.length}`, new Uint8Array(bytes.subarray(0, 262_144)));
    const status = await put(`bytes */${bytes.length}`);
    expect([status.status, status.headers.get('range')]).toEqual([308, 'bytes=0-262143']);
    const done = await put(`bytes 262144-${bytes.length - 1}/${bytes.length}`, new Uint8Array(bytes.subarray(262_144)));
    expect(done.status).toBe(200);
  });

  test('X-GUploader-No-308 is honoured through the gateway', async () => {
    const location = await startResumable({ name: 'no308.bin' });
    const answer = await fetch(location, {
      method: 'PUT',
      headers: { ...identity(), 'content-range': 'bytes */1000', 'x-guploader-no-308': 'yes' },
    });
    expect([answer.status, answer.headers.get('x-http-status-code-override')]).toEqual([200, '308']);
  });

  test('LG-3: an upload id is in no log line', async () => {
    const location = await startResumable({ name: 'quiet.bin' });
    const uploadId = new URL(location).searchParams.get('upload_id') ?? '';
    expect(uploadId).not.toBe('');
    expect(JSON.stringify(gateway.gateway.logs())).not.toContain(uploadId);
  });
});

describe('downloads', () => {
  test('PR-10: a range is 206 with its Content-Range', async () => {
    const bytes = randomBytes(10_000);
    const created = await drive('/upload/drive/v3/files?uploadType=media', {
      method: 'POST',
      headers: { 'content-type': 'a/b' },
      body: bytes,
    });
    const { id } = await created.json();
    const part = await drive(`/drive/v3/files/${id}?alt=media`, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100-199/10000']);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
  });
});

describe('batch', () => {
  const batch = (parts: string[], boundary = 'batch_x') =>
    drive('/batch/drive/v3', {
      method: 'POST',
      headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
      body: `${parts.map((part, i) => `--${boundary}\r\nContent-Type: application/http\r\nContent-ID: <item${i}>\r\n\r\n${part}\r\n`).join('')}--${boundary}--\r\n`,
    });

  test('PX-22: 100 parts written by a client that points at the gateway are answered one by one', async () => {
    const { files } = await (await drive('/drive/v3/files?pageSize=100&fields=files(id)')).json();
    const parts = files.map(
      ({ id }: { id: string }) =>
        `GET /proxy/drive/v3/files/${id}?fields=id HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${gateway.gateway.secretKey}\r\nConnection-Id: ${writer}\r\n`,
    );
    expect(parts).toHaveLength(100);
    const answer = await batch(parts);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(100);
    for (const { id } of files) expect(text).toContain(id);
    expect(text).toContain('response-item0');
    const seen = JSON.stringify(await requests(gateway, 'api'));
    expect(seen).not.toContain(gateway.gateway.secretKey);
  });

  test('PX-22: one part outside the provider refuses the whole batch and names the part', async () => {
    const before = (await requests(gateway, 'api')).length;
    const answer = await batch(['GET /proxy/drive/v3/about?fields=user\r\n', 'GET https://evil.example/x\r\n']);
    expect([answer.status, answer.headers.get('x-gateway-error')]).toEqual([400, 'invalid_body']);
    expect(JSON.stringify(await answer.json())).toContain('parts[1]');
    expect((await requests(gateway, 'api')).length).toBe(before);
  });
});
