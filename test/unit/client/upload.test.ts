import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type UploadCall,
  UploadError,
  type UploadProgress,
  type UploadSource,
} from '../../../packages/client/src/index.ts';
import { CALL, gatewayError, json, raw, testStub, until } from './stub.ts';
import { type UploadStub, uploadStub } from './upload-stub.ts';

const UNIT = 256 * 1024;
const FILE = randomBytes(3 * UNIT + 1000);

const stub = testStub();
let upload: UploadStub;
beforeEach(() => {
  upload = uploadStub(stub);
});

function send(body: UploadSource, more: Partial<UploadCall> = {}): Promise<{ data: { id: string } }> {
  return stub.client().uploadFile<{ id: string }>({
    ...CALL,
    endpoint: '/upload/drive/v3/files',
    contentType: 'video/mp4',
    body,
    chunkBytes: UNIT,
    ...more,
  });
}

function ranges(): (string | undefined)[] {
  return upload.puts.map(({ headers }) => headers['content-range']?.toString());
}

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += length) yield bytes.subarray(offset, offset + length);
}

/** A failure that says to continue at once. */
const SOON = { 'retry-after': '0' };
const AT_ONCE = json(503, {}, SOON);
const TOTAL = FILE.length;
const KNOWN = [
  `bytes 0-${UNIT - 1}/${TOTAL}`,
  `bytes ${UNIT}-${2 * UNIT - 1}/${TOTAL}`,
  `bytes ${2 * UNIT}-${3 * UNIT - 1}/${TOTAL}`,
  `bytes ${3 * UNIT}-${TOTAL - 1}/${TOTAL}`,
];
const UNKNOWN = [...KNOWN.slice(0, 3).map((range) => range.replace(`/${TOTAL}`, '/*')), KNOWN[3]];

describe('an upload', () => {
  it('starts a session with the metadata and announces type and size', async () => {
    const headers = { 'X-Goog-Drive-Resource-Keys': 'k' };
    const { data } = await send(FILE, { metadata: { name: 'a.mp4' }, params: { fields: 'id' }, headers });
    expect(data.id).toBe('file-1');
    const [start] = upload.starts;
    expect(start).toMatchObject({
      method: 'POST',
      target: '/v1/proxy/upload/drive/v3/files?uploadType=resumable&fields=id',
    });
    expect(start?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-upload-content-type': 'video/mp4',
      'x-upload-content-length': String(TOTAL),
      'x-goog-drive-resource-keys': 'k',
    });
    expect(start?.body.toString()).toBe('{"name":"a.mp4"}');
  });

  it('sends the chunks to the session through the gateway, with key and connection', async () => {
    await send(FILE);
    expect(ranges()).toEqual(KNOWN);
    expect(upload.stored().equals(FILE)).toBe(true);
    for (const { target, headers } of upload.puts) {
      expect(target).toBe('/v1/proxy/upload/drive/v3/files?uploadType=resumable&upload_id=secret%2Bid');
      expect(headers).toMatchObject({ 'connection-id': 'user-1', 'content-type': 'video/mp4' });
    }
  });

  it.each<[string, () => UploadSource, (string | undefined)[]]>([
    ['an ArrayBuffer', () => new Uint8Array(FILE).buffer, KNOWN],
    ['a Blob', () => new Blob([FILE]), KNOWN],
    ['a Node stream', () => Readable.from(inPieces(FILE, 70_000)), UNKNOWN],
    ['a web stream', () => new Blob([FILE]).stream(), UNKNOWN],
    ['one large piece', () => inPieces(FILE, TOTAL), UNKNOWN],
    ['pieces of exactly a chunk', () => inPieces(FILE, UNIT), UNKNOWN],
  ])('reads %s', async (_what, body, expected) => {
    await send(body());
    expect(ranges()).toEqual(expected);
    expect(upload.stored().equals(FILE)).toBe(true);
  });

  it('names the total from the first chunk on where the size of a stream is given', async () => {
    await send(inPieces(FILE, 50_000), { size: TOTAL });
    expect(ranges()).toEqual(KNOWN);
  });

  it.each([0, 1, UNIT, 2 * UNIT])('carries a file of %i bytes, its length known, given or neither', async (length) => {
    const bytes = FILE.subarray(0, length);
    await send(bytes);
    expect(upload.stored().equals(bytes)).toBe(true);
    for (const more of [{ size: length }, {}]) {
      await send(inPieces(bytes, 1000), more);
      expect(upload.stored().equals(bytes)).toBe(true);
    }
    expect(upload.puts.length).toBe(3 * Math.max(1, Math.ceil(length / UNIT)));
  });

  it('replaces the bytes of a file by PATCH', async () => {
    await send(FILE.subarray(0, 10), { method: 'PATCH', endpoint: '/upload/drive/v3/files/abc' });
    expect(upload.starts[0]).toMatchObject({ method: 'PATCH' });
    expect(upload.starts[0]?.body.toString()).toBe('{}');
  });

  it('shows how far it is', async () => {
    const seen: UploadProgress[] = [];
    await send(inPieces(FILE.subarray(0, UNIT + 1), UNIT), { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { uploadedBytes: UNIT, totalBytes: undefined },
      { uploadedBytes: UNIT + 1, totalBytes: UNIT + 1 },
    ]);
  });

  it('sends the rest of a chunk of which only a part was stored', async () => {
    upload.fault(1, raw(308, undefined, { range: `bytes=0-${UNIT - 1}` }), UNIT);
    await send(FILE, { chunkBytes: 2 * UNIT });
    expect(ranges().slice(0, 2)).toEqual([`bytes 0-${2 * UNIT - 1}/${TOTAL}`, KNOWN[1]]);
    expect(upload.stored().equals(FILE)).toBe(true);
  });
});

describe('a failure that passes', () => {
  it('a failure that passes is followed by a question, and nothing that arrived is sent again', async () => {
    upload.fault(2, AT_ONCE, UNIT);
    await send(FILE);
    expect(ranges()).toEqual([KNOWN[0], KNOWN[1], `bytes */${TOTAL}`, KNOWN[2], KNOWN[3]]);
    expect(upload.stored().equals(FILE)).toBe(true);
  });

  it('a failure that passes is followed by the same chunk where nothing arrived', async () => {
    upload.fault(2, AT_ONCE);
    await send(inPieces(FILE, 1000));
    expect(ranges()).toEqual([UNKNOWN[0], UNKNOWN[1], 'bytes */*', UNKNOWN[1], UNKNOWN[2], UNKNOWN[3]]);
    expect(upload.stored().equals(FILE)).toBe(true);
  });

  it('a failure that passes of the last chunk may turn out to be a success', async () => {
    upload.fault(4, (_request, response) => void response.destroy(), UNIT);
    expect((await send(FILE)).data.id).toBe('file-1');
    expect(ranges().slice(3)).toEqual([KNOWN[3], `bytes */${TOTAL}`]);
  });

  it.each<[string, ReturnType<typeof json>]>([
    ['Google’s rate limit', json(403, { error: { errors: [{ reason: 'userRateLimitExceeded' }] } }, SOON)],
    ['too many requests for Google', json(429, {}, SOON)],
    ['a request that Google waited for too long', json(408, {}, SOON)],
    ['the gateway’s rate limit', gatewayError(429, 'rate_limited', {}, SOON)],
    ['a token that cannot be refreshed now', gatewayError(503, 'token_refresh_unavailable', {}, SOON)],
  ])('a failure that passes may be %s', async (_what, responder) => {
    upload.fault(1, responder);
    await send(FILE);
    expect(upload.stored().equals(FILE)).toBe(true);
  });

  it('ends the upload when it does not pass', async () => {
    for (let put = 1; put < 20; put += 1) upload.fault(put, AT_ONCE);
    await expect(send(FILE, { maxAttempts: 3 })).rejects.toMatchObject({ status: 503 });
    expect(upload.puts.length).toBe(3);
  });

  it('ends the upload when the provider stores nothing time after time', async () => {
    for (let put = 1; put < 20; put += 1) upload.fault(put, raw(308, undefined));
    await expect(send(FILE, { maxAttempts: 1 })).rejects.toThrow('stored nothing');
    expect(upload.puts.length).toBe(1);
  });
});

describe('a failure that does not pass', () => {
  it('a failure that does not pass is a session that is gone', async () => {
    upload.fault(2, json(404, { error: { message: 'gone' } }));
    await expect(send(FILE)).rejects.toMatchObject({ name: 'UploadError', cause: { status: 404 } });
    expect(upload.puts.length).toBe(2);
  });

  it('a failure that does not pass is an answer that refuses', async () => {
    upload.fault(1, json(403, { error: { errors: [{ reason: 'storageQuotaExceeded' }] } }));
    await expect(send(FILE)).rejects.toMatchObject({ reason: 'storageQuotaExceeded' });
    expect(upload.puts.length).toBe(1);
  });

  it('a failure that does not pass is a Range that does not fit what was sent', async () => {
    upload.fault(2, raw(308, undefined, { range: 'bytes=0-9' }));
    await expect(send(FILE)).rejects.toBeInstanceOf(UploadError);
  });

  it.each([
    ['shorter', TOTAL + 1],
    ['longer', TOTAL - 1],
  ])('a failure that does not pass is a stream that is %s than its size says', async (_what, size) => {
    await expect(send(inPieces(FILE, 1000), { size })).rejects.toBeInstanceOf(UploadError);
  });

  it('a failure that does not pass is an answer without a place for the bytes', async () => {
    stub.answer(json(200, { id: 'x' }));
    await expect(send(FILE)).rejects.toThrow('/upload/drive/v3/files');
  });
});

describe('the secret key', () => {
  it('goes to the gateway the client was made for, whatever host Location names', async () => {
    upload = uploadStub(stub, 'http://other.invalid/stage');
    await send(FILE);
    expect(upload.stored().equals(FILE)).toBe(true);
  });

  it('goes nowhere when Location names the provider itself', async () => {
    stub.answer(raw(200, undefined, { location: 'https://www.googleapis.com/upload/drive/v3/files?upload_id=x' }));
    await expect(send(FILE)).rejects.toThrow('nothing is sent there');
  });
});

describe('an upload that ends early', () => {
  it('releases its source and has the reason of the signal', async () => {
    const controller = new AbortController();
    let isReleased = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield FILE.subarray(0, UNIT);
      } finally {
        isReleased = true;
      }
    }
    const onProgress = (): void => controller.abort(new Error('mine'));
    await expect(send(source(), { signal: controller.signal, onProgress })).rejects.toThrow('mine');
    expect(isReleased).toBe(true);
  });

  it('an upload that ends early does not wait for a repeat that will not come', async () => {
    const controller = new AbortController();
    upload.fault(1, json(503, {}, { 'retry-after': '30' }));
    const sending = send(FILE, { signal: controller.signal });
    const outcome = expect(sending).rejects.toThrow('mine');
    await until('the first chunk failed', () => upload.puts.length === 1);
    controller.abort(new Error('mine'));
    await outcome;
  });

  it.each<[string, Partial<UploadCall>]>([
    ['a chunk that is no multiple of 256 KiB', { chunkBytes: UNIT + 1 }],
    ['a chunk above the gateway’s limit', { chunkBytes: 20 * UNIT }],
    ['no attempts', { maxAttempts: 0 }],
    ['a size below zero', { size: -1 }],
    ['another size than the bytes have', { size: 5 }],
  ])('an upload that ends early is refused with %s', async (_what, more) => {
    await expect(send(FILE, more)).rejects.toThrow(TypeError);
    expect(upload.starts).toEqual([]);
  });
});
