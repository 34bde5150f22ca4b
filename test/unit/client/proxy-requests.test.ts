import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { finalResult } from '../../../packages/client/src/browser/session-state.ts';
import { GatewayClient, type ProxyCall, type RequestData } from '../../../packages/client/src/index.ts';
import { CALL, SECRET_KEY, testStub } from './stub.ts';

const stub = testStub();

function post(data: RequestData, headers?: Record<string, string>): Promise<unknown> {
  return stub.client().post({ ...CALL, data, ...(headers === undefined ? {} : { headers }) });
}

describe('a request', () => {
  it('carries the secret key, the connection and nothing of the client itself', async () => {
    await stub.client().get(CALL);
    const { method, target, headers } = stub.last();
    expect({ method, target }).toEqual({ method: 'GET', target: '/v1/proxy/drive/v3/files' });
    expect(headers).toMatchObject({
      authorization: `Bearer ${SECRET_KEY}`,
      'provider-config-key': 'google-drive',
      'connection-id': 'user-1',
    });
    expect(headers['user-agent']).toMatch(/gzip/);
    for (const name of ['retries', 'retry-on', 'content-type', 'base-url-override'])
      expect(headers).not.toHaveProperty(name);
  });

  it('goes through the connection that connect() gave a page', async () => {
    const made = { integrationId: 'google-drive', connectionId: 'user-1', missingScopes: [] };
    const result = finalResult({ status: 'connected', ...made, problem: undefined, picked: undefined }, undefined);
    if (result?.status !== 'connected') throw new Error(`not connected: ${inspect(result)}`);
    await stub.client().get({ ...result, endpoint: CALL.endpoint });
    expect(stub.last().headers).toMatchObject({ 'provider-config-key': 'google-drive', 'connection-id': 'user-1' });
  });

  it('sends the path of an id byte for byte', async () => {
    const endpoint = '/calendar/v3/calendars/en.usa%23holiday%40group.v%2fx%7E/events?timeMin=2026%2B01:00';
    await stub.client().get({ ...CALL, endpoint });
    expect(stub.last().target).toBe(`/v1/proxy${endpoint}`);
  });

  it.each(['get', 'head', 'post', 'put', 'patch', 'delete'] as const)(
    'a request has the method of %s',
    async (method) => {
      await stub.client()[method](CALL);
      expect(stub.last().method).toBe(method.toUpperCase());
    },
  );

  it('a request has the method that proxy is given, GET by default', async () => {
    await stub.client().proxy({ ...CALL, method: 'PATCH' });
    await stub.client().proxy(CALL);
    expect(stub.arrived.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
  });

  it('carries the wish for repeats', async () => {
    await stub.client().get({ ...CALL, retries: 3, retryOn: [404, 503] });
    expect(stub.last().headers).toMatchObject({ retries: '3', 'retry-on': '404,503' });
  });

  it('PC-22: says that nobody waits for it', async () => {
    await stub.client().get({ ...CALL, priority: 'background' });
    expect(stub.last().headers).toMatchObject({ 'gateway-priority': 'background' });
    await stub.client().get(CALL);
    expect(stub.last().headers).not.toHaveProperty('gateway-priority');
  });

  it('carries the headers of the caller, which win over defaults', async () => {
    const headers = { Range: 'bytes=0-9', 'If-Match': '"1"', 'User-Agent': 'mine/1', 'X-None': undefined };
    await stub.client().get({ ...CALL, headers });
    expect(stub.last().headers).toMatchObject({ range: 'bytes=0-9', 'if-match': '"1"', 'user-agent': 'mine/1' });
    expect(stub.last().headers).not.toHaveProperty('x-none');
  });

  it.each(['authorization', 'Provider-Config-Key', 'CONNECTION-ID', 'Retries', 'Gateway-Priority'])(
    'a request is refused with a header %s, which is the client’s to set',
    async (name) => {
      const call = stub.client().get({ ...CALL, headers: { [name]: 'x' } });
      await expect(call).rejects.toThrow(TypeError);
    },
  );

  it.each<[string, Partial<Omit<ProxyCall, 'responseType'>>]>([
    ['without a connection', { connectionId: '' }],
    ['with a line break in an id', { providerConfigKey: 'a\nb' }],
    ['with too many repeats', { retries: 6 }],
    ['with a status that is none', { retryOn: [42] }],
    ['with a priority that is none', JSON.parse('{"priority":"urgent"}')],
    ['with a time limit below zero', { timeoutMs: -1 }],
    ['with data on a GET', { data: {} }],
  ])('a request is refused %s, before anything is sent', async (_what, change) => {
    await expect(stub.client().get({ ...CALL, ...change })).rejects.toThrow(TypeError);
    expect(stub.arrived).toEqual([]);
  });
});

describe('a body', () => {
  it.each([
    ['application/json', undefined],
    ['application/json; charset=UTF-8', { 'Content-Type': 'application/json; charset=UTF-8' }],
  ])('a body is JSON for objects and arrays, of the type %s', async (type, headers) => {
    await post({ name: 'é', big: [1, null] }, headers);
    expect(stub.last().body.toString()).toBe('{"name":"é","big":[1,null]}');
    expect(stub.last().headers['content-type']).toBe(type);
  });

  it.each<[string, () => RequestData]>([
    ['a Buffer', () => Buffer.from([0, 1, 255])],
    ['a view into a larger buffer', () => new Uint8Array([9, 0, 1, 255, 9]).subarray(1, 4)],
    ['an ArrayBuffer', () => new Uint8Array([0, 1, 255]).buffer],
    ['shared memory', () => new Uint8Array(shared([0, 1, 255]))],
    ['a Blob without a type', () => new Blob([new Uint8Array([0, 1, 255])])],
    ['a Node stream', () => Readable.from([Buffer.from([0]), Buffer.from([1, 255])])],
    ['a web stream', () => new Blob([new Uint8Array([0, 1, 255])]).stream()],
    ['an async generator', () => pieces([new Uint8Array([0, 1]), new Uint8Array([255])])],
  ])('a body is sent as it is for %s', async (_what, data) => {
    await post(data(), { 'content-type': 'image/png' });
    expect([...stub.last().body]).toEqual([0, 1, 255]);
    expect(stub.last().headers['content-type']).toBe('image/png');
  });

  it('a body is sent as it is for a string', async () => {
    await post('--b\r\n\r\nx\r\n--b--', { 'content-type': 'multipart/related; boundary=b' });
    expect(stub.last().body.toString()).toBe('--b\r\n\r\nx\r\n--b--');
    expect(stub.last().headers['content-type']).toBe('multipart/related; boundary=b');
  });

  it('brings its own type as a form, as parameters and as a typed Blob', async () => {
    const form = new FormData();
    form.append('file', new Blob(['x']), 'x.txt');
    await post(form);
    expect(stub.last().headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
    await post(new URLSearchParams({ a: 'b c' }));
    expect(stub.last().headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(stub.last().body.toString()).toBe('a=b+c');
    await post(new Blob(['x'], { type: 'text/csv' }));
    expect(stub.last().headers['content-type']).toBe('text/csv');
  });

  it('travels with a length, also out of a stream: the front door takes none in chunks', async () => {
    for (const data of [Buffer.from('abc'), pieces(['a', 'bc']), Readable.from(['ab', 'c'])]) {
      await post(data, { 'content-type': 'text/plain' });
      expect(stub.last().headers).toMatchObject({ 'content-length': '3' });
      expect(stub.last().headers['transfer-encoding']).toBeUndefined();
      expect(stub.last().body.toString()).toBe('abc');
    }
  });

  it.each<[string, RequestData]>([
    ['bytes', Buffer.from('x')],
    ['a string', '{"a":1}'],
    ['a Blob without one', new Blob(['x'])],
    ['a stream', pieces(['x'])],
  ])('a body is refused without a content type for %s', async (_what, data) => {
    await expect(post(data)).rejects.toThrow(/content-type/);
  });

  it.each<[string, RequestData, Record<string, string>]>([
    ['a promise', Promise.resolve({}), {}],
    ['a Map', new Map([['a', 1]]), {}],
    ['a form with a type that has no boundary', new FormData(), { 'content-type': 'multipart/form-data' }],
  ])('a body is refused as %s', async (_what, data, headers) => {
    await expect(post(data, headers)).rejects.toThrow(TypeError);
  });

  it('a body may follow on DELETE', async () => {
    await stub.client().delete({ ...CALL, data: { a: 1 } });
    expect(stub.last()).toMatchObject({ method: 'DELETE' });
    expect(stub.last().body.toString()).toBe('{"a":1}');
  });
});

describe('a client', () => {
  it.each<[string, { baseUrl?: string; secretKey?: string; timeoutMs?: number }]>([
    ['an address that is none', { baseUrl: 'gateway' }],
    ['another protocol', { baseUrl: 'ftp://gateway.example' }],
    ['an address with a query', { baseUrl: 'https://gateway.example/?x=1' }],
    ['an address with a password', { baseUrl: 'https://a:b@gateway.example' }],
    ['an empty key', { secretKey: '' }],
    ['a key with a line break', { secretKey: 'sk_x\n' }],
    ['a time limit that is not a number', { timeoutMs: Number.NaN }],
  ])('a client is not made with %s', (_what, change) => {
    expect(() => new GatewayClient({ baseUrl: 'https://gateway.example', secretKey: 'sk_x', ...change })).toThrow(
      TypeError,
    );
  });

  it.each(['http://gateway.example', 'http://10.0.0.7/v1', 'http://127.0.0.1.example', 'http://localhost.example'])(
    'LB-1: takes %s only where an option says that the network is its user’s alone',
    (baseUrl) => {
      const options = { baseUrl, secretKey: 'sk_x' };
      expect(() => new GatewayClient(options)).toThrow(/Write https:\/\/, or allowHttp: true/);
      expect(new GatewayClient({ ...options, allowHttp: true })).toBeDefined();
    },
  );

  it.each(['http://localhost:3000', 'http://a.localhost', 'http://127.9.9.9/v1', 'http://[::1]:8'])(
    'LB-1: takes %s, which is this computer',
    (baseUrl) => {
      expect(new GatewayClient({ baseUrl, secretKey: 'sk_x' })).toBeDefined();
    },
  );

  it('LB-1: shows its key in none of its objects, answers and failures', async () => {
    const client = stub.client();
    const seen: unknown[] = [client, ...Object.values(client), client.pages(CALL)];
    seen.push(await client.get(CALL));
    const nobody = stub.client({ baseUrl: 'http://127.0.0.1:1' });
    for (const failing of [
      () => nobody.get(CALL),
      () => nobody.connections.list(),
      () => client.get({ ...CALL, retries: 99 }),
      () => new GatewayClient({ baseUrl: 'http://gateway.example', secretKey: SECRET_KEY }),
      () => new GatewayClient({ baseUrl: stub.baseUrl, secretKey: `${SECRET_KEY}\n` }),
    ]) {
      seen.push(
        await (async () => failing())().then(
          () => expect.unreachable(),
          (error: unknown) => error,
        ),
      );
    }
    for (const one of seen) {
      expect(inspect(one, { depth: 10, showHidden: true, getters: true })).not.toContain(SECRET_KEY);
      expect(JSON.stringify(one) ?? '').not.toContain(SECRET_KEY);
    }
  });

  it('takes an address with trailing slashes', async () => {
    await stub.client({ baseUrl: `${stub.baseUrl}//` }).get(CALL);
    expect(stub.last().target).toBe('/v1/proxy/drive/v3/files');
  });

  it('uses the fetch it is given', async () => {
    const seen: string[] = [];
    const client = stub.client({
      fetch: (url, init) => {
        seen.push(url);
        return fetch(url, init);
      },
    });
    await client.get(CALL);
    expect(seen).toEqual([`${stub.baseUrl}/proxy/drive/v3/files`]);
  });

  it('shows no secret key when it is logged', () => {
    expect(inspect(stub.client(), { depth: 10, showHidden: true })).not.toContain(SECRET_KEY);
    expect(JSON.stringify(stub.client())).not.toContain(SECRET_KEY);
  });
});

async function* pieces<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

function shared(bytes: readonly number[]): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}
