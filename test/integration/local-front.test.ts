import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalGateway } from '../../dev/local/start.ts';
import { asObject, type JsonObject, parseJson } from '../../dev/tools/json.ts';
import { rawBytes } from '../support/raw-http.ts';
import { STANDARD_FIXTURE, until, type Workspace, workspace } from '../unit/local/fixtures/gateway.ts';

let space: Workspace;
let gateway: LocalGateway;

beforeAll(async () => {
  space = workspace({
    ...STANDARD_FIXTURE,
    resources: {
      Default4xx: gatewayResponse('DEFAULT_4XX', {
        'x-gateway-error': "'forbidden'",
        'x-request-id': 'context.requestId',
      }),
      // API Gateway takes no customised answer for this one ("Amazon API Gateway important notes").
      TooLarge: gatewayResponse('REQUEST_TOO_LARGE', { 'x-gateway-error': "'request_too_large'" }),
      Unrouted: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', { 'x-gateway-error': "'method_not_allowed'" }),
    },
  });
  gateway = await space.start();
});
afterAll(() => space.dispose());

function gatewayResponse(type: string, headers: Record<string, string>): JsonObject {
  const parameters = Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]);
  return {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: { RestApiId: { Ref: 'Api' }, ResponseType: type, ResponseParameters: Object.fromEntries(parameters) },
  };
}

/** Sends bytes as they are and returns the whole answer as text. */
const raw = (request: string | Buffer, halfClose = false) => rawBytes(gateway.gatewayUrl, request, { halfClose });

async function rawEvent(target: string, headers = ''): Promise<JsonObject> {
  const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n${headers}\r\n`);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return asObject(asObject(parseJson(body, 'body'), 'body').event, 'event');
}

describe('the path of an event', () => {
  it.each([
    ['/a%2Fb/%2e%2E/c%20d/', '/a%2Fb/%2e%2E/c%20d/'],
    ['/a/../b/./c', '/a/../b/./c'],
    ['/a//b', '/a//b'],
    ['//a/b', '/a/b'],
    ['http://elsewhere.example/a/b?x=1', '/a/b'],
    ['/%zz/%E0%A4%A', '/%zz/%E0%A4%A'],
    ['/a;b:c@d$e', '/a;b:c@d$e'],
  ])('the path of an event of %s is %s', async (target, path) => {
    expect((await rawEvent(target)).path).toBe(path);
  });
});

describe('the headers of an event', () => {
  it('the headers of an event keep case and order of values, without the hop-by-hop ones', async () => {
    const event = await rawEvent('/a', 'X-One: 1\r\nx-one: 2\r\nTE: trailers\r\nauthorization: Bearer k\r\n');
    expect(event.multiValueHeaders).toMatchObject({
      'X-One': ['1', '2'],
      Authorization: ['Bearer k'],
      Host: ['gateway.test'],
    });
    expect(event.headers).toMatchObject({ 'X-One': '2', 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '127.0.0.1' });
    expect(Object.keys(asObject(event.headers, 'headers')).map((name) => name.toLowerCase())).not.toContain('te');
    expect(Object.keys(asObject(event.headers, 'headers')).map((name) => name.toLowerCase())).not.toContain(
      'connection',
    );
  });
});

describe('the body of an event', () => {
  it('the body of an event is base64 of the very bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    const reply = await fetch(`${gateway.gatewayUrl}/a`, { method: 'POST', body: bytes });
    const { event } = await reply.json();
    expect([event.body, event.isBase64Encoded]).toEqual([bytes.toString('base64'), true]);
  });

  it('the body of an event is null when there is none', async () => {
    expect(await rawEvent('/a')).toMatchObject({ body: null, isBase64Encoded: false });
  });

  it.each([5 * 1024 * 1024, 11 * 1024 * 1024])(
    'the body of an event of %i bytes is refused with API Gateway’s own 413, which takes nothing from the stack',
    async (size) => {
      const reply = await fetch(`${gateway.gatewayUrl}/a`, { method: 'POST', body: Buffer.alloc(size) });
      expect(reply.status).toBe(413);
      expect(await reply.text()).toBe('{"message":"Request Too Long"}');
      expect(reply.headers.get('x-gateway-error')).toBeNull();
    },
  );

  it('the body of an event of 4.4 MB passes', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/a?bytes=1`, {
      method: 'POST',
      body: Buffer.alloc(4_400_000),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  });
});

describe('a request that API Gateway refuses before it looks at the API', () => {
  const lines = (...given: string[]) => `${given.join('\r\n')}\r\n\r\n`;

  it.each<[claim: string, request: string, status: number, message: string | undefined]>([
    ['with two Host lines', lines('GET /a HTTP/1.1', 'Host: g', 'Host: g', 'Connection: close'), 400, 'Bad Request'],
    ['without Host', lines('GET /a HTTP/1.1', 'Connection: close'), 400, undefined],
    ['with | in its query', lines('GET /a?b=c|d HTTP/1.1', 'Host: g', 'Connection: close'), 400, 'Bad Request'],
    ['with { in its query', lines('GET /a?b={c HTTP/1.1', 'Host: g', 'Connection: close'), 400, 'Bad Request'],
    ['with } in its query', lines('GET /a?b=c}&d=e HTTP/1.1', 'Host: g', 'Connection: close'), 400, 'Bad Request'],
    [
      'with % before no hex digits in its query',
      lines('GET /a?b=5%&c=d HTTP/1.1', 'Host: g', 'Connection: close'),
      400,
      'Bad Request',
    ],
    [
      'with a body in chunks',
      `${lines('POST /a HTTP/1.1', 'Host: g', 'Transfer-Encoding: chunked')}1\r\na\r\n0\r\n\r\n`,
      411,
      'Length Required',
    ],
    [
      'with a transfer coding nobody knows here',
      `${lines('POST /a HTTP/1.1', 'Host: g', 'Transfer-Encoding: gzip, chunked')}1\r\na\r\n0\r\n\r\n`,
      501,
      'Not Implemented',
    ],
    ...['xchunked', 'gzip', '"chunked"', 'chunked, identity', 'chunked, chunked'].map(
      (coding) =>
        [
          `with the malformed transfer coding ${coding}`,
          `${lines('POST /a HTTP/1.1', 'Host: g', `Transfer-Encoding: ${coding}`)}0\r\n\r\n`,
          400,
          'Bad Request',
        ] satisfies [string, string, number, string],
    ),
    [
      'whose chunks are malformed',
      `${lines('POST /a HTTP/1.1', 'Host: g', 'Transfer-Encoding: chunked')}zz\r\na\r\n0\r\n\r\n`,
      411,
      'Length Required',
    ],
    [
      'with a malformed length',
      `${lines('POST /a HTTP/1.1', 'Host: g', 'Content-Length: 4x')}abcd`,
      400,
      'Bad Request',
    ],
    [
      'whose address is too long',
      lines(`GET /${'a'.repeat(10_240)} HTTP/1.1`, 'Host: g', 'Connection: close'),
      414,
      'Request-URI Too Long',
    ],
    [
      'whose headers are too large',
      lines('GET /a HTTP/1.1', 'Host: g', `X-Large: ${'x'.repeat(10_240)}`, 'Connection: close'),
      431,
      'Request Header Fields Too Large',
    ],
    [
      'that announces more than 10 MB',
      lines('POST /a HTTP/1.1', 'Host: g', 'Content-Length: 10485761'),
      413,
      'Request Too Long',
    ],
    [
      'that asks leave to send more than 10 MB',
      lines('POST /a HTTP/1.1', 'Host: g', 'Expect: 100-continue', 'Content-Length: 99999999999'),
      413,
      'Request Too Long',
    ],
  ])('%s gets its own answer, without the stack’s headers', async (_, request, status, message) => {
    const answer = await raw(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toMatch(/x-gateway-error/i);
    if (message !== undefined) expect(answer).toContain(JSON.stringify({ message }));
  });

  it('keeps its connection until the client has sent the rest', async () => {
    const seen: string[] = [];
    const socket = connect(Number(new URL(gateway.gatewayUrl).port), '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', (bytes) => seen.push(String(bytes).split('\r\n')[0] ?? ''));
    socket.on('end', () => seen.push('end'));
    socket.on('error', (error) => seen.push(error.message));
    socket.write(lines('POST /a HTTP/1.1', 'Host: g', 'Transfer-Encoding: chunked'));
    await until('the answer', () => seen.length > 0);
    // By the time of another answer the first connection would have ended.
    await (await fetch(`${gateway.gatewayUrl}/a`)).text();
    socket.write('1\r\na\r\n');
    seen.push('sent');
    socket.write('0\r\n\r\n');
    await closed;
    expect(seen).toEqual(['HTTP/1.1 411 Length Required', 'sent', 'end']);
  });

  it('lets escaped characters of every kind pass in a query', async () => {
    const event = await rawEvent('/a?b=%7B%7D%7C%25&c=~!*()');
    expect(event.multiValueQueryStringParameters).toEqual({ b: ['{}|%'], c: ['~!*()'] });
  });

  it('lets a client send what it asked leave for', async () => {
    const head =
      'POST /a HTTP/1.1\r\nHost: g\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n';
    const answer = await raw(`${head}ab`);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(answer).toContain('"YWI="');
  });

  it('a request that API Gateway refuses before it looks at the API is none that a client half closes behind: its answer arrives', async () => {
    const answer = await raw('POST /a?do=slow&ms=100 HTTP/1.1\r\nHost: g\r\nContent-Length: 2\r\n\r\nab', true);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"YWI="');
  });

  it('a request that API Gateway refuses before it looks at the API is one that a client half closes within', async () => {
    const answer = await raw('POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 20\r\n\r\nab', true);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('the front by itself', () => {
  it.each(['PROPFIND', 'REPORT', 'MKCALENDAR', 'TRACE'])(
    'refuses %s, which no method of API Gateway is, as it refuses an unknown path',
    async (method) => {
      const answer = await raw(`${method} /a HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 403 .*x-gateway-error: method_not_allowed\r\n/s);
      expect(answer).toContain('{"message":"Missing Authentication Token"}');
    },
  );

  it('lets another method stand in for the one sent, and hands its header to nobody', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/a`, {
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'GET' },
      body: 'a=1',
    });
    const { event } = await reply.json();
    expect([event.httpMethod, Buffer.from(event.body, 'base64').toString()]).toEqual(['GET', 'a=1']);
    expect(JSON.stringify([event.headers, event.multiValueHeaders]).toLowerCase()).not.toContain('override');
  });

  it('answers HEAD without a body', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/a?bytes=10`, { method: 'HEAD' });
    expect([reply.status, await reply.text()]).toEqual([200, '']);
  });

  it('answers 403 with API Gateway’s body and the stack’s headers where no route is', async () => {
    const narrow = workspace({
      functions: STANDARD_FIXTURE.functions,
      routes: { '/only': 'ManagementFunction' },
      resources: { Default4xx: gatewayResponse('DEFAULT_4XX', { 'x-request-id': 'context.requestId' }) },
    });
    const { gatewayUrl } = await narrow.start();
    const reply = await fetch(`${gatewayUrl}/other`);
    expect([reply.status, await reply.text()]).toEqual([403, '{"message":"Missing Authentication Token"}']);
    expect(reply.headers.get('x-request-id')).toBe(reply.headers.get('x-amzn-requestid'));
    await narrow.dispose();
  });

  it('serves below the stage when asked to, with the stage outside the path', async () => {
    const staged = workspace();
    const { gatewayUrl } = await staged.start({ stagePrefix: 'v1' });
    expect(gatewayUrl).toMatch(/\/v1$/);
    const { event } = await (await fetch(`${gatewayUrl}/a/b`)).json();
    expect([event.path, event.requestContext.path, event.requestContext.stage]).toEqual(['/a/b', '/v1/a/b', 'v1']);
    const outside = await fetch(`${new URL(gatewayUrl).origin}/v2/a`);
    expect([outside.status, await outside.text()]).toEqual([403, '{"message":"Forbidden"}']);
    await staged.dispose();
  });

  it('survives a client that leaves in the middle of its upload', async () => {
    const socket = connect(Number(new URL(gateway.gatewayUrl).port), '127.0.0.1');
    socket.write('POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 1000\r\n\r\nhalf');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    await until('the next call', async () => (await fetch(`${gateway.gatewayUrl}/a`)).status === 200);
  });
});
