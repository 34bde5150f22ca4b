import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { RESPONSE_BODY_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { byDoor } from '../../support/door.ts';
import { fastestMs } from '../../support/fastest.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';

const proxy = useProxyGateway({ maxChildrenPerFunction: 4 });

describe('answers as they came', () => {
  test.each([201, 206, 308, 403, 404, 412, 429, 500, 503])('status %i and its body pass unchanged', async (status) => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/plain', 'x-goog-kept': 'yes' }).end(`answer ${status}`);
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc' });
    expect(answer.status).toBe(status);
    expect(answer.body.toString()).toBe(`answer ${status}`);
    expect(answer.header('x-goog-kept')).toBe('yes');
    expect(answer.header('x-gateway-error')).toBeUndefined();
    expect(answer.header('x-request-id')).toBeTruthy();
  });

  test.each([204, 304])('status %i has no body', async (status) => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(status, { etag: '"e1"' }).end();
    });
    const answer = await proxy.send({ path: '/calendar/v3/calendars/primary/events/x' }, 'google-calendar');
    expect([answer.status, answer.body.length, answer.header('etag')]).toEqual([status, 0, '"e1"']);
  });

  test('a header value outside ASCII keeps its bytes', async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'x-goog-name': 'caf\u00e9' }).end(Buffer.from('{}'));
    });
    expect((await proxy.send({ path: '/drive/v3/files/abc' })).header('x-goog-name')).toBe('caf\u00e9');
  });

  test('an answer without a type gets the one the front door adds', async () => {
    proxy.upstream.answer((_request, response) => void response.writeHead(304, { etag: '"e1"' }).end());
    expect((await proxy.send({ path: '/drive/v3/files/abc' })).header('content-type')).toBe('application/json');
  });

  test('PR-9: status 205 has no body, whatever the provider sent', async () => {
    proxy.upstream.answer((_request, response) => void response.writeHead(205, { 'x-goog-kept': 'yes' }).end('reset'));
    const answer = await proxy.send({ path: '/drive/v3/files/abc' });
    expect([answer.status, answer.complete, answer.body.length, answer.header('x-goog-kept')]).toEqual([
      205,
      true,
      0,
      'yes',
    ]);
  });

  test('PR-9: HEAD keeps status and headers, repeats the length in its own header and has no body', async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '12345' }).end();
    });
    const answer = await proxy.send({ method: 'HEAD', path: '/drive/v3/files/abc' });
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
    expect(answer.header('x-upstream-content-length')).toBe('12345');
  });

  test('PR-9: compressed bytes stay compressed', async () => {
    const packed = gzipSync('x'.repeat(50_000));
    proxy.upstream.answer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip', vary: 'accept-encoding' })
        .end(packed);
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
    expect(answer.header('content-encoding')).toBe('gzip');
    expect(answer.body.equals(packed)).toBe(true);
  });

  test('any bytes pass unchanged', async () => {
    const bytes = randomBytes(3_000_000);
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
    expect(answer.complete).toBe(true);
    expect(answer.body.equals(bytes)).toBe(true);
  });

  test('PR-1, PR-2, PR-7, PR-15: only listed fields and Google’s families pass, repeats kept', async () => {
    proxy.upstream.answer((_request, response) => {
      response
        .writeHead(
          401,
          [
            ['Content-Type', 'application/json'],
            ['X-Goog-Hash', 'md5=a'],
            ['X-Goog-Hash', 'crc32c=b'],
            ['X-GUploader-UploadID', 'u'],
            ['Link', '</evil.js>; rel=preload'],
            ['X-Made-Up-Later', 'v'],
            ['Via', '1.1 google'],
            ['Set-Cookie', 'sid=1'],
            ['Content-Security-Policy', 'default-src *'],
            ['Access-Control-Allow-Origin', '*'],
            ['WWW-Authenticate', 'Bearer'],
            ['Connection', 'x-hop'],
            ['X-Hop', 'gone'],
            ['ETag', 'W/"1"'],
          ].flat(),
        )
        .end('{}');
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc' });
    const names = answer.headers.map(([name]) => name.toLowerCase());
    const hashes = answer.headers.filter(([name]) => name.toLowerCase() === 'x-goog-hash');
    expect(hashes.map(([, value]) => value)).toEqual(byDoor(['md5=a', 'crc32c=b'], ['md5=a, crc32c=b']));
    expect(answer.header('x-guploader-uploadid')).toBe('u');
    expect(answer.header('etag')).toBe('W/"1"');
    // API Gateway would give back under names of its own what it takes away.
    const dropped = /^(link|x-made-up-.*|via|set-cookie|access-control-.*|www-authenticate|x-hop|x-amzn-remapped-.*)$/;
    expect(names.filter((name) => dropped.test(name))).toEqual([]);
    expect(answer.header('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  test('PR-3: every proxied answer carries the protective headers', async () => {
    proxy.upstream.answer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'public, max-age=600' })
        .end('<script>1</script>');
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('cross-origin-resource-policy')).toBe('same-origin');
    expect(answer.header('referrer-policy')).toBe('no-referrer');
    expect(answer.header('cache-control')).toBe('no-store');
  });

  test('PR-3, PR-15: a private cache rule of the provider is kept, and the answer varies with who asks', async () => {
    proxy.upstream.answer((_request, response) => {
      const vary = [['vary', 'Origin'] as const, ['vary', 'X-Origin'] as const];
      response.writeHead(200, [['cache-control', 'private, max-age=0, must-revalidate'], ...vary].flat()).end('{}');
    });
    const answer = await proxy.send({ path: '/drive/v3/files' });
    expect(answer.header('cache-control')).toBe('private, max-age=0, must-revalidate');
    expect(answer.header('vary')).toBe('Origin, X-Origin, Authorization, Connection-Id, Provider-Config-Key');
  });

  test('PX-15: a redirect is not followed and its Location is untouched', async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere.example/x' }).end();
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
    expect([answer.status, answer.header('location')]).toEqual([302, 'https://elsewhere.example/x']);
    expect(proxy.upstream.requests).toHaveLength(1);
  });
});

describe('streams', () => {
  test('bytes arrive while the provider is still sending', async () => {
    let finish: (() => void) | undefined;
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('first');
      finish = () => response.end('last');
    });
    const { hostname, port } = new URL(proxy.test.gateway.proxyUrl);
    const body = await new Promise<string>((resolve, reject) => {
      const outgoing = request(
        { hostname, port, path: '/proxy/drive/v3/files/abc', headers: Object.fromEntries(proxy.identity()) },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk) => {
            text += chunk;
            // The provider ends only after the caller has seen the beginning: buffering would wait for ever.
            if (text === 'first') finish?.();
          });
          incoming.on('end', () => resolve(text));
          incoming.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
    expect(body).toBe('firstlast');
  });

  test.each(['content-length', 'chunked'])(
    'F35: a %s body that breaks off is a broken answer, and the next call is fine',
    async (framing) => {
      proxy.upstream.answer((_request, response, incoming) => {
        response.writeHead(200, {
          'content-type': 'application/octet-stream',
          ...(framing === 'content-length' ? { 'content-length': '100000' } : {}),
        });
        response.write(Buffer.alloc(40_000, 1), () => incoming.socket.destroy());
      });
      const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
      expect(answer.complete).toBe(false);
      const before = proxy.test.gateway.children().map(({ pid }) => pid);
      proxy.upstream.answer((_request, response) => {
        response.writeHead(200).end('fine');
      });
      expect((await proxy.send({ path: '/drive/v3/files' })).body.toString()).toBe('fine');
      expect(proxy.test.gateway.children().map(({ pid }) => pid)).toEqual(expect.arrayContaining(before));
    },
  );

  test('F36: a body that ends with its connection passes on, marked as of unverified length', async () => {
    proxy.upstream.answer((_request, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nperhaps all of it');
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
    expect([answer.status, answer.body.toString()]).toEqual([200, 'perhaps all of it']);
    expect(answer.header('x-upstream-length')).toBe('unverified');
    expect(answer.header('x-upstream-content-length')).toBeUndefined();
  });

  test.each([
    ['a length', 'GET', 200, { 'content-length': '2' }],
    ['chunks', 'GET', 200, {}],
    ['no body', 'GET', 204, {}],
    ['only a head', 'HEAD', 200, {}],
  ])('F36: an answer of %s is not marked, whatever the provider says of itself', async (_, method, status, headers) => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(status, { 'x-upstream-length': 'unverified', ...headers });
      response.end(status === 204 || method === 'HEAD' ? undefined : 'ok');
    });
    const answer = await proxy.send({ method, path: '/drive/v3/files/abc' });
    expect([answer.status, answer.complete, answer.header('x-upstream-length')]).toEqual([status, true, undefined]);
  });

  test.each([300_000_000, RESPONSE_BODY_MAX_BYTES + 1])(
    'F39: an answer announced above the limit, with %i bytes, is 502 before any body',
    async (bytes) => {
      proxy.upstream.answer((_request, response, incoming) => {
        response.writeHead(200, { 'content-length': String(bytes) });
        response.flushHeaders();
        incoming.socket.on('close', () => response.destroy());
      });
      const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
      expect([answer.status, answer.header('x-gateway-error')]).toEqual([502, 'upstream_invalid_response']);
      expect(JSON.stringify(answer.json())).toContain('Range');
    },
  );

  test('F39: an answer of the limit itself passes, with room for its head below the 200 MB of the platform', async () => {
    expect(RESPONSE_BODY_MAX_BYTES).toBeLessThanOrEqual(200_000_000 - 100_000);
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-length': String(RESPONSE_BODY_MAX_BYTES) });
      response.write('a', () => response.destroy());
    });
    const answer = await proxy.send({ path: '/drive/v3/files/abc?alt=media' });
    expect([answer.status, answer.header('x-upstream-content-length')]).toEqual([200, String(RESPONSE_BODY_MAX_BYTES)]);
  });

  test('F67: a caller who leaves in mid-answer leaves nothing behind', async () => {
    let closed: () => void = () => {};
    const upstreamDone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      let left = 400;
      const push = () => {
        while (left > 0) {
          left--;
          if (!response.write(Buffer.alloc(64 * 1024))) {
            response.once('drain', push);
            return;
          }
        }
        response.end();
      };
      response.on('close', closed);
      push();
    });
    const { hostname, port } = new URL(proxy.test.gateway.proxyUrl);
    await new Promise<void>((resolve) => {
      const outgoing = request(
        { hostname, port, path: '/proxy/drive/v3/files/abc', headers: Object.fromEntries(proxy.identity()) },
        (incoming) => incoming.once('data', () => outgoing.destroy()),
      );
      outgoing.on('error', () => {});
      outgoing.on('close', () => resolve());
      outgoing.end();
    });
    await upstreamDone;
    proxy.upstream.answer((_request, response) => {
      response.writeHead(200).end('clean');
    });
    const next = await proxy.send({ path: '/drive/v3/files' });
    expect([next.status, next.body.toString()]).toEqual([200, 'clean']);
  });
});

describe('slow readers', () => {
  /** More than the processes that may be at work. */
  const DOWNLOADS = 6;

  test('DS-8: with more downloads that nobody reads than processes at work, a call of another integration is answered within a second', async () => {
    // Endless, as fast as it is taken.
    proxy.upstream.answer(({ target }, response) => {
      if (!target.startsWith('/drive')) return void response.end('{}');
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    const { hostname, port } = new URL(proxy.test.gateway.proxyUrl);
    const downloads = Array.from({ length: DOWNLOADS }, (_, i) =>
      request({
        hostname,
        port,
        path: `/proxy/drive/v3/files/${i}?alt=media`,
        headers: Object.fromEntries(proxy.identity()),
        agent: false,
      }).end(),
    );
    try {
      const answers = await Promise.all(
        downloads.map(async (download): Promise<IncomingMessage> => (await once(download, 'response'))[0]),
      );
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(DOWNLOADS).fill(200));
      // Meanwhile the pool has made room: the call meets a process that is idle.
      const idle = () => expect.poll(() => proxy.test.gateway.children().filter(isIdleProxy).length).toBeGreaterThan(0);
      const took = await fastestMs(1_000, idle, async () => {
        const answer = await proxy.send({ path: '/calendar/v3/users/me/calendarList' }, 'google-calendar');
        expect(answer.status).toBe(200);
      });
      expect(took).toBeLessThan(1_000);
    } finally {
      for (const download of downloads) download.on('error', () => {}).destroy();
    }
  });

  const isIdleProxy = ({ functionName, state }: { functionName: string; state: string }) =>
    functionName === 'proxy' && state === 'idle';
});
