import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { UPSTREAM_CONNECT_TIMEOUT_MS } from '../../../../lambdas/gateway/core/limits.ts';
import { bytesOf, egress, listening, serve, upstreamError, upstreamRequest } from '../../support/upstream.ts';

/** Lets deadlines pass only when the test says so, however busy the machine is. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('deadlines', () => {
  test('F33: silence before the head ends at the first-byte deadline, as sent', async () => {
    const origin = await serve(() => {});
    const error = await upstreamError(egress().send(upstreamRequest(origin, { firstByteTimeoutMs: 50 })));
    expect([error.kind, error.sent]).toEqual(['timeout', true]);
  });

  test('F33: a head that takes longer than a connection may is waited for until its own deadline', async () => {
    holdTime();
    const asked = Promise.withResolvers<void>();
    const origin = await serve(() => asked.resolve());
    const ended = { yet: false };
    const sending = egress().send(upstreamRequest(origin, { firstByteTimeoutMs: 8_000, totalTimeoutMs: 60_000 }));
    const failure = upstreamError(sending).finally(() => {
      ended.yet = true;
    });
    await asked.promise;
    vi.advanceTimersByTime(UPSTREAM_CONNECT_TIMEOUT_MS + 1_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended.yet).toBe(false);
    vi.advanceTimersByTime(8_000);
    expect((await failure).kind).toBe('timeout');
  });

  test('F34: a body that falls silent is cut at the idle deadline', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200);
      response.write('begin');
    });
    const response = await egress().send(upstreamRequest(origin, { idleTimeoutMs: 50 }));
    await expect(bytesOf(response.body)).rejects.toThrow('stopped in the middle');
  });

  test('F34: each pause of a body is judged by itself, however many there were before', async () => {
    holdTime();
    const opened = Promise.withResolvers<ServerResponse>();
    const origin = await serve((_request, response) => {
      response.flushHeaders();
      opened.resolve(response);
    });
    const response = await egress().send(upstreamRequest(origin, { idleTimeoutMs: 100, totalTimeoutMs: 60_000 }));
    const provider = await opened.promise;
    const body = response.body[Symbol.asyncIterator]();
    for (const text of ['a', 'b', 'c']) {
      const next = body.next();
      vi.advanceTimersByTime(60);
      provider.write(text);
      expect(String((await next).value)).toBe(text);
    }
    const cut = expect(body.next()).rejects.toThrow('stopped in the middle');
    vi.advanceTimersByTime(100);
    await cut;
  });

  test('F34, DS-5: a body that drips for ever is cut at the total deadline', async () => {
    holdTime();
    const origin = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const response = await egress().send(upstreamRequest(origin, { totalTimeoutMs: 150 }));
    const cut = expect(bytesOf(response.body)).rejects.toThrow();
    vi.advanceTimersByTime(150);
    await cut;
  });

  test('a slow reader does not trip the idle deadline', async () => {
    holdTime();
    const opened = Promise.withResolvers<ServerResponse>();
    const origin = await serve((_request, response) => {
      response.flushHeaders();
      opened.resolve(response);
    });
    const response = await egress().send(upstreamRequest(origin, { idleTimeoutMs: 100 }));
    const provider = await opened.promise;
    // The reader waits by then.
    setImmediate(() => provider.write('a'));
    let text = '';
    for await (const chunk of response.body) {
      text += String(chunk);
      vi.advanceTimersByTime(250);
      if (text === 'a') provider.end('b');
    }
    expect(text).toBe('ab');
  });
});

describe('what is known of a failure', () => {
  test('F37: a break on a kept connection is distinguished from a break on a new one', async () => {
    let calls = 0;
    const origin = await serve((incoming, response) => {
      calls++;
      if (calls === 2) response.end('ok');
      else incoming.socket.destroy();
    });
    const out = egress();
    const send = () => out.send(upstreamRequest(origin));
    expect(await upstreamError(send())).toMatchObject({ reusedConnection: false, sent: true });
    await bytesOf((await send()).body);
    expect(await upstreamError(send())).toMatchObject({ reusedConnection: true, sent: true });
  });

  test('PR-13: a switch of protocols nobody asked for is an invalid answer, at once', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const origin = await serve((incoming) => void incoming.socket.write(head));
    const error = await upstreamError(egress().send(upstreamRequest(origin)));
    expect([error.kind, error.sent]).toEqual(['invalid_response', true]);
  });

  test.each(['HTTP/1.1 099', 'HTTP/1.1 600', 'HTTP/1.1 999', 'nonsense'])('%s is an invalid answer', async (start) => {
    const origin = await serve((incoming) => void incoming.socket.end(`${start} Odd\r\nContent-Length: 0\r\n\r\n`));
    expect((await upstreamError(egress().send(upstreamRequest(origin)))).kind).toBe('invalid_response');
  });
});

describe('where requests may go', () => {
  test('F42, PX-17: a certificate that is not trusted ends the call before anything is sent', async () => {
    let requests = 0;
    const file = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/tls', name));
    const server = createTlsServer({ key: file('self-signed.key'), cert: file('self-signed.crt') }, (_, response) => {
      requests++;
      response.end();
    });
    const origin = await listening(server, 'https');
    const request = upstreamRequest(origin, { headers: [['authorization', 'Bearer secret']] });
    const error = await upstreamError(egress().send(request));
    expect([error.kind, error.sent, requests]).toEqual(['unreachable', false, 0]);
  });

  test('PX-17: plain http is refused unless the deployment names a loopback provider', async () => {
    const origin = await serve((_request, response) => response.end());
    expect(() => egress(false).send(upstreamRequest(origin))).toThrow(/loopback/);
  });

  test.each([
    ['a name that resolves to a private address', 'https://localhost:9'],
    ['a private address written as a number', 'https://127.0.0.1:9'],
  ])('PX-16: %s is refused before anything is sent', async (_, origin) => {
    const error = await upstreamError(egress(false).send(upstreamRequest(origin)));
    expect(error).toMatchObject({ kind: 'unreachable', sent: false, cause: { code: 'EPRIVATE' } });
  });

  test('PX-15: a redirect is an answer like any other', async () => {
    const elsewhere = { location: 'http://evil.example/' };
    const origin = await serve((_request, response) => response.writeHead(302, elsewhere).end());
    expect((await egress().send(upstreamRequest(origin))).status).toBe(302);
  });

  test('PX-2: the path is sent as it is', async () => {
    let target: string | undefined;
    const origin = await serve((incoming, response) => {
      target = incoming.url;
      response.end();
    });
    await egress().send(upstreamRequest(origin, { path: '/a/./b/%2e%2e//c;d?x=%20+' }));
    expect(target).toBe('/a/./b/%2e%2e//c;d?x=%20+');
  });
});
