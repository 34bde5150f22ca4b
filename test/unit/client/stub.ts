/** A loopback server that notes what arrives byte for byte and answers what the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { GatewayClient, type GatewayClientOptions } from '../../../packages/client/src/index.ts';

/** One request as it arrived. */
export interface Arrived {
  method: string;
  /** Raw request target. */
  target: string;
  /** Lower-case names; repeats joined as Node joins them. */
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Answers one request. */
export type Responder = (request: Arrived, response: ServerResponse) => void | Promise<void>;

export interface Stub {
  /** Address of the stub as a gateway below a stage path. */
  readonly baseUrl: string;
  /** Requests of the running test. */
  readonly arrived: Arrived[];
  /** The latest request. @throws Error when there was none */
  last(): Arrived;
  /** Answers the following requests in this way. */
  answer(responder: Responder): void;
  client(options?: Partial<GatewayClientOptions>): GatewayClient;
}

/** The connection of every call in the tests. */
export const CONNECTION = { providerConfigKey: 'google-drive', connectionId: 'user-1' };
export const SECRET_KEY = 'sk_test_0123456789';
/** A call of that connection. */
export const CALL = { ...CONNECTION, endpoint: '/drive/v3/files' };

/** Answers JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return (_request, response) => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=UTF-8',
      'x-request-id': 'req-1',
      ...headers,
    });
    response.end(JSON.stringify(body));
  };
}

/** Answers bytes, or nothing. */
export function raw(
  status: number,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = {},
): Responder {
  return (_request, response) => {
    response.writeHead(status, { 'x-request-id': 'req-1', ...headers });
    response.end(body);
  };
}

/** Answers bytes in two parts, the second one when `finish` is called. */
export function inTwoParts(first: string, second: string): { readonly answer: Responder; finish(): void } {
  let finish = (): void => {};
  return {
    answer(_request, response) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.write(first);
      finish = () => response.end(second);
    },
    finish: () => finish(),
  };
}

/** The gateway's error envelope. */
export function gatewayError(
  status: number,
  code: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Responder {
  const error = { code, message: `about ${code}`, status, request_id: 'req-envelope', ...more };
  return json(status, { error }, { 'x-gateway-error': code, ...headers });
}

/** A stub on a free port for the tests of a file; before each of them it has seen nothing and answers an empty object. */
export function testStub(): Stub {
  const arrived: Arrived[] = [];
  let responder: Responder = json(200, {});
  let baseUrl = '';
  const server = createServer((message, response) => {
    void buffer(message)
      .then(async (body) => {
        const request = { method: message.method ?? '', target: message.url ?? '', headers: message.headers, body };
        arrived.push(request);
        await responder(request, response);
      })
      // A client that left in mid-body is what some tests are about.
      .catch(() => response.destroy());
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${addressOf(server.address()).port}/v1`;
  });
  beforeEach(() => {
    arrived.length = 0;
    responder = json(200, {});
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    get baseUrl() {
      return baseUrl;
    },
    arrived,
    last() {
      const request = arrived.at(-1);
      if (request === undefined) throw new Error('Nothing arrived.');
      return request;
    },
    answer(next) {
      responder = next;
    },
    client: (options = {}) => new GatewayClient({ baseUrl, secretKey: SECRET_KEY, ...options }),
  };
}

/** Waits until a condition holds. @throws Error naming it when it does not in time */
export async function until(what: string, condition: () => boolean, timeoutMs = 60_000): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The stub has no port.');
  return address;
}
