import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  GatewayError,
  ProviderError,
  quotaStanding,
  UnexpectedAnswerError,
} from '../../../packages/client/src/index.ts';
import { CALL as call, gatewayError, inTwoParts, json, type Responder, raw, testStub } from './stub.ts';

const stub = testStub();

const PNG = { 'content-type': 'image/png' };

async function failure(responder: Responder, method: 'get' | 'post' = 'get'): Promise<unknown> {
  stub.answer(responder);
  return stub
    .client()
    [method](call)
    .then(
      () => expect.unreachable('the call resolves'),
      (error: unknown) => error,
    );
}

describe('how full the quotas are', () => {
  it('PC-21: how full the quotas are is read from an answer to a call with a priority, and left out where it does not say', async () => {
    const asked = async (standing: string | undefined) => {
      stub.answer(json(200, {}, standing === undefined ? {} : { 'x-gateway-quota': standing }));
      return quotaStanding(await stub.client().get({ ...call, priority: 'interactive' }));
    };
    const whole = { provider: 'google-drive', cost: 100, minute: 0.42, day: 0.31 };
    expect(await asked('google-drive;cost=100;minute=0.42;day=0.31')).toEqual(whole);
    expect(await asked('google-calendar;cost=1')).toEqual({
      provider: 'google-calendar',
      cost: 1,
      minute: undefined,
      day: undefined,
    });
    for (const none of [undefined, 'google-drive', ';cost=1', 'google-drive;cost=much']) {
      expect(await asked(none)).toBeUndefined();
    }
  });
});

describe('the data of an answer', () => {
  it('the data of an answer is parsed JSON, with status and headers', async () => {
    stub.answer(json(201, { id: 'x' }, { etag: '"1"' }));
    const { status, headers, data } = await stub.client().get<{ id: string }>(call);
    expect({ status, etag: headers.get('etag'), id: data.id }).toEqual({ status: 201, etag: '"1"', id: 'x' });
  });

  it('the data of an answer is text for text, and bytes for anything else', async () => {
    stub.answer(raw(200, 'a,b', { 'content-type': 'text/csv' }));
    expect((await stub.client().get(call)).data).toBe('a,b');
    stub.answer(raw(206, Buffer.from([0, 255]), PNG));
    const { status, data } = await stub.client().get<ArrayBuffer>(call);
    expect({ status, bytes: [...new Uint8Array(data)] }).toEqual({ status: 206, bytes: [0, 255] });
  });

  it('follows the response type whatever the Content-Type says', async () => {
    stub.answer(json(200, { big: 1 }));
    expect((await stub.client().get({ ...call, responseType: 'text' })).data).toBe('{"big":1}');
    const { data } = await stub.client().get({ ...call, responseType: 'arrayBuffer' });
    expect(Buffer.from(data).toString()).toBe('{"big":1}');
    stub.answer(raw(200, '{"a":2}', PNG));
    expect((await stub.client().get({ ...call, responseType: 'json' })).data).toEqual({ a: 2 });
  });

  it('arrives as a stream while the rest is still on its way', async () => {
    const { answer, finish } = inTwoParts('first', 'second');
    stub.answer(answer);
    const { data } = await stub.client().get({ ...call, responseType: 'stream' });
    const reader = data.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('second');
    expect((await reader.read()).done).toBe(true);
  });

  it('the data of an answer is a stream that for await reads where the runtime cannot iterate its own, and that ending early cancels', async () => {
    const known = Object.getOwnPropertyDescriptor(ReadableStream.prototype, Symbol.asyncIterator);
    Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
    try {
      stub.answer(raw(200, 'first second', { 'content-type': 'text/plain' }));
      const whole = await stub.client().get({ ...call, responseType: 'stream' });
      let text = '';
      for await (const chunk of whole.data) text += Buffer.from(chunk).toString();
      expect(text).toBe('first second');
      stub.answer(inTwoParts('first', 'second').answer);
      const { data } = await stub.client().get({ ...call, responseType: 'stream' });
      for await (const chunk of data) {
        expect(Buffer.from(chunk).toString()).toBe('first');
        break;
      }
      expect((await data.getReader().read()).done).toBe(true);
    } finally {
      Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, known ?? {});
    }
  });

  it('the data of an answer is decoded when the provider compressed it', async () => {
    const bytes = gzipSync('{"a":1}');
    const headers = { 'content-encoding': 'gzip', 'x-upstream-content-length': String(bytes.length) };
    stub.answer(raw(200, bytes, { 'content-type': 'application/json', ...headers }));
    expect((await stub.client().get(call)).data).toEqual({ a: 1 });
  });

  it.each([204, 304])('the data of an answer is nothing for %i', async (status) => {
    stub.answer(raw(status, undefined));
    expect(await stub.client().get(call)).toMatchObject({ status, data: undefined });
    expect((await stub.client().get({ ...call, responseType: 'text' })).data).toBe('');
    const { data } = await stub.client().get({ ...call, responseType: 'stream' });
    expect((await data.getReader().read()).done).toBe(true);
  });

  it('the data of an answer is nothing for HEAD, whose headers tell a length', async () => {
    stub.answer(raw(200, undefined, { 'x-upstream-content-length': '7', ...PNG }));
    const { data, headers } = await stub.client().head(call);
    expect({ data, length: headers.get('x-upstream-content-length') }).toEqual({ data: undefined, length: '7' });
  });

  it('the data of an answer is nothing for the 308 of an unfinished upload, whose Range is readable', async () => {
    stub.answer(raw(308, undefined, { range: 'bytes=0-262143' }));
    const { status, headers } = await stub.client().put({ ...call, data: Buffer.from('x'), headers: PNG });
    expect({ status, range: headers.get('range') }).toEqual({ status: 308, range: 'bytes=0-262143' });
  });

  it('the data of an answer is refused where JSON was promised and is not', async () => {
    expect(await failure(raw(200, '<html>', { 'content-type': 'application/json' }))).toBeInstanceOf(
      UnexpectedAnswerError,
    );
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('a redirect of status %i is not followed', async (status) => {
    const error = await failure(raw(status, undefined, { location: `${stub.baseUrl}/elsewhere` }));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ status });
    expect(stub.arrived.length).toBe(1);
  });
});

describe('an error of the provider', () => {
  const quota = {
    error: { code: 403, message: 'Slow down', errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }] },
  };

  it('an error of the provider has status, reason, body and how long to wait', async () => {
    const error = await failure(json(403, quota, { 'retry-after': '7' }));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({
      status: 403,
      reason: 'userRateLimitExceeded',
      body: quota,
      retryAfterSec: 7,
      requestId: 'req-1',
    });
    expect(String(error)).toContain('Slow down');
  });

  it('reads a date to wait for', async () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const error = await failure(json(503, {}, { 'retry-after': at }));
    expect(error).toBeInstanceOf(ProviderError);
    if (error instanceof ProviderError) expect(error.retryAfterSec).toBeGreaterThan(50);
  });

  it.each<[string, Responder, unknown]>([
    ['HTML', raw(502, '<h1>502</h1>', { 'content-type': 'text/html' }), '<h1>502</h1>'],
    ['nothing', raw(500, undefined), undefined],
    ['another shape of JSON', json(400, ['x']), ['x']],
  ])('survives %s as its body', async (_what, responder, body) => {
    expect(await failure(responder)).toMatchObject({ name: 'ProviderError', body, reason: undefined });
  });

  it('comes to the reader of a stream too', async () => {
    stub.answer(json(404, { error: { message: 'gone', errors: [{ reason: 'notFound' }] } }));
    await expect(stub.client().get({ ...call, responseType: 'stream' })).rejects.toMatchObject({ reason: 'notFound' });
  });

  it('keeps no more of an endless body than an error needs', async () => {
    const error = await failure((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', write);
      write();
    });
    expect(error).toBeInstanceOf(ProviderError);
    if (error instanceof ProviderError) expect(String(error.body).length).toBe(256 * 1024);
  });
});

describe('an error of the gateway', () => {
  it('an error of the gateway has code, status, problems and request id', async () => {
    const errors = [{ path: 'headers.Connection-Id', message: 'send it once' }];
    const error = await failure(gatewayError(400, 'invalid_headers', { errors }));
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'invalid_headers', status: 400, problems: errors, requestId: 'req-envelope' });
    expect(error).toMatchObject({ connection: undefined, retryAfterSec: undefined, mayHaveBeenApplied: false });
  });

  it('shows why a connection is dead and who fixes it', async () => {
    const cause = { cause: 'user_revoked', likelihood: 0.75, who: 'end_user', explanation: 'removed', remedy: 'again' };
    const told = {
      status: 'reauthorization_required',
      cause: 'user_revoked',
      certain: false,
      remedy: 'again',
      since: 't',
    };
    const connection = { ...told, likely_causes: [cause] };
    const error = await failure(gatewayError(424, 'reauthorization_required', { connection }));
    expect(error).toMatchObject({ connection: { ...told, likelyCauses: [cause] } });
  });

  it('an error of the gateway is known by its header alone, as the front door answers', async () => {
    const error = await failure(json(403, { message: 'Forbidden' }, { 'x-gateway-error': 'forbidden' }));
    expect(error).toMatchObject({ name: 'GatewayError', code: 'forbidden', status: 403, requestId: 'req-1' });
    expect(String(error)).toContain('Forbidden');
  });

  it('an error of the gateway is known without its header where API Gateway itself finds a body too large, with the way round it', async () => {
    const error = await failure(json(413, { message: 'Request Too Long' }), 'post');
    expect(error).toMatchObject({ name: 'GatewayError', code: 'request_too_large', status: 413, requestId: 'req-1' });
    expect(error).toMatchObject({ mayHaveBeenApplied: false, message: expect.stringMatching(/4\.5 MB.*uploadFile/) });
  });

  it('FD-1: an error of the gateway is known where Lambda itself finds a body too large at a function URL', async () => {
    const error = await failure(json(413, { Message: 'Request must be smaller than 6291556 bytes' }), 'post');
    expect(error).toMatchObject({ name: 'GatewayError', code: 'request_too_large', status: 413 });
  });

  it('LM-14: an error of the gateway is rate_limited with a time to wait where no process is free at a function URL; no write was applied', async () => {
    const lambdas = json(429, { Message: 'Rate Exceeded.' }, { 'x-amzn-errortype': 'TooManyRequestsException' });
    expect(await failure(lambdas, 'post')).toMatchObject({
      ...{ name: 'GatewayError', code: 'rate_limited', status: 429, retryAfterSec: 1, mayHaveBeenApplied: false },
    });
    const googles = json(429, { error: { code: 429, message: 'Rate Exceeded.' } });
    expect(await failure(googles, 'post')).toMatchObject({ name: 'ProviderError', status: 429 });
  });

  it.each([
    ['its envelope', json(413, { error: { code: 413, message: 'Request Too Long' } })],
    ['a page', raw(413, '<title>413</title>', { 'content-type': 'text/html' })],
    ['more than a message', json(413, { message: 'Request Too Long', code: 1 })],
  ])(
    'an error of the gateway is none where Google finds a body too large and says so with %s',
    async (_what, answer) => {
      expect(await failure(answer, 'post')).toMatchObject({ name: 'ProviderError', status: 413 });
    },
  );

  it.each<[string, 'get' | 'post', boolean]>([
    ['upstream_timeout', 'post', true],
    ['upstream_timeout', 'get', false],
    ['token_refresh_unavailable', 'post', false],
  ])('%s on %s: a write may have been applied is %s', async (code, method, expected) => {
    expect(await failure(gatewayError(504, code, {}, { 'retry-after': '2' }), method)).toMatchObject({
      applied: undefined,
      mayHaveBeenApplied: expected,
      retryAfterSec: 2,
    });
  });

  it.each<[unknown, 'get' | 'post', string | undefined, boolean]>([
    ['no', 'post', 'no', false],
    ['unknown', 'post', 'unknown', true],
    ['no', 'get', 'no', false],
    ['unknown', 'get', 'unknown', false],
    ['some later word', 'post', 'unknown', true],
    [7, 'post', undefined, true],
  ])('applied %j on %s is read as %s: a write may have been applied is %s', async (applied, method, read, expected) => {
    const error = await failure(gatewayError(502, 'upstream_unreachable', { applied }), method);
    expect(error).toMatchObject({ applied: read, mayHaveBeenApplied: expected });
  });
});
