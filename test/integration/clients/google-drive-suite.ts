import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { auth, drive, type drive_v3 } from '@googleapis/drive';
import { beforeAll, describe, expect, test } from 'vitest';
import { googleAuth } from '../../../packages/client/src/index.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { seenUpstream, type WriterGateway } from './writers.ts';

const MIB = 1024 * 1024;
const UNIT = 256 * 1024;

/** Google's client for Drive, over a gateway of the file that calls this. */
export function describeGoogleDrive(shared: () => WriterGateway): void {
  describe('Google’s client for Drive', () => {
    let gateway: WriterGateway;
    let client: drive_v3.Drive;
    beforeAll(() => {
      gateway = shared();
      client = drive({ version: 'v3', auth: authOf(gateway), retry: false });
    });

    function authOf({ baseUrl, secretKey, drive: writer }: WriterGateway, change: { secretKey?: string } = {}) {
      return googleAuth({ OAuth2: auth.OAuth2, baseUrl, secretKey, ...writer, ...change });
    }

    async function create(name: string, bytes: Buffer, mimeType = 'application/octet-stream'): Promise<string> {
      const { data } = await client.files.create({
        requestBody: { name },
        media: { mimeType, body: Readable.from([bytes]) },
        fields: 'id,name,size,mimeType',
      });
      expect(data).toMatchObject({ name, size: String(bytes.length), mimeType });
      return data.id ?? '';
    }

    describe('the Drive client', () => {
      test('lists page after page', async () => {
        const first = await client.files.list({ pageSize: 5, fields: 'nextPageToken,files(id,name)', orderBy: 'name' });
        expect(first.data.files?.length).toBe(5);
        const pageToken = first.data.nextPageToken ?? '';
        const second = await client.files.list({ pageSize: 5, pageToken, fields: 'files(id)', orderBy: 'name' });
        const ids = [...(first.data.files ?? []), ...(second.data.files ?? [])].map(({ id }) => id);
        expect(new Set(ids).size).toBe(10);
      });

      test('searches with quotes, spaces and signs', async () => {
        const name = `it's 100% "a+b" & ü ${randomUUID()}`;
        const { data } = await client.files.create({ requestBody: { name } });
        const found = await client.files.list({ q: `name = '${name.replace("'", "\\'")}'` });
        expect(found.data.files?.map(({ id }) => id)).toEqual([data.id]);
      });

      test('creates with media in one multipart request and downloads the same bytes as a stream', async () => {
        const bytes = randomBytes(MIB + 17);
        const fileId = await create('multipart.bin', bytes);
        const { data, status } = await client.files.get({ fileId, alt: 'media' }, { responseType: 'stream' });
        expect(status).toBe(200);
        expect((await buffer(data)).equals(bytes)).toBe(true);
      });

      test('downloads a range as a stream', async () => {
        const bytes = randomBytes(100_000);
        const fileId = await create('range.bin', bytes);
        const { data, status, headers } = await client.files.get(
          { fileId, alt: 'media' },
          { responseType: 'stream', headers: { Range: 'bytes=1000-1999' } },
        );
        expect(status).toBe(206);
        expect(headerOf(headers, 'content-range')).toBe('bytes 1000-1999/100000');
        expect((await buffer(data)).equals(bytes.subarray(1000, 2000))).toBe(true);
      });

      test('updates metadata and bytes, and deletes', async () => {
        const fileId = await create('before.txt', Buffer.from('before'), 'text/plain');
        const renamed = await client.files.update({ fileId, requestBody: { name: 'after.txt' }, fields: 'name' });
        expect(renamed.data.name).toBe('after.txt');
        const replaced = await client.files.update({
          fileId,
          media: { mimeType: 'text/plain', body: 'after' },
          fields: 'size',
        });
        expect(replaced.data.size).toBe('5');
        expect((await client.files.delete({ fileId })).status).toBe(204);
        await expect(client.files.get({ fileId })).rejects.toMatchObject({ status: 404 });
      });

      test('watches a file, and the notification goes straight to the caller', async () => {
        await using receiver = await startWebhookReceiver();
        const fileId = await create('watched.txt', Buffer.from('x'), 'text/plain');
        const id = randomUUID();
        const requestBody = { id, type: 'web_hook', address: receiver.address, token: 'my-token' };
        const { data } = await client.files.watch({ fileId, requestBody });
        expect(data).toMatchObject({ kind: 'api#channel', id });
        const { headers } = await receiver.waitFor(() => true);
        expect(headers).toMatchObject({
          'x-goog-channel-id': id,
          'x-goog-channel-token': 'my-token',
          'x-goog-resource-state': 'sync',
        });
        expect(JSON.stringify(headers)).not.toContain(gateway.secretKey);
        expect((await client.channels.stop({ requestBody: { id, resourceId: data.resourceId ?? '' } })).status).toBe(
          204,
        );
      });

      test('reads Google’s error', async () => {
        await expect(client.files.get({ fileId: 'missing' })).rejects.toMatchObject({
          status: 404,
          message: /not found/i,
        });
      });

      test('reads the gateway’s error, and does not repeat it', async () => {
        const other = drive({ version: 'v3', auth: authOf(gateway, { secretKey: 'sk_wrong' }) });
        const error = await other.files.list().catch((reason: unknown) => reason);
        expect(error).toMatchObject({ status: 401, code: 'invalid_secret_key' });
        expect(await seenUpstream(gateway.test)).toEqual([]);
      });

      test('the Drive client is refused for an address elsewhere, with nothing sent', async () => {
        await using receiver = await startWebhookReceiver();
        const request = authOf(gateway).request({ url: receiver.address, retry: false });
        await expect(request).rejects.toThrow('nothing was sent');
        await expect(client.files.list({}, { rootUrl: receiver.address })).rejects.toThrow('nothing was sent');
        expect(receiver.messages).toEqual([]);
      });
    });

    describe('a resumable upload made by hand', () => {
      test('stays on the gateway through 308, a status query and the end', async () => {
        const bytes = randomBytes(2 * UNIT + 99);
        const request = authOf(gateway).request.bind(authOf(gateway));
        const started = await request({
          url: 'https://www.googleapis.com/upload/drive/v3/files?uploadType=resumable&fields=id,sha256Checksum,size',
          method: 'POST',
          headers: { 'X-Upload-Content-Type': 'video/mp4' },
          data: { name: 'by-hand.mp4' },
        });
        const url = started.headers.get('location') ?? '';
        expect(url.startsWith(`${gateway.baseUrl}/proxy/upload/drive/v3/files?`)).toBe(true);
        const put = (range: string, data?: Buffer) =>
          request<{ id: string; size: string; sha256Checksum: string }>({
            url,
            method: 'PUT',
            headers: { 'Content-Range': range, 'Content-Type': 'video/mp4' },
            ...(data === undefined ? {} : { data }),
          });
        const chunk = await put(`bytes 0-${UNIT - 1}/${bytes.length}`, bytes.subarray(0, UNIT));
        const status = await put(`bytes */${bytes.length}`);
        for (const one of [chunk, status]) {
          expect([one.status, one.headers.get('range')]).toEqual([308, `bytes=0-${UNIT - 1}`]);
        }
        const done = await put(`bytes ${UNIT}-${bytes.length - 1}/${bytes.length}`, bytes.subarray(UNIT));
        expect(done.status).toBe(200);
        expect(done.data).toMatchObject({
          size: String(bytes.length),
          sha256Checksum: createHash('sha256').update(bytes).digest('hex'),
        });
      });
    });

    /** The library's type leaves open which kind of headers an answer has. */
    function headerOf(headers: object, name: string): unknown {
      return 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : undefined;
    }
  });
}
