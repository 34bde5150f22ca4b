import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEnvelope } from '../../../lambdas/gateway/openapi/answer-parts.ts';
import { byDoor, testDoor } from '../../support/door.ts';
import { type ProxyGateway, startProxyGateway } from '../../support/proxy-gateway.ts';
import { type RawAnswer, rawRequest } from '../../support/raw-http.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';

let proxy: ProxyGateway;
/** Where the APIs are that have a host of their own. */
let elsewhere: ScriptedUpstream;
beforeAll(async () => {
  elsewhere = await startScriptedUpstream();
  const { origin } = elsewhere;
  proxy = await startProxyGateway({
    environmentOverrides: { GOOGLE_DRIVE_ACTIVITY_BASE_URL: origin, GOOGLE_CALDAV_BASE_URL: origin },
  });
});
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await elsewhere?.[Symbol.asyncDispose]();
});

/** Nothing has been asked for so far; what is gets an answer. */
function ok(): void {
  proxy.upstream.answer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  elsewhere.answer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', dav: '1, calendar-access' }).end('{"there":true}');
  });
}

/** Refused, and nothing has reached the provider. */
function expectRefusal(answer: RawAnswer, status: number, code: string | undefined): void {
  expect([answer.status, answer.header('x-gateway-error')]).toEqual([status, code]);
  expect([...elsewhere.requests, ...proxy.upstream.requests]).toEqual([]);
}

const last = () => {
  const request = proxy.upstream.requests.at(-1);
  if (request === undefined) throw new Error('Nothing reached the provider');
  return request;
};

describe('path and query', () => {
  test.each([
    '/drive/v3/files/a%2Fb%C3%A9%25',
    '/drive/v3/files/x+y%20z;b=c',
    '/drive/v3/files/abc/approvals/1:start',
    '/drive/v3/files//abc/',
    "/drive/v3/files/it's(ok)!*",
  ])('PX-4: %s arrives byte for byte', async (path) => {
    ok();
    expect((await proxy.send({ path })).status).toBe(200);
    expect(last().target).toBe(path);
  });

  test('PX-4: a calendar id with @ and an encoded # arrives byte for byte', async () => {
    ok();
    const path = '/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events';
    expect((await proxy.send({ path }, 'google-calendar')).status).toBe(200);
    expect(last().target).toBe(path);
  });

  test('PX-4: query keys and values keep their meaning, and the order inside one key', async () => {
    ok();
    await proxy.send({
      path: "/drive/v3/files?q=name%20contains%20'a%26b'&fields=files(id)&x=1&y=&x=2%2B2&x=a+b&e=%C3%A9",
    });
    const sent = new URLSearchParams(last().target.split('?')[1]);
    expect(sent.get('q')).toBe("name contains 'a&b'");
    expect(sent.get('fields')).toBe('files(id)');
    expect(sent.getAll('x')).toEqual(['1', '2+2', 'a b']);
    expect(sent.get('y')).toBe('');
    expect(sent.get('e')).toBe('é');
  });

  test.each([
    'access_token=x',
    'oauth_token=x',
    'key=x',
    'callback=x',
    '%24ct=text/plain',
    '$CT=text/plain',
    '%24req=x',
  ])('PX-23, PX-25: ?%s is refused', async (query) => {
    ok();
    expectRefusal(await proxy.send({ path: `/drive/v3/files?${query}` }), 400, 'invalid_query_params');
  });

  test.each([
    '//evil.example/drive/v3/files',
    '/\\evil.example/drive/v3/files',
    '/:443@evil.example/',
    '/https://evil.example/drive/v3/files',
    '/drive/v3/../../admin',
    '/drive/v3/%2e%2e/%2e%2e/admin',
    '/drive/v3/%252e%252e/admin',
    '/drive/v3/files/%0d%0aHost:%20evil',
    '/drive/v3/files/%c0%ae%c0%ae/',
    '/drive/v3/files/%zz',
    '/gmail/v1/users/me/messages',
    '/drive/v2/files',
  ])('PX-3: %s is refused before any call', async (path) => {
    ok();
    const answer = await proxy.send({ path });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(proxy.upstream.requests).toHaveLength(0);
  });

  test('PX-3: an absolute-form target is treated as its path, and reaches only the provider', async () => {
    ok();
    const answer = await rawRequest(proxy.test.gateway.proxyUrl, {
      path: 'http://evil.example/proxy/drive/v3/files',
      headers: proxy.identity(),
    });
    expect(answer.status).toBe(200);
    expect(last().headerValues('host')).toEqual([new URL(proxy.upstream.origin).host]);
  });
});

describe('bodies', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'PX-18: a %s body arrives byte for byte with its type',
    async (method) => {
      ok();
      const body = randomBytes(300_000);
      await proxy.send({
        method,
        path: '/drive/v3/files/abc',
        headers: [['Content-Type', 'application/x-odd; p=1']],
        body,
      });
      expect(last().method).toBe(method);
      expect(last().body.equals(body)).toBe(true);
      expect(last().headerValues('content-type')).toEqual(['application/x-odd; p=1']);
      expect(last().headerValues('content-length')).toEqual(['300000']);
    },
  );

  test('PX-18: JSON is not parsed: big numbers, spacing and duplicate keys survive', async () => {
    ok();
    const body = '{ "n": 12345678901234567890,  "n":1e400, "x":"\\u0041" }';
    await proxy.send({
      method: 'POST',
      path: '/drive/v3/files',
      headers: [['Content-Type', 'application/json']],
      body,
    });
    expect(last().body.toString()).toBe(body);
  });

  test('an empty POST arrives with length 0', async () => {
    ok();
    await proxy.send({ method: 'POST', path: '/drive/v3/files/abc/copy', headers: [['Content-Length', '0']] });
    expect(last().headerValues('content-length')).toEqual(['0']);
  });

  test('DS-1: a body over the limit gets 413 that names the limit and the way round it', async () => {
    ok();
    const answer = await proxy.send({
      method: 'POST',
      path: '/upload/drive/v3/files',
      headers: [['Content-Type', 'application/octet-stream']],
      body: Buffer.alloc(4_500_001),
    });
    expectRefusal(answer, 413, 'request_too_large');
    expect(JSON.stringify(answer.json())).toContain('resumable');
  });

  test.each([5_000_000, 11_000_000])(
    'DS-1: a body of %i bytes is refused by the front door, in words that no gateway of ours can change',
    async (size) => {
      ok();
      const answer = await proxy.send({ method: 'POST', path: '/upload/drive/v3/files', body: Buffer.alloc(size) });
      expectRefusal(answer, 413, undefined);
      const message = 'Request must be smaller than 6291556 bytes for the InvokeFunction operation';
      expect(answer.json()).toEqual(byDoor<unknown>({ message: 'Request Too Long' }, { Message: message }));
      expect(answer.header('x-amzn-requestid')).toBeTruthy();
    },
  );

  test('DS-1: a body at the limit passes', async () => {
    ok();
    const answer = await proxy.send({ method: 'POST', path: '/drive/v3/files', body: Buffer.alloc(4_500_000, 1) });
    expect(answer.status).toBe(200);
    expect(last().body.length).toBe(4_500_000);
  });
});

describe('methods', () => {
  test.each(['OPTIONS', 'TRACE', 'PROPFIND'])('PX-13: %s is refused', async (method) => {
    ok();
    const answer = await proxy.send({ method, path: '/drive/v3/files' });
    // A function URL refuses by itself what it does not carry.
    if (method !== 'OPTIONS' && testDoor() === 'function-url') return expectRefusal(answer, 405, undefined);
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(errorEnvelope().parse(answer.json()).error.request_id).toBe(answer.header('x-request-id'));
  });

  // googleapiclient.http.HttpRequest.execute: above 2,048 characters the query becomes a form.
  const query = new URLSearchParams({ q: "name contains 'x' or ".repeat(120), pageSize: '3', alt: 'json' }).toString();

  test.each(['X-HTTP-Method-Override', 'Nango-Proxy-X-HTTP-Method-Override'])(
    'PX-13: a long read sent as a form goes up as POST with the override, no matter who acted on %s before',
    async (name) => {
      ok();
      const answer = await proxy.send({
        method: 'POST',
        path: '/drive/v3/files',
        headers: [
          [name, 'GET'],
          ['content-type', 'application/x-www-form-urlencoded'],
        ],
        body: query,
      });
      expect(answer.status).toBe(200);
      expect(last().method).toBe('POST');
      expect(last().headerValues('x-http-method-override')).toEqual(['GET']);
      expect(last().headerValues('content-type')).toEqual(['application/x-www-form-urlencoded']);
      expect(last().body.toString()).toBe(query);
    },
  );

  test('PX-13: any other override is the method it names where API Gateway acts on it, and refused where nobody does', async () => {
    ok();
    const as = (override: string) =>
      proxy.send({ method: 'POST', path: '/drive/v3/files/x', headers: [['X-HTTP-Method-Override', override]] });
    if (testDoor() === 'function-url') return expectRefusal(await as('delete'), 400, 'invalid_headers');
    expect((await as('delete')).status).toBe(200);
    expect([last().method, last().headerValues('x-http-method-override')]).toEqual(['DELETE', []]);
    expect([(await as('TRACE')).status, (await as('OPTIONS')).status]).toEqual([405, 405]);
    expect(proxy.upstream.requests).toHaveLength(1);
  });

  test('PX-13: an override that reaches the gateway itself is refused unless it is GET on POST', async () => {
    ok();
    const headers: [string, string][] = [['Nango-Proxy-X-HTTP-Method-Override', 'DELETE']];
    expectRefusal(await proxy.send({ method: 'POST', path: '/drive/v3/files', headers }), 400, 'invalid_headers');
  });
});

describe('headers', () => {
  test("PX-5, PX-6, PX-7, PX-8, PX-9: hop-by-hop, gateway, cookie, forwarding and platform headers stay here; the caller's go up", async () => {
    ok();
    await proxy.send({
      path: '/drive/v3/files',
      headers: [
        ['Accept', 'application/json'],
        ['If-None-Match', '"abc"'],
        ['Range', 'bytes=0-9'],
        ['X-Goog-Api-Client', 'gl-node/24'],
        ['X-Two', 'a'],
        ['X-Two', 'b'],
        ['Nango-Proxy-X-Extra', 'from prefix'],
        ['X-Extra', 'plain'],
        ['Nango-Proxy-Accept-Language', 'de'],
        ['Connection', 'close, x-secret-hop, authorization'],
        ['X-Secret-Hop', 'drop me'],
        ['Cookie', 'session=1'],
        ['X-Forwarded-For', '203.0.113.7'],
        ['X-Amz-Date', 'x'],
        ['X_Underscore', 'x'],
        ['Retries', '0'],
        ['Decompress', 'true'],
        ['Base-Url-Override', ''],
        ['Nango-Activity-Log-Id', '7'],
        ['Proxy-Authorization', 'Basic x'],
      ],
    });
    const sent = last();
    expect(sent.headerValues('accept')).toEqual(['application/json']);
    expect(sent.headerValues('if-none-match')).toEqual(['"abc"']);
    expect(sent.headerValues('range')).toEqual(['bytes=0-9']);
    expect(sent.headerValues('x-two')).toEqual(byDoor(['a', 'b'], ['a,b']));
    expect(sent.headerValues('x-extra')).toEqual(['from prefix']);
    expect(sent.headerValues('accept-language')).toEqual(['de']);
    expect(sent.headerValues('authorization')).toHaveLength(1);
    expect(sent.headerValues('via')).toEqual(['1.1 integration-gateway']);
    // API Gateway takes `Connection` away: nobody can tell that it named this one.
    expect(sent.headerValues('x-secret-hop')).toEqual(['drop me']);
    const names = sent.headers.map(([name]) => name.toLowerCase());
    const ours =
      /^(cookie|x-forwarded-.*|x-amz.*|x_.*|retries|decompress|base-url-.*|nango-.*|proxy-.*|.*-config-key|connection-id)$/;
    expect(names.filter((name) => ours.test(name))).toEqual([]);
    expect(JSON.stringify(sent)).not.toContain(proxy.test.gateway.secretKey);
  });

  test('PX-9, PX-10: repeated or missing identity headers are named all at once', async () => {
    ok();
    const answer = await rawRequest(proxy.test.gateway.proxyUrl, {
      path: '/proxy/drive/v3/files',
      headers: [
        ['Authorization', `Bearer ${proxy.test.gateway.secretKey}`],
        ['Connection-Id', 'a'],
        ['Connection-Id', 'b'],
        ['Retries', 'many'],
      ],
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.json())).toMatch(/Provider-Config-Key.*Connection-Id.*Retries/s);
    expect(proxy.upstream.requests).toHaveLength(0);
  });

  test('PX-12: a request that has passed here before is refused as a loop', async () => {
    ok();
    const answer = await proxy.send({ path: '/drive/v3/files', headers: [['Via', '1.1 integration-gateway']] });
    expect(answer.header('x-gateway-error')).toBe('invalid_headers');
  });

  test('PX-1: Base-Url-Override to another host is refused', async () => {
    ok();
    const headers: [string, string][] = [['Base-Url-Override', 'https://evil.example']];
    expectRefusal(await proxy.send({ path: '/drive/v3/files', headers }), 400, 'invalid_headers');
  });
});

describe('APIs on hosts of their own', () => {
  test.each([
    ['google-drive', 'POST', '/v2/activity:query', '{"itemName":"items/x"}'],
    ['google-calendar', 'GET', '/caldav/v2/user%40example.com/events/1.ics', undefined],
    ['google-calendar', 'PUT', '/caldav/v2/user%40example.com/events/1.ics', 'BEGIN:VCALENDAR'],
    ['google-calendar', 'DELETE', '/caldav/v2/user%40example.com/events/1.ics', undefined],
    ['google-calendar', 'OPTIONS', '/caldav/v2/user%40example.com/events', undefined],
  ])(
    'TK-10: %s: %s %s goes to its own host, with the token, and to no other',
    async (integration, method, path, body) => {
      ok();
      const answer = await proxy.send({ method, path, ...(body === undefined ? {} : { body }) }, integration);
      expect([answer.status, answer.body.toString(), answer.header('dav')]).toEqual([
        200,
        '{"there":true}',
        '1, calendar-access',
      ]);
      expect(elsewhere.requests).toMatchObject([{ method, target: path }]);
      const [request] = elsewhere.requests;
      expect(request?.body.toString()).toBe(body ?? '');
      expect(request?.headerValues('host')).toEqual([new URL(elsewhere.origin).host]);
      expect(request?.headerValues('authorization')).toHaveLength(1);
      expect(proxy.upstream.requests).toEqual([]);
    },
  );

  test('TK-10: a path of the other integration, and one alongside the method, is refused before any call', async () => {
    ok();
    const refused = await Promise.all([
      proxy.send({ method: 'POST', path: '/v2/activity:query' }, 'google-calendar'),
      proxy.send({ path: '/caldav/v2/x' }, 'google-drive'),
      proxy.send({ path: '/v2/activity:query/../../drive/v3/files' }, 'google-drive'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 400]);
    expect([...elsewhere.requests, ...proxy.upstream.requests]).toEqual([]);
  });

  test('PX-1: Base-Url-Override may name the host a path belongs to, and no other of the provider’s', async () => {
    ok();
    const as = (path: string, origin: string) =>
      proxy.send({ method: 'POST', path, headers: [['Base-Url-Override', origin]] });
    expect((await as('/v2/activity:query', elsewhere.origin)).status).toBe(200);
    const wrong = [
      await as('/v2/activity:query', proxy.upstream.origin),
      await as('/drive/v3/files', elsewhere.origin),
    ];
    expect(wrong.map((answer) => [answer.status, answer.header('x-gateway-error')])).toEqual([
      [400, 'invalid_headers'],
      [400, 'invalid_headers'],
    ]);
    expect([elsewhere.requests.length, proxy.upstream.requests.length]).toEqual([1, 0]);
  });

  test.each(['PROPFIND', 'REPORT', 'MKCALENDAR'])(
    'CalDAV’s %s is refused with a sentence that says why',
    async (method) => {
      ok();
      const answer = await proxy.send({ method, path: '/caldav/v2/user%40example.com/events' }, 'google-calendar');
      if (testDoor() === 'function-url') return expectRefusal(answer, 405, undefined);
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.body.toString()).toMatch(/API Gateway carries .* PROPFIND, REPORT and MKCALENDAR/);
    },
  );
});

describe('Google’s system parameters in headers', () => {
  test.each(['X-Goog-Api-Key', 'Nango-Proxy-X-Goog-Api-Key'])(
    'PX-25: %s, an identity in addition to the connection’s, is refused by name',
    async (name) => {
      ok();
      const answer = await proxy.send({ path: '/drive/v3/files', headers: [[name, 'AIza-canary']] });
      expectRefusal(answer, 400, 'invalid_headers');
      expect(errorEnvelope().parse(answer.json()).error.errors).toMatchObject([
        { path: `headers.${byDoor(name, name.toLowerCase())}` },
      ]);
      expect(answer.body.toString()).not.toContain('canary');
    },
  );

  test('PX-25: X-Goog-User-Project, the project whose quota counts, goes up', async () => {
    ok();
    await proxy.send({ path: '/drive/v3/files', headers: [['X-Goog-User-Project', 'my-project']] });
    expect(last().headerValues('x-goog-user-project')).toEqual(['my-project']);
  });

  test('PX-25: a form that stands for a query is refused when packed, and judged by its keys', async () => {
    ok();
    const sendForm = (body: string, more: [string, string][] = []) =>
      proxy.send({
        method: 'POST',
        path: '/drive/v3/files',
        headers: [['X-HTTP-Method-Override', 'GET'], ['Content-Type', 'application/x-www-form-urlencoded'], ...more],
        body,
      });
    expectRefusal(await sendForm('key=AIza', [['Content-Encoding', 'gzip']]), 400, 'invalid_headers');
    expectRefusal(await sendForm('q=a&%24%63t=text/plain'), 400, 'invalid_query_params');
  });
});

describe('callers', () => {
  const call = (headers: [string, string][]) =>
    rawRequest(proxy.test.gateway.proxyUrl, { path: '/proxy/drive/v3/files', headers });

  test('AK-3: every kind of wrong key gets the same answer, and nothing goes upstream', async () => {
    ok();
    const bodies = new Set<string>();
    for (const key of ['nonsense', 'sk_default_short', `sk_default_${'a'.repeat(43)}`, `sk_other_${'a'.repeat(43)}`]) {
      const answer = await call([
        ['Authorization', `Bearer ${key}`],
        ['Provider-Config-Key', 'google-drive'],
        ['Connection-Id', 'x'],
      ]);
      expect(answer.status).toBe(401);
      bodies.add(answer.body.toString().replace(/"request_id":"[^"]*"/, ''));
    }
    expect(bodies.size).toBe(1);
    expect(proxy.upstream.requests).toHaveLength(0);
  });

  test('PX-20: unknown integration and unknown connection get their 404', async () => {
    const auth: [string, string] = ['Authorization', `Bearer ${proxy.test.gateway.secretKey}`];
    const one = await call([auth, ['Provider-Config-Key', 'nope'], ['Connection-Id', 'x']]);
    expect([one.status, one.header('x-gateway-error')]).toEqual([404, 'unknown_integration']);
    const two = await call([auth, ['Provider-Config-Key', 'google-drive'], ['Connection-Id', 'x']]);
    expect([two.status, two.header('x-gateway-error')]).toEqual([404, 'unknown_connection']);
  });

  test('PR-5: a browser navigation to /proxy gets nothing', async () => {
    ok();
    const answer = await rawRequest(proxy.test.gateway.proxyUrl, {
      path: '/proxy/drive/v3/files',
      headers: [
        ['Cookie', 'a=b'],
        ['Sec-Fetch-Mode', 'navigate'],
        ['Accept', 'text/html'],
      ],
    });
    expectRefusal(answer, 401, 'missing_auth_header');
  });
});
