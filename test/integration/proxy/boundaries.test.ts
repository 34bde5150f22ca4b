import { describe, expect, test } from 'vitest';
import { byDoor } from '../../support/door.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { rawBytes } from '../../support/raw-http.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { changeConnection } from '../../support/table.ts';
import { useProxyGateway, useTestGateway } from '../../support/use-gateway.ts';
import { keyWith } from '../api/keys.ts';

const proxy = useProxyGateway();

/** Bytes on a socket; what came back by the time it matches or the gateway closes. */
const sendBytes = (text: string, until: RegExp) => rawBytes(proxy.test.gateway.proxyUrl, text, { until });

function fine(): void {
  proxy.upstream.answer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
}

describe('requests on the wire', () => {
  const head = (framing: string) =>
    [
      'POST /proxy/drive/v3/files HTTP/1.1',
      'Host: 127.0.0.1',
      ...proxy.identity().map(([name, value]) => `${name}: ${value}`),
      framing,
      '',
      '',
    ].join('\r\n');

  test.each([
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    'Content-Length: 4\r\nContent-Length: 40',
    'Content-Length: +4',
    'Transfer-Encoding: chunked, identity',
  ])('PX-14: %j is refused and nothing goes up', async (framing) => {
    fine();
    const answer = await sendBytes(`${head(framing)}abcdGET /proxy/drive/v3/about HTTP/1.1\r\n\r\n`, /^HTTP/);
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(proxy.upstream.requests).toHaveLength(0);
  });

  test('PX-14: bytes behind the announced length never become another upstream request', async () => {
    fine();
    const bytes = `${head('Content-Length: 4')}abcdGET /drive/v3/about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const answer = await sendBytes(bytes, /HTTP\/1\.1 200.*HTTP\/1\.1 40/s);
    // What comes behind is a call of its own, to another function or without a key.
    expect(answer).toMatch(byDoor(/HTTP\/1\.1 404/, /HTTP\/1\.1 401/));
    expect(proxy.upstream.requests.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST abcd']);
  });
});

describe('answers on the wire', () => {
  test('PR-8: a provider cannot mark its answer as the gateway’s', async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeHead(404, { 'x-gateway-error': 'unknown_connection', 'x-request-id': 'forged' }).end('{}');
    });
    const answer = await proxy.send({ path: '/drive/v3/files/x' });
    expect([answer.status, answer.header('x-gateway-error')]).toEqual([404, undefined]);
    expect(answer.header('x-request-id')).not.toBe('forged');
  });

  test('PR-12: an answer with two lengths is a 502', async () => {
    proxy.upstream.answer((_request, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nabcde');
    });
    const answer = await proxy.send({ path: '/drive/v3/files/x' });
    expect([answer.status, answer.header('x-gateway-error')]).toEqual([502, 'upstream_invalid_response']);
  });

  test('PR-13: interim answers and trailers stop here and disturb nothing', async () => {
    proxy.upstream.answer((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-checksum' });
      response.write('body');
      response.addTrailers({ 'x-checksum': 'abc' });
      response.end();
    });
    const answer = await proxy.send({ path: '/drive/v3/files/x' });
    expect([answer.status, answer.body.toString(), answer.complete]).toEqual([200, 'body', true]);
    expect(answer.header('trailer')).toBeUndefined();
    expect(answer.header('x-checksum')).toBeUndefined();
    fine();
    expect((await proxy.send({ path: '/drive/v3/files' })).body.toString()).toBe('{}');
  });

  test('PR-14: an error of the provider that repeats the token reaches the caller as body and no log', async () => {
    let token = '';
    proxy.upstream.answer((request, response) => {
      token = request.headerValues('authorization')[0]?.slice('Bearer '.length) ?? '';
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`bad token ${token}`);
    });
    const answer = await proxy.send({ path: '/drive/v3/files/x' });
    expect(token.length).toBeGreaterThan(20);
    expect(answer.body.toString()).toContain(token);
    const logged = proxy.test.gateway.logs().map((line) => JSON.stringify(line));
    expect(logged.join('\n')).not.toContain(token.slice(0, 24));
  });
});

describe('keys', () => {
  const call = (secretKey: string, integrationId: string) => {
    const path = integrationId === 'google-drive' ? '/drive/v3/files' : '/calendar/v3/users/me/calendarList';
    return proxy.test.proxy(integrationId, path, { headers: { authorization: `Bearer ${secretKey}` } });
  };

  test('PX-21: a key that is limited to one integration reaches no other', async () => {
    fine();
    const limited = await keyWith(proxy.test, { right: 'proxy', integration_ids: ['google-drive'] });
    expect((await call(limited, 'google-drive')).status).toBe(200);
    const refused = await call(limited, 'google-calendar');
    expect([refused.status, refused.headers.get('x-gateway-error')]).toEqual([403, 'forbidden']);
    expect(proxy.upstream.requests).toHaveLength(1);
  });

  test('AK-4: two keys of an account work side by side', async () => {
    fine();
    const second = await keyWith(proxy.test, { right: 'proxy' });
    const statuses = await Promise.all([
      call(second, 'google-drive'),
      call(proxy.test.gateway.secretKey, 'google-drive'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('where credentials travel', () => {
  const apart = useTestGateway({ simulator: { separateOrigins: true } });

  test('TK-10, TK-11: access tokens reach the API alone, in one header; refresh tokens and secrets the token endpoint alone', async () => {
    const expired = { accessTokenExpiresAtEpochSec: 1 };
    await changeConnection(apart, 'google-drive', apart.connectionId('google-drive'), expired);
    await forgetRequests(apart);
    expect((await apart.proxy('google-drive', '/drive/v3/files?pageSize=1')).status).toBe(200);
    await control(apart, 'POST', '/tokens/expire', { kind: 'access' });
    await changeConnection(apart, 'google-drive', apart.connectionId('google-drive'), { lastRefreshedAtEpochSec: 1 });
    expect((await apart.proxy('google-drive', '/drive/v3/files?pageSize=1')).status).toBe(200);
    const seen = await requests(apart);
    const byOrigin = (origin: string) => seen.filter((request) => request.origin === origin);
    expect(byOrigin('token').length).toBeGreaterThanOrEqual(2);
    expect(byOrigin('api').length).toBeGreaterThanOrEqual(2);
    const bearer = ({ headers }: (typeof seen)[number]) =>
      headers.filter(([name]) => name.toLowerCase() === 'authorization');
    for (const request of byOrigin('token')) {
      expect(bearer(request)).toEqual([]);
      expect(request.target).toBe('/token');
    }
    for (const request of byOrigin('api')) {
      expect(bearer(request)).toHaveLength(1);
      expect(request.target).not.toContain('token');
      expect(request.bodyLength).toBe(0);
    }
  });
});

describe('without the provider', () => {
  test('F38: a POST that cannot be sent says that nothing was applied', async () => {
    // Nobody listens on this port. A port that was free a moment ago may be that of another server of this run.
    await using gateway = await startTestGateway({
      environmentOverrides: { GOOGLE_API_BASE_URL: 'http://127.0.0.1:1' },
    });
    const answer = await gateway.proxy('google-drive', '/drive/v3/files', { method: 'POST', body: '{}' });
    expect(answer.headers.get('x-gateway-error')).toBe('upstream_unreachable');
    expect(await answer.json()).toMatchObject({
      error: { status: 502, applied: 'no', message: expect.stringContaining('not sent') },
    });
  });
});

describe('without the key service', () => {
  test('CR-6: a cold process answers 503 and stores nothing in clear; it works again when KMS does', async () => {
    await using gateway = await startTestGateway({ seed: true });
    gateway.gateway.switches.kms.disabled = true;
    try {
      const cold = await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1');
      expect([cold.status, cold.headers.get('x-gateway-error')]).toEqual([503, 'service_unavailable']);
    } finally {
      gateway.gateway.switches.kms.disabled = false;
    }
    expect((await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1')).status).toBe(200);
  });
});
