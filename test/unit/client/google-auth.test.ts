import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { calendar, auth as calendarAuth } from '@googleapis/calendar';
import { drive, auth as driveAuth } from '@googleapis/drive';
import { beforeEach, describe, expect, it } from 'vitest';
import { googleAuth } from '../../../packages/client/src/index.ts';
import { json, raw, SECRET_KEY, testStub } from './stub.ts';

const stub = testStub();
beforeEach(() => stub.answer(json(200, { id: 'file-1', files: [] })));

function options(baseUrl = stub.baseUrl) {
  return { baseUrl, secretKey: SECRET_KEY, integrationId: 'google-drive', connectionId: 'user-1' };
}

function driveAuthOf(baseUrl?: string) {
  return googleAuth({ OAuth2: driveAuth.OAuth2, ...options(baseUrl) });
}

const driveOf = (baseUrl?: string) => drive({ version: 'v3', auth: driveAuthOf(baseUrl) });

describe('an OAuth2 of a package too old to be redirected', () => {
  // gaxios 6, below @googleapis/drive 12 and @googleapis/calendar 9, has a transporter without interceptors.
  it.each([{}, { interceptors: {} }])(
    'an OAuth2 of a package too old to be redirected is refused with the versions that work, for a transporter of %o',
    (transporter) => {
      class OldOAuth2 {
        readonly transporter = transporter;
        setCredentials(): void {}
        getRequestHeaders(): Promise<Headers> {
          return Promise.resolve(new Headers());
        }
      }
      expect(() => googleAuth({ OAuth2: OldOAuth2, ...options() })).toThrow(
        /^googleAuth needs @googleapis\/drive 13 or later, or @googleapis\/calendar 10 or later/,
      );
    },
  );
});

describe('a Google client', () => {
  it('takes the integration under the name that calls have for it', async () => {
    const { integrationId: providerConfigKey, ...others } = options();
    const oauth = googleAuth({ OAuth2: driveAuth.OAuth2, ...others, providerConfigKey });
    await drive({ version: 'v3', auth: oauth }).files.list();
    expect(stub.last().headers['provider-config-key']).toBe(providerConfigKey);
    expect(() => googleAuth({ OAuth2: driveAuth.OAuth2, ...others })).toThrow(/^providerConfigKey is required/);
  });

  it('LB-1: shows the key neither in its auth nor in a failure', async () => {
    const failure = await driveOf('http://127.0.0.1:1')
      .files.list()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    stub.answer(json(503, { error: { code: 'x' } }));
    const refusal = await driveOf()
      .files.list({}, { retry: false })
      .catch((error: unknown) => error);
    for (const one of [driveAuthOf(), driveOf(), failure, refusal]) {
      expect(inspect(one, { depth: 12, showHidden: true })).not.toContain(SECRET_KEY);
    }
    const elsewhere = { OAuth2: driveAuth.OAuth2, ...options('http://gateway.example') };
    expect(() => googleAuth(elsewhere)).toThrow(/allowHttp: true/);
    expect(googleAuth({ ...elsewhere, allowHttp: true })).toBeDefined();
  });

  it('lists through the gateway, with its key and connection and no placeholder', async () => {
    await driveOf().files.list({ q: "name = 'a b'", pageSize: 2 });
    expect(stub.last()).toMatchObject({
      method: 'GET',
      target: `/v1/proxy/drive/v3/files?q=name%20%3D%20%27a%20b%27&pageSize=2`,
    });
    expect(stub.last().headers).toMatchObject({
      authorization: `Bearer ${SECRET_KEY}`,
      'provider-config-key': 'google-drive',
      'connection-id': 'user-1',
    });
  });

  it('keeps an encoded calendar id', async () => {
    const auth = googleAuth({ OAuth2: calendarAuth.OAuth2, ...options() });
    await calendar({ version: 'v3', auth }).events.list({ calendarId: 'en.usa#holiday@group.v.calendar.google.com' });
    expect(stub.last().target).toBe(
      '/v1/proxy/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events',
    );
  });

  it.each([
    ['text', () => 'the bytes'],
    ['a stream', () => Readable.from([Buffer.from('the '), Buffer.from('bytes')])],
  ])('uploads media out of %s with a length, which the front door needs', async (_what, body) => {
    const media = { mimeType: 'text/plain', body: body() };
    const { data } = await driveOf().files.create({ requestBody: { name: 'a.txt' }, media });
    expect(data.id).toBe('file-1');
    expect(stub.last().target).toBe('/v1/proxy/upload/drive/v3/files?uploadType=multipart');
    expect(stub.last().headers['content-type']).toMatch(/^multipart\/related; boundary=/);
    expect(stub.last().headers['content-length']).toBe(String(stub.last().body.length));
    expect(stub.last().headers['transfer-encoding']).toBeUndefined();
    expect(stub.last().body.toString()).toContain('the bytes');
  });

  it('refuses media larger than a request may be, before anything is sent', async () => {
    const media = { mimeType: 'text/plain', body: Readable.from([Buffer.alloc(4_500_001)]) };
    const uploading = driveOf().files.create({ media });
    await expect(uploading).rejects.toThrow(/4\.5 MB/);
    expect(stub.arrived).toEqual([]);
  });

  it('downloads as a stream', async () => {
    const bytes = randomBytes(100_000).toString('hex');
    stub.answer(raw(206, bytes, { 'content-type': 'text/plain' }));
    const { data, status } = await driveOf().files.get(
      { fileId: 'x', alt: 'media' },
      { responseType: 'stream', headers: { Range: 'bytes=0-9' } },
    );
    expect({ status, range: stub.last().headers.range }).toEqual({ status: 206, range: 'bytes=0-9' });
    expect(await text(data)).toBe(bytes);
  });

  it('works below an address without a stage path', async () => {
    await driveOf(new URL(stub.baseUrl).origin).about.get({ fields: 'user' });
    expect(stub.last().target).toBe('/proxy/drive/v3/about?fields=user');
  });

  it.each([
    ['does not refresh when it is told', 401, true],
    ['keeps its own retries at', 503, false],
  ])('%s %i', async (_what, status, retry) => {
    stub.answer(json(status, { error: { message: 'no', errors: [{ reason: 'authError' }] } }));
    const client = drive({ version: 'v3', auth: driveAuthOf(), retry });
    await expect(client.files.list()).rejects.toMatchObject({ status });
    expect(stub.arrived.length).toBe(1);
  });
});

describe('a request made by hand', () => {
  it('continues with an upload whose address is the gateway’s, and takes 308 as an answer', async () => {
    stub.answer(raw(308, undefined, { range: 'bytes=0-9' }));
    const url = `${stub.baseUrl}/proxy/upload/drive/v3/files?uploadType=resumable&upload_id=a%2Bb`;
    const answer = await driveAuthOf().request({ url, method: 'PUT', headers: { 'Content-Range': 'bytes */20' } });
    expect({ status: answer.status, range: answer.headers.get('range') }).toEqual({ status: 308, range: 'bytes=0-9' });
    expect(stub.last().target).toBe('/v1/proxy/upload/drive/v3/files?uploadType=resumable&upload_id=a%2Bb');
  });

  it('a request made by hand may name Google’s own address', async () => {
    await driveAuthOf().request({ url: 'https://www.googleapis.com/drive/v3/files/a%2Fb?fields=id%2Cname' });
    expect(stub.last().target).toBe('/v1/proxy/drive/v3/files/a%2Fb?fields=id%2Cname');
  });

  it.each([
    'https://evil.example/drive/v3/files',
    'https://www.googleapis.com.evil.example/drive/v3/files',
    'https://evilwww.googleapis.com/drive/v3/files',
    'https://www.googleapis.com:8443/drive/v3/files',
    'https://oauth2.googleapis.com/token',
    'https://content.googleapis.com/drive/v3/files',
    'https://www.googleapis.com@evil.example/drive/v3/files',
  ])('a request made by hand is refused for %s before anything is sent', async (url) => {
    let fetches = 0;
    const fetchImplementation: typeof fetch = async () => {
      fetches += 1;
      return new Response('{}');
    };
    await expect(driveAuthOf().request({ url, fetchImplementation, retry: false })).rejects.toThrow('nothing was sent');
    expect(fetches).toBe(0);
  });

  it.each(['/connections', '/proxy', '/proxy/../connections', '/proxyx/drive'])(
    'a request made by hand is refused for %s of the gateway itself',
    async (path) => {
      await expect(driveAuthOf().request({ url: `${stub.baseUrl}${path}`, retry: false })).rejects.toThrow(
        'nothing was sent',
      );
      expect(stub.arrived).toEqual([]);
    },
  );

  it.each([301, 302, 307, 308])('surfaces a redirect of status %i instead of following it', async (status) => {
    stub.answer(raw(status, undefined, { location: `${stub.baseUrl}/elsewhere` }));
    const request = driveAuthOf().request({ url: 'https://www.googleapis.com/drive/v3/files', retry: false });
    await expect(request).rejects.toMatchObject({ status });
    expect(stub.arrived.length).toBe(1);
  });
});

describe('the auth object', () => {
  it('refuses HTTP/2, which would go past the gateway', async () => {
    await expect(drive({ version: 'v3', auth: driveAuthOf(), http2: true }).files.list()).rejects.toThrow('http2');
    await expect(driveAuthOf().getRequestHeaders()).rejects.toThrow('http2');
  });

  it('holds no secret key that a log would show, also not in errors', async () => {
    stub.answer(json(404, {}));
    const auth = driveAuthOf();
    const error = await drive({ version: 'v3', auth })
      .files.list()
      .catch((reason: unknown) => reason);
    expect(inspect(auth, { depth: 10 })).not.toContain(SECRET_KEY);
    expect(inspect(error, { depth: 10 })).not.toContain(SECRET_KEY);
  });

  it.each([{ baseUrl: 'gateway' }, { secretKey: '' }, { integrationId: '' }, { connectionId: 'a\nb' }])(
    'the auth object is not made with %j',
    (change) => {
      expect(() => googleAuth({ OAuth2: driveAuth.OAuth2, ...options(), ...change })).toThrow(TypeError);
    },
  );
});
