import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Nango } from '@nangohq/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { seenUpstream, type WriterGateway } from './writers.ts';

const UNIT = 256 * 1024;
const FILES = '/drive/v3/files';
const BYTES = { 'Content-Type': 'application/octet-stream' };

/** The proxy calls of the compatible package, over a gateway of the file that calls this. */
export function describeProxyCalls(title: string, shared: () => WriterGateway): void {
  describe(title, () => {
    let gateway: WriterGateway;
    let nango: Nango;
    let drive: { providerConfigKey: string; connectionId: string };

    beforeAll(() => {
      gateway = shared();
      nango = new Nango({ host: gateway.baseUrl, secretKey: gateway.secretKey });
      drive = { providerConfigKey: gateway.drive.integrationId, connectionId: gateway.drive.connectionId };
    });

    async function lastTarget(): Promise<string> {
      return (await seenUpstream(gateway.test)).at(-1)?.target ?? '';
    }

    async function create(bytes: Buffer): Promise<string> {
      const endpoint = '/upload/drive/v3/files?uploadType=media';
      const { data } = await nango.post({ ...drive, endpoint, data: bytes, headers: BYTES });
      expect(data.mimeType).toBe('application/octet-stream');
      return data.id;
    }

    test.each<[string, { endpoint: string; params?: string | Record<string, string | number> }, string]>([
      [
        'an object',
        { endpoint: FILES, params: { pageSize: 2, q: 'trashed = false' } },
        '?pageSize=2&q=trashed%20%3D%20false',
      ],
      ['a string', { endpoint: FILES, params: 'pageSize=2&fields=files(id)' }, '?pageSize=2&fields=files(id)'],
      ['the endpoint', { endpoint: `${FILES}?pageSize=2&spaces=drive` }, '?pageSize=2&spaces=drive'],
    ])('get takes params as %s', async (_what, { endpoint, params }, query) => {
      const { status, data } = await nango.get({ ...drive, endpoint, ...(params === undefined ? {} : { params }) });
      expect({ status, files: data.files.length }).toEqual({ status: 200, files: 2 });
      const sent = await lastTarget();
      const pairs = (target: string) => [...new URL(target, 'http://api').searchParams].sort();
      expect(pairs(sent)).toEqual(pairs(`${FILES}${query}`));
    });

    test('get takes an array among its params as the package joins it', async () => {
      const params = { fields: ['kind', 'files(id)'] };
      const { status } = await nango.get({ ...drive, endpoint: FILES, params });
      expect(status).toBe(200);
      expect(new URL(await lastTarget(), 'http://api').searchParams.get('fields')).toBe('kind,files(id)');
    });

    test('post sends JSON, patch and delete follow', async () => {
      const created = await nango.post({ ...drive, endpoint: FILES, data: { name: 'naïve "file"' } });
      expect({ status: created.status, name: created.data.name }).toEqual({ status: 200, name: 'naïve "file"' });
      const endpoint = `${FILES}/${created.data.id}`;
      const patched = await nango.patch({ ...drive, endpoint, data: { name: 'renamed' } });
      expect(patched.data.name).toBe('renamed');
      const deleted = await nango.delete({ ...drive, endpoint });
      expect({ status: deleted.status, data: deleted.data }).toEqual({ status: 204, data: '' });
      await expect(nango.get({ ...drive, endpoint })).rejects.toMatchObject({ response: { status: 404 } });
    });

    test('proxy takes any method', async () => {
      const { data } = await nango.proxy({ ...drive, method: 'POST', endpoint: FILES, data: { name: 'by proxy' } });
      expect(data.name).toBe('by proxy');
    });

    test('post sends a Buffer byte for byte, and a stream brings the same bytes back', async () => {
      const bytes = randomBytes(300_001);
      const endpoint = `${FILES}/${await create(bytes)}?alt=media`;
      const { status, data } = await nango.get<IncomingMessage>({ ...drive, endpoint, responseType: 'stream' });
      expect(status).toBe(200);
      expect((await buffer(data)).equals(bytes)).toBe(true);
    });

    test('get takes a range: 206 with Content-Range', async () => {
      const bytes = randomBytes(5000);
      const endpoint = `${FILES}/${await create(bytes)}?alt=media`;
      const headers = { Range: 'bytes=10-19' };
      const answer = await nango.get<Buffer>({ ...drive, endpoint, headers, responseType: 'arraybuffer' });
      expect({ status: answer.status, range: answer.headers['content-range'] }).toEqual({
        status: 206,
        range: 'bytes 10-19/5000',
      });
      expect(Buffer.from(answer.data).equals(bytes.subarray(10, 20))).toBe(true);
    });

    test('put continues an upload: 308 with Range, then the file', async () => {
      const bytes = randomBytes(UNIT + 10);
      const endpoint = '/upload/drive/v3/files?uploadType=resumable';
      const started = await nango.post({ ...drive, endpoint, data: { name: 'chunks.bin' } });
      const location = String(started.headers.location);
      expect(location.startsWith(`${gateway.baseUrl}/proxy/upload/`)).toBe(true);
      const session = location.slice(`${gateway.baseUrl}/proxy`.length);
      const put = (start: number, end: number) =>
        nango.put({
          ...drive,
          endpoint: session,
          data: bytes.subarray(start, end),
          headers: { ...BYTES, 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}` },
        });
      await expect(put(0, UNIT)).rejects.toMatchObject({
        response: { status: 308, headers: { range: `bytes=0-${UNIT - 1}` } },
      });
      const done = await put(UNIT, bytes.length);
      expect({ status: done.status, name: done.data.name }).toEqual({ status: 200, name: 'chunks.bin' });
    });

    test('a retry asked of the gateway gets through', async () => {
      const { status } = await nango.get({ ...drive, endpoint: FILES, retries: 2, retryOn: [404] });
      expect(status).toBe(200);
    });

    test('an error of the gateway has its status, header and code', async () => {
      const error = await nango
        .get({ ...drive, connectionId: 'nobody', endpoint: FILES })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        response: {
          status: 404,
          headers: { 'x-gateway-error': 'unknown_connection' },
          data: { error: { code: 'unknown_connection' } },
        },
      });
    });

    test('an address elsewhere is refused, and nothing is sent', async () => {
      await seenUpstream(gateway.test);
      const endpoint = 'https://www.googleapis.com/drive/v3/files';
      await expect(nango.get({ ...drive, endpoint })).rejects.toMatchObject({ response: { status: 400 } });
      const override = nango.get({ ...drive, endpoint: FILES, baseUrlOverride: 'https://evil.example' });
      await expect(override).rejects.toMatchObject({
        response: { status: 400, headers: { 'x-gateway-error': 'invalid_headers' } },
      });
      expect(await seenUpstream(gateway.test)).toEqual([]);
    });
  });
}
