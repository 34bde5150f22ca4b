import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asObject, type JsonObject, parseJson } from '../../local/json.ts';
import type { LocalGateway } from '../../local/start.ts';
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
      TooLarge: gatewayResponse('REQUEST_TOO_LARGE', { 'x-gateway-error': "'request_too_large'" }),
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
async function raw(request: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(gateway.gatewayUrl).port), '127.0.0.1');
  socket.write(request);
  return text(socket);
}

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
  ])('of %s is %s', async (target, path) => {
    expect((await rawEvent(target)).path).toBe(path);
  });
});

describe('the headers of an event', () => {
  it('keep case and order of values, without the hop-by-hop ones', async () => {
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

  it('above 10,240 bytes are refused with 431', async () => {
    const answer = await raw(
      `GET /a HTTP/1.1\r\nHost: g\r\nX-Large: ${'x'.repeat(10_240)}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('the body of an event', () => {
  it('is base64 of the very bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    const reply = await fetch(`${gateway.gatewayUrl}/a`, { method: 'POST', body: bytes });
    const { event } = await reply.json();
    expect([event.body, event.isBase64Encoded]).toEqual([bytes.toString('base64'), true]);
  });

  it('is null when there is none', async () => {
    expect(await rawEvent('/a')).toMatchObject({ body: null, isBase64Encoded: false });
  });

  it.each([5 * 1024 * 1024, 11 * 1024 * 1024])(
    'of %i bytes is refused with 413 and the stack’s headers',
    async (size) => {
      const reply = await fetch(`${gateway.gatewayUrl}/a`, { method: 'POST', body: Buffer.alloc(size) });
      expect(reply.status).toBe(413);
      expect(await reply.text()).toBe('{"message":"Request Too Long"}');
      expect(reply.headers.get('x-gateway-error')).toBe('request_too_large');
    },
  );

  it('of 4.4 MB passes', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/a?bytes=1`, {
      method: 'POST',
      body: Buffer.alloc(4_400_000),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  });
});

describe('the front by itself', () => {
  it('lets another method stand in for the one sent', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/a`, {
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'GET' },
    });
    expect((await reply.json()).event.httpMethod).toBe('GET');
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
