import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewriteBatchRequest } from '../../../lambdas/gateway/proxying/batch.rules.ts';
import { elapsedMs, refusalOf } from '../support/connection.ts';
import { googleCalendar } from '../support/google.ts';
import { API_ORIGIN, BASE_URL, batchBody, part, rewrite, SECRET_KEY, seenByProvider } from './batch-support.ts';

describe('batches as clients write them (PX-22)', () => {
  it('rewrites the parts of the official Python client: line feeds, stage, /proxy, Host and secret key inside', () => {
    const caller = [`authorization: Bearer ${SECRET_KEY}`, 'Provider-Config-Key: drive', 'Connection-Id: user-1'];
    const kept = ['Content-Type: application/json', 'MIME-Version: 1.0', 'accept: application/json'];
    const line = 'GET /v1/proxy/drive/v3/files/1?fields=id%2Cname&alt=json HTTP/1.1';
    const inner = [line, ...kept, ...caller, 'Host: gateway.example.com', '', ''];
    const headers = ['Content-Type: application/http', 'MIME-Version: 1.0', 'Content-Transfer-Encoding: binary'];
    const one = [...headers, 'Content-ID: <0aa7', ' + 1>', '', ...inner].join('\n');
    const boundary = '===============7330845974216740156==';
    const body = Buffer.from(`--${boundary}\n${one}\n--${boundary}--\n`);
    expect(seenByProvider(rewrite(body, `multipart/mixed; boundary="${boundary}"`))).toEqual([
      {
        partHeaders: ['Content-Type: application/http', 'Content-ID: <0aa7 + 1>', 'Content-Transfer-Encoding: binary'],
        requestLine: 'GET /drive/v3/files/1?fields=id%2Cname&alt=json HTTP/1.1',
        headers: kept,
        body: '',
      },
    ]);
  });

  it('rewrites an absolute address without HTTP version, and recomputes a length that counted characters', () => {
    const json = '{"emailAddress":"caf\u00e9@example.com"}\r\n';
    const inner = `POST ${API_ORIGIN}/drive/v3/files/1/permissions?fields=id\r\nAuthorization: Bearer x\r\nContent-Length: 3\r\n\r\n${json}`;
    const [seen] = seenByProvider(rewrite(batchBody([part(inner)])));
    expect(seen?.requestLine).toBe('POST /drive/v3/files/1/permissions?fields=id HTTP/1.1');
    expect(seen?.headers).toEqual([`Content-Length: ${json.length}`]);
    expect(seen?.body).toBe(json);
  });

  it('takes the declared body when only blank lines follow it', () => {
    const inner = (length: number) => `DELETE /drive/v3/files/1 HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n`;
    const bodies = seenByProvider(rewrite(batchBody([part(`${inner(0)}\r\n\r\n`), part(`${inner(2)}{}\r\n`)])));
    expect(bodies.map(({ headers, body }) => [headers, body])).toEqual([
      [['Content-Length: 0'], ''],
      [['Content-Length: 2'], '{}'],
    ]);
  });

  it('keeps what the provider needs and drops what names the caller or the hop', () => {
    const kept = ['Content-Type: application/json', 'If-Match: "a"', 'Accept: */*', 'X-Goog-Drive-Resource-Keys: a/b'];
    const dropped = [
      ...[`Authorization: Bearer ${SECRET_KEY}`, `AUTHORIZATION: ${SECRET_KEY}`, 'Host: h', 'Cookie: c', 'Via: 1.1 x'],
      ...['Connection: X-Hop', 'X-Hop: 1', 'Keep-Alive: 1', 'TE: trailers', 'Proxy-Authorization: p', 'Expect: x'],
      ...['X-Forwarded-For: 1', 'X-Real-IP: 1', 'X-Amz-Date: 1', 'CF-Ray: 1', 'Forwarded: for=1', 'Upgrade: h2c'],
      ...['Provider-Config-Key: drive', 'Connection-Id: c', 'Retries: 3', 'Nango-Is-Sync: 1', 'access_token: x'],
    ];
    const inner = ['GET /drive/v3/files/1 HTTP/1.1', ...dropped, ...kept, '', ''].join('\r\n');
    const batch = rewrite(batchBody([part(inner)]));
    expect(seenByProvider(batch)[0]?.headers).toEqual(kept);
    expect(Buffer.from(batch.body).toString()).not.toContain(SECRET_KEY);
  });

  it('drops headers of the part itself that are not its type or id', () => {
    const headers = `Content-Type: application/http; msgtype=request\r\nAuthorization: Bearer ${SECRET_KEY}\r\nHost: x\r\n`;
    const [seen] = seenByProvider(rewrite(batchBody([part('GET /drive/v3/files HTTP/1.1\r\n\r\n', headers)])));
    expect(seen?.partHeaders).toEqual(['Content-Type: application/http; msgtype=request']);
  });

  it.each(['PATCH', 'put', 'DELETE'])(
    'sends a POST that names %s as that method, without the override (PX-13)',
    (named) => {
      const inner = `POST /drive/v3/files/1 HTTP/1.1\r\nx-http-method-override: ${named}\r\nIf-Match: "1"\r\n\r\n{"name":"a"}`;
      expect(seenByProvider(rewrite(batchBody([part(inner)])))[0]).toMatchObject({
        requestLine: `${named.toUpperCase()} /drive/v3/files/1 HTTP/1.1`,
        headers: ['If-Match: "1"'],
        body: '{"name":"a"}',
      });
    },
  );

  it.each([
    ['a POST that names HEAD', 'POST', 'X-HTTP-Method-Override: HEAD\r\n'],
    ['a POST that names two methods', 'POST', 'X-HTTP-Method-Override: PATCH\r\nX-HTTP-Method-Override: DELETE\r\n'],
    ['a GET that names another method', 'GET', 'X-HTTP-Method-Override: DELETE\r\n'],
    ['a POST that names one under the prefix', 'POST', 'Nango-Proxy-X-HTTP-Method-Override: DELETE\r\n'],
  ])('refuses %s (PX-13)', (_, method, override) => {
    const inner = `${method} /drive/v3/files/1 HTTP/1.1\r\n${override}\r\n`;
    expect(refusalOf(() => rewrite(batchBody([part(inner)]))).problems?.[0]?.path).toBe('parts[0]');
  });

  it('passes a read sent as a form (PX-13)', () => {
    const inner = (method: string, form = 'q=a', type = 'Content-Type: application/x-www-form-urlencoded') =>
      `POST /drive/v3/files HTTP/1.1\r\nX-HTTP-Method-Override: ${method}\r\n${type}\r\n\r\n${form}`;
    const [seen] = seenByProvider(rewrite(batchBody([part(inner('GET'))])));
    expect(seen).toMatchObject({
      requestLine: 'POST /drive/v3/files HTTP/1.1',
      headers: ['Content-Type: application/x-www-form-urlencoded', 'x-http-method-override: GET'],
      body: 'q=a',
    });
    const problemOf = (text: string) => refusalOf(() => rewrite(batchBody([part(text)]))).problems?.[0];
    expect(problemOf(inner('GET', 'q=a&k%65y=x'))?.message).toContain('query.key');
    expect(problemOf(inner('GET', 'q=a', 'Content-Encoding: gzip'))?.message).toContain('Content-Encoding');
  });

  it('serves the calendar with its own prefixes and limit', () => {
    const one = { contentType: 'multipart/mixed; boundary=b', baseUrl: BASE_URL, apiOrigin: API_ORIGIN };
    const calendar = (count: number, path: string) => {
      const body = batchBody(Array.from({ length: count }, () => part(`GET ${path} HTTP/1.1\r\n\r\n`)));
      return rewriteBatchRequest({ ...one, body, provider: googleCalendar });
    };
    expect(seenByProvider(calendar(50, '/calendar/v3/users/me/calendarList'))).toHaveLength(50);
    expect(refusalOf(() => calendar(51, '/calendar/v3/users/me/calendarList')).problems?.[0]?.path).toBe('parts');
    expect(refusalOf(() => calendar(1, '/drive/v3/files')).problems?.[0]?.path).toBe('parts[0]');
  });
});

describe('a whole batch', () => {
  it('takes 100 parts and refuses 0 and 101', () => {
    const parts = (count: number) =>
      batchBody(Array.from({ length: count }, () => part('GET /drive/v3/files\r\n\r\n')));
    expect(seenByProvider(rewrite(parts(100)))).toHaveLength(100);
    for (const count of [0, 101, 5000]) {
      expect(refusalOf(() => rewrite(parts(count))).problems).toEqual([
        { path: 'parts', message: 'send 1 to 100 parts in one batch' },
      ]);
    }
  });

  it('names every bad part and no good one', () => {
    const good = part('GET /drive/v3/files HTTP/1.1\r\n\r\n');
    const bad = part('GET /calendar/v3/x HTTP/1.1\r\n\r\n');
    const refusal = refusalOf(() => rewrite(batchBody([good, bad, good, part('nonsense'), bad])));
    expect(refusal.code).toBe('invalid_body');
    expect(refusal.problems?.map(({ path }) => path)).toEqual(['parts[1]', 'parts[3]', 'parts[4]']);
    expect(refusal.problems?.every(({ message }) => message.length > 20)).toBe(true);
  });

  it('a whole batch is split by the provider exactly where it was split here, whatever the bodies hold', () => {
    const body = fc.oneof(
      fc.constantFrom(
        '',
        '{}',
        '--b',
        '--b--',
        '\r--b\r',
        'x\r\n--batch_',
        'a\n-b\n',
        '\r\n\r\nGET /admin HTTP/1.1\r\n\r\n',
      ),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    const plain = body.filter((text) => !`\n${text}`.includes('\n--b') && !text.endsWith('\r'));
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('\r\n', '\n'),
        (bodies, lineBreak) => {
          const parts = bodies.map((text, i) =>
            part(`POST /proxy/drive/v3/files?n=${i} HTTP/1.1\r\n\r\n`).replaceAll('\r\n', lineBreak).concat(text),
          );
          const seen = seenByProvider(rewrite(batchBody(parts, lineBreak)));
          expect(seen.map(({ requestLine }) => requestLine)).toEqual(
            bodies.map((_, i) => `POST /drive/v3/files?n=${i} HTTP/1.1`),
          );
          expect(seen.map((request) => request.body)).toEqual(bodies);
        },
      ),
    );
  });

  it('either refuses a generated part or sends a request the rules allow', () => {
    const piece = fc.constantFrom(
      ...'/proxy /v1/proxy /drive/v3/files /upload/drive/v3/files /batch/drive/v3 /.. %2e%2e ?key=1 ?q=1'.split(' '),
      ...'&access_token=x https://evil.example # \0 --b @ // \r \n \r\n'.split(' '),
      ...[API_ORIGIN, BASE_URL, 'GET ', 'POST ', ' HTTP/1.1', ': ', ' '],
      ...['Host: evil', `Authorization: Bearer ${SECRET_KEY}`, 'nango-proxy-host: evil'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        let batch: ReturnType<typeof rewrite>;
        try {
          batch = rewrite(batchBody([part(`GET /proxy/drive/v3/files${pieces.join('')}`)]));
        } catch (error) {
          expect(error).toMatchObject({ name: 'GatewayError', code: 'invalid_body' });
          return;
        }
        for (const { requestLine, headers } of seenByProvider(batch)) {
          expect(requestLine).toMatch(/^GET \/drive\/v3\/[!-~]* HTTP\/1\.1$/);
          const query = new URLSearchParams(requestLine.slice(requestLine.indexOf('?')));
          if (requestLine.includes('?')) expect(['key', 'access_token'].some((name) => query.has(name))).toBe(false);
          expect(requestLine).not.toContain('#');
          expect(`${requestLine.split(/[? ]/, 2)[1]}/`).not.toMatch(/\/(\.|%2e){1,2}\//);
          expect(headers.map((line) => line.split(':', 1)[0]?.toLowerCase())).not.toContain('authorization');
          expect(headers.map((line) => line.split(':', 1)[0]?.toLowerCase())).not.toContain('host');
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('time on hostile batches (DS-4)', () => {
  it.each([
    ['line feeds', '\n'.repeat(100_000)],
    ['carriage returns', '\r'.repeat(100_000)],
    ['hyphens', '-'.repeat(100_000)],
    ['delimiters', '\n--b'.repeat(25_000)],
    ['delimiters with spaces', `\n--b${' '.repeat(100_000)}x`],
    ['header lines', 'a:\n'.repeat(33_000)],
    ['folded lines', `a: b\n${' \n'.repeat(50_000)}`],
    ['one long name', 'a'.repeat(100_000)],
    ['spaces', ' '.repeat(100_000)],
    ['a long target', `GET /drive/v3/${'%2e'.repeat(33_000)} HTTP/1.1`],
    ['a long query', `GET /drive/v3/files?${'&'.repeat(100_000)} HTTP/1.1`],
    ['a long header', `GET /drive/v3/files HTTP/1.1\r\nx: ${' '.repeat(100_000)}\u0001`],
  ])('judges 100 kB of %s in under 50 ms', (_, text) => {
    const head = 'Content-Type: application/http\r\n';
    for (const body of [batchBody([text]), batchBody([part(text)]), batchBody([`${head}${text}`])]) {
      expect(elapsedMs(() => rewrite(body))).toBeLessThan(50);
    }
  });
});
