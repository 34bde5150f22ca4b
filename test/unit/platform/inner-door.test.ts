import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventMessage } from '../../../dev/local/aws/event-stream.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { DOOR_EVENT_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { innerDoor } from '../../../lambdas/gateway/platform/inner-door.ts';
import { openStreamedInvoker } from '../../../lambdas/gateway/platform/lean/invoke-streamed.ts';

const close: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  for (const one of close.splice(0)) one();
});

interface Asked {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Of the caller. */
  readonly port: number | undefined;
}

/** Lambda on loopback, with one answer for every invocation. */
async function lambda(answer: (response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        port: request.socket.remotePort,
      });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => {
    server.closeAllConnections();
    server.close();
  });
  lambdaAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return asked;
}

function lambdaAt(address: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL', address);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'example');
}

/** A port of loopback that takes connections and sends nothing. */
async function silentPort() {
  const server = createTcpServer((socket) => void close.push(() => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

const chunk = (text: string) => eventMessage('PayloadChunk', 'application/octet-stream', Buffer.from(text));
const complete = (end: object = {}) =>
  eventMessage('InvokeComplete', 'application/json', Buffer.from(JSON.stringify(end)));
const head = (members: object = {}) =>
  `${JSON.stringify({ statusCode: 200, multiValueHeaders: { 'content-type': ['text/plain'], ...members } })}${'\0'.repeat(8)}`;

const question = { operation: 'list', input: { a: 1 }, requestId: 'r-1', withinMs: 60_000 };
const ask = (of: Partial<typeof question> = {}) => innerDoor('Stack-Proxy', 'mcp')({ ...question, ...of });
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a question by the inner door', () => {
  test('TB-2: names the alias, the operation and the request’s id, and is signed', async () => {
    const asked = await lambda((response) => response.end(Buffer.concat([chunk(head()), chunk('hello'), complete()])));
    const { status, headers, body } = await ask();
    expect([status, headers, Buffer.from(body).toString()]).toEqual([200, [['content-type', 'text/plain']], 'hello']);
    const [{ url, headers: sent, body: event } = { url: '', headers: {}, body: '' }] = asked;
    expect(url).toBe('/2021-11-15/functions/Stack-Proxy/response-streaming-invocations?Qualifier=mcp');
    expect(sent.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/lambda\/aws4_request, /,
    );
    expect(JSON.parse(event)).toEqual({
      ...{ operation: 'list', input: { a: 1 } },
      requestContext: { requestId: 'r-1' },
    });
  });

  test('a question by the inner door is read whatever the pieces are that its answer arrives in', async () => {
    const all = Buffer.concat([
      chunk(head().slice(0, 9)),
      chunk(head().slice(9)),
      chunk('hel'),
      chunk('lo'),
      complete(),
    ]);
    await lambda((response) => {
      for (const byte of all) response.write(Buffer.of(byte));
      response.end();
    });
    expect(Buffer.from((await ask()).body).toString()).toBe('hello');
  });

  test('TB-7: a question by the inner door is answered once the answer is whole, before the function ends', async () => {
    let end = () => {};
    await lambda((response) => {
      response.write(Buffer.concat([chunk(head({ 'content-length': ['5'] })), chunk('hello')]));
      end = () => void response.end(complete());
    });
    expect(Buffer.from((await ask()).body).toString()).toBe('hello');
    end();
  });

  test('TB-7: hands over what the operation reports before its answer, whatever the pieces are', async () => {
    const lines = [
      { part: { progress: 1, message: 'ü' } },
      { part: { progress: 2 } },
      { end: { status: 429, headers: [['x-gateway-error', 'rate_limited']], body: '{"a":"ü"}' } },
    ].map((line) => `${JSON.stringify(line)}\n`);
    const bytes = Buffer.from(head({ 'content-type': ['application/x-ndjson'] }) + lines.join(''));
    const pieces = [bytes.subarray(0, bytes.indexOf('ü') + 1), bytes.subarray(bytes.indexOf('ü') + 1)];
    let end = () => {};
    await lambda((response) => {
      for (const piece of pieces) response.write(eventMessage('PayloadChunk', 'application/octet-stream', piece));
      end = () => void response.end(complete());
    });
    const parts: unknown[] = [];
    const answer = await innerDoor('P', 'mcp')({ ...question, onPart: (part) => void parts.push(part) });
    expect(parts).toEqual([{ progress: 1, message: 'ü' }, { progress: 2 }]);
    expect({ ...answer, body: Buffer.from(answer.body).toString() }).toEqual({
      ...{ status: 429, headers: [['x-gateway-error', 'rate_limited']], body: '{"a":"ü"}' },
    });
    end();
  });

  test('TB-4: a question by the inner door is not known to be done where its answer breaks off between its parts', async () => {
    await lambda((response) => {
      const lines = `${head({ 'content-type': ['application/x-ndjson'] })}{"part":1}\n{"end"`;
      response.end(Buffer.concat([chunk(lines), complete()]));
    });
    expect(await refusalOf(ask())).toMatchObject({ code: 'service_unavailable', applied: 'unknown' });
  });

  test('TB-4: a question by the inner door is sent once; without a free process it is service_unavailable after the time that Lambda says', async () => {
    const asked = await lambda((response) =>
      response.writeHead(429, { 'retry-after': '7', 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}'),
    );
    const error = await refusalOf(ask());
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503, retryAfterSec: 7, applied: 'no' });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['is cut in its middle', (response: ServerResponse) => response.end(chunk(head()))],
    [
      'ends with a failure of the function',
      (response: ServerResponse) => response.end(complete({ ErrorCode: 'Unhandled' })),
    ],
    ['is no event stream', (response: ServerResponse) => response.end('x'.repeat(100))],
    ['is a failure of Lambda', (response: ServerResponse) => response.writeHead(502).end()],
    ['breaks off', (response: ServerResponse) => response.destroy()],
  ])(
    'TB-4: a question by the inner door is sent once where its answer %s, and nobody knows whether it was carried out',
    async (_, answer) => {
      const asked = await lambda(answer);
      const error = await refusalOf(ask());
      expect(error).toMatchObject({ code: 'service_unavailable', applied: 'unknown' });
      expect(asked).toHaveLength(1);
    },
  );

  test('TB-4: ends at its deadline', async () => {
    await lambda(() => {});
    expect(await refusalOf(ask({ withinMs: 20 }))).toMatchObject({ code: 'upstream_timeout', applied: 'unknown' });
  });

  test('TB-4: ends at its deadline in the middle of its answer, too', async () => {
    await lambda((response) => response.write(chunk(head())));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const chunks = openStreamedInvoker()({
      ...{ functionName: 'Stack-Proxy', qualifier: 'mcp', payload: Buffer.from('{}'), withinMs: 60_000 },
    });
    await chunks.next();
    const error = refusalOf(innerDoor('Stack-Proxy', 'mcp', () => chunks)(question));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await error).toMatchObject({ code: 'upstream_timeout', applied: 'unknown' });
  });

  test('TB-4: a question by the inner door was not carried out where Lambda takes no connection', async () => {
    const { server, port } = await silentPort();
    await new Promise((resolve) => server.close(resolve));
    lambdaAt(`http://127.0.0.1:${port}`);
    expect(await refusalOf(ask())).toMatchObject({ code: 'service_unavailable', applied: 'no', retryAfterSec: 1 });
  });

  test('TB-4: a question by the inner door was not carried out where its connection is not ready in time', async () => {
    const { server, port } = await silentPort();
    close.push(() => server.close());
    lambdaAt(`https://127.0.0.1:${port}`);
    expect(await refusalOf(ask({ withinMs: 20 }))).toMatchObject({ code: 'service_unavailable', applied: 'no' });
  });

  test('TB-4: uses no connection of an earlier one, which may be closed at the other end', async () => {
    const asked = await lambda((response) => response.end(Buffer.concat([chunk(head()), complete()])));
    await ask();
    await ask();
    expect(new Set(asked.map(({ port }) => port)).size).toBe(2);
    expect(asked.map(({ headers }) => headers.connection)).toEqual(['close', 'close']);
  });

  test('a missing right is no refusal of the caller’s', async () => {
    await lambda((response) => response.writeHead(403).end('{"__type":"AccessDeniedException"}'));
    const error = await refusalOf(ask());
    expect(error).not.toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ name: 'AccessDeniedException', status: 403 });
  });

  test('TB-8: a question by the inner door of more than 6 MB is not sent', async () => {
    const asked = await lambda((response) => response.end());
    const error = await refusalOf(ask({ input: { a: 1, text: 'x'.repeat(DOOR_EVENT_MAX_BYTES) } as { a: number } }));
    expect(error).toMatchObject({ code: 'request_too_large', status: 413, applied: 'no' });
    expect(asked).toEqual([]);
  });
});
