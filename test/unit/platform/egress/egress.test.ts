import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Upstream, UpstreamError, type UpstreamRequest } from '../../../../lambdas/gateway/core/upstream.ts';
import { openEgress } from '../../../../lambdas/gateway/platform/egress/egress.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return listen(server);
}

async function listen(server: Server, scheme = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: string | AddressInfo | null = server.address();
  return `${scheme}://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function egress(allowLoopback = true): Upstream {
  const opened = openEgress(allowLoopback);
  closers.push(() => opened.close());
  return opened;
}

const request = (origin: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  origin,
  method: 'GET',
  path: '/x',
  headers: [],
  body: undefined,
  firstByteTimeoutMs: 5_000,
  idleTimeoutMs: 5_000,
  totalTimeoutMs: 5_000,
  ...more,
});

async function failure(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UpstreamError)) throw new Error(`Expected an UpstreamError, got ${String(error)}`);
  return error;
}

describe('deadlines', () => {
  test('F33: silence before the head ends at the first-byte deadline, as sent', async () => {
    const origin = await serve(() => {});
    const error = await failure(egress().send(request(origin, { firstByteTimeoutMs: 50 })));
    expect([error.kind, error.sent]).toEqual(['timeout', true]);
  });

  test('F34: a body that falls silent is cut at the idle deadline', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200);
      response.write('begin');
    });
    const response = await egress().send(request(origin, { idleTimeoutMs: 50 }));
    await expect(readAll(response.body)).rejects.toThrow();
  });

  test('F34, DS-5: a body that drips for ever is cut at the total deadline', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const response = await egress().send(request(origin, { totalTimeoutMs: 150 }));
    await expect(readAll(response.body)).rejects.toThrow();
  });

  test('a slow reader does not trip the idle deadline', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200);
      response.write('a');
      setTimeout(() => response.end('b'), 30);
    });
    const response = await egress().send(request(origin, { idleTimeoutMs: 100 }));
    let text = '';
    for await (const chunk of response.body) {
      text += Buffer.from(chunk).toString();
      const until = performance.now() + 250;
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text).toBe('ab');
  });
});

describe('what is known of a failure', () => {
  test('a refused connection was not sent', async () => {
    const server = createServer();
    const origin = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(egress().send(request(origin, { method: 'POST', body: Buffer.from('x') })));
    expect([error.kind, error.sent]).toEqual(['unreachable', false]);
  });

  test('a connection that breaks after the request was sent may have applied it', async () => {
    const origin = await serve((incoming) => void incoming.socket.destroy());
    const error = await failure(egress().send(request(origin, { method: 'POST', body: Buffer.from('x') })));
    expect([error.kind, error.sent, error.reusedConnection]).toEqual(['unreachable', true, false]);
  });

  test('F37: a break on a kept connection is told from a break on a new one', async () => {
    let calls = 0;
    const origin = await serve((incoming, response) => {
      calls++;
      if (calls === 1) response.end('ok');
      else incoming.socket.destroy();
    });
    const out = egress();
    await readAll((await out.send(request(origin))).body);
    const error = await failure(out.send(request(origin)));
    expect([error.reusedConnection, error.sent]).toEqual([true, true]);
  });

  test('an answer that is not HTTP is an invalid answer', async () => {
    const origin = await serve((incoming) => void incoming.socket.end('nonsense\r\n\r\n'));
    expect((await failure(egress().send(request(origin)))).kind).toBe('invalid_response');
  });

  test('PR-13: a switch of protocols nobody asked for is an invalid answer, at once', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const origin = await serve((incoming) => void incoming.socket.write(head));
    const error = await failure(egress().send(request(origin)));
    expect([error.kind, error.sent]).toEqual(['invalid_response', true]);
  });

  test.each(['099', '600', '999'])('a status %s is an invalid answer', async (status) => {
    const origin = await serve(
      (incoming) => void incoming.socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`),
    );
    expect((await failure(egress().send(request(origin)))).kind).toBe('invalid_response');
  });
});

describe('where requests may go', () => {
  test('F42, PX-17: a certificate that is not trusted ends the call before anything is sent', async () => {
    let requests = 0;
    const file = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/tls', name));
    const server = createTlsServer(
      { key: file('self-signed.key'), cert: file('self-signed.crt') },
      (_request, response) => {
        requests++;
        response.end();
      },
    );
    const origin = await listen(server, 'https');
    const error = await failure(egress().send(request(origin, { headers: [['authorization', 'Bearer secret']] })));
    expect([error.kind, error.sent, requests]).toEqual(['unreachable', false, 0]);
  });

  test('PX-17: plain http is refused unless the deployment names a loopback provider', async () => {
    const origin = await serve((_request, response) => response.end());
    expect(() => egress(false).send(request(origin))).toThrow(/loopback/);
  });

  test('PX-16: a name that resolves to a private address is refused before anything is sent', async () => {
    const error = await failure(egress(false).send(request('https://localhost:9')));
    expect([error.kind, error.sent]).toEqual(['unreachable', false]);
    expect(error.cause).toMatchObject({ code: 'EPRIVATE' });
  });

  test('PX-16: a private address written as a number is refused too', async () => {
    const error = await failure(egress(false).send(request('https://127.0.0.1:9')));
    expect(error.cause).toMatchObject({ code: 'EPRIVATE' });
  });

  test('PX-15: a redirect is an answer like any other', async () => {
    const origin = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://evil.example/' }).end(),
    );
    expect((await egress().send(request(origin))).status).toBe(302);
  });

  test('PX-2: the path goes on the wire as it is', async () => {
    let target: string | undefined;
    const origin = await serve((incoming, response) => {
      target = incoming.url;
      response.end();
    });
    await egress().send(request(origin, { path: '/a/./b/%2e%2e//c;d?x=%20+' }));
    expect(target).toBe('/a/./b/%2e%2e//c;d?x=%20+');
  });
});

async function readAll(body: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  return length;
}
