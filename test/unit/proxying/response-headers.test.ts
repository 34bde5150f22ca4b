import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HeaderPairs, headerValues } from '../../../lambdas/gateway/core/http-message.ts';
import { endsWithConnection, proxiedResponseHeaders } from '../../../lambdas/gateway/proxying/headers.rules.ts';
import { elapsedMs } from '../support/connection.ts';

const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));
const DROPPED = words(
  'Set-Cookie Set-Cookie2 Clear-Site-Data Strict-Transport-Security Public-Key-Pins Alt-Svc NEL Refresh SourceMap',
  'Public-Key-Pins-Report-Only Report-To Reporting-Endpoints Service-Worker-Allowed Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers Content-Security-Policy-Report-Only X-Frame-Options Cross-Origin-Opener-Policy',
  'Cross-Origin-Embedder-Policy Permissions-Policy Origin-Agent-Cluster Server-Timing WWW-Authenticate',
  'Proxy-Authenticate X-Gateway-Error Connection Keep-Alive Transfer-Encoding Trailer Upgrade TE Proxy-Connection',
  'Content-Length',
);
/** What passes by name; the families `x-goog-`, `x-guploader-` and `x-google-` pass whole. */
const PASSING = words(
  'accept-ranges age allow content-digest content-disposition content-encoding content-language content-location',
  'content-range content-transfer-encoding content-type dav digest etag expires last-modified location lock-token',
  'mime-version pragma preference-applied range repr-digest retry-after schedule-tag vary warning',
  'x-http-status-code-override x-range-md5 x-rejected-reason x-response-encoding',
);
const answer = (upstream: HeaderPairs) => proxiedResponseHeaders(upstream, 'request-1');

describe('headers that act on an origin (PR-1, PR-2, PR-7)', () => {
  it.each(DROPPED)('drops %s in any case', (name) => {
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
      const headers = answer(Object.entries({ [spelling]: 'canary', ETag: '"1"' }));
      const told = headers.filter(([key]) => key !== 'x-upstream-content-length');
      expect(JSON.stringify(told)).not.toContain('canary');
      expect(headerValues(headers, 'etag')).toEqual(['"1"']);
    }
  });

  it('drops what Connection names, and nothing the gateway adds', () => {
    const hop = { Connection: 'X-Goog-Hop, x-content-type-options, cache-control', 'X-Goog-Hop': 'canary' };
    const headers = answer(Object.entries({ ...hop, 'X-Goog-End': 'kept' }));
    expect(headerValues(headers, 'x-goog-hop')).toEqual([]);
    expect(headerValues(headers, 'x-goog-end')).toEqual(['kept']);
    expect(headerValues(headers, 'x-content-type-options')).toEqual(['nosniff']);
    expect(headerValues(headers, 'cache-control')).toEqual(['no-store']);
  });

  it('PR-15: drops every name that is on no list, one that is made up among them', () => {
    const listed = /^(x-goog-|x-guploader-|x-google-)/;
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,30}$/), (name) => {
        fc.pre(!listed.test(name.toLowerCase()) && !PASSING.includes(name.toLowerCase()));
        expect(JSON.stringify(answer([[name, 'canary']]).filter(([key]) => key !== 'cache-control'))).not.toContain(
          'canary',
        );
      }),
      { examples: [['Link'], ['X-Made-Up'], ['Host'], ['Via'], ['X-Robots-Tag'], ['Speculation-Rules'], ['X-Goo']] },
    );
  });

  it('keeps what Google’s APIs send and its clients read, with repeats and order', () => {
    const sent = {
      'Content-Type': 'text/html',
      'Content-Encoding': 'gzip',
      'Content-Range': 'bytes 0-1/2',
      ETag: '"1"',
    };
    const told = { Location: 'https://www.googleapis.com/x', Range: 'bytes=0-5', 'Retry-After': '3', DAV: '1, access' };
    const google = { 'X-GUploader-UploadID': 'u', 'X-Google-New': '1', 'X-HTTP-Status-Code-Override': '308' };
    const upstream: HeaderPairs = [
      ...Object.entries({ ...sent, ...told, ...google, Vary: 'Origin', vary: 'X-Origin' }),
      ['X-Goog-Hash', 'md5=a'],
      ['X-Goog-Hash', 'crc32c=b'],
    ];
    expect(answer(upstream).slice(0, upstream.length)).toEqual(upstream);
  });

  it.each(PASSING)('PR-15: lets %s pass', (name) => {
    expect(headerValues(answer([[name.toUpperCase(), 'v']]), name)).toEqual(['v']);
  });
});

describe('Vary (PR-15)', () => {
  const vary = (cacheControl: string | undefined, ...sent: string[]) =>
    headerValues(
      answer([
        ...(cacheControl === undefined ? [] : [['Cache-Control', cacheControl] as const]),
        ...sent.map((value) => ['Vary', value] as const),
      ]),
      'vary',
    );
  const OURS = 'Authorization, Connection-Id, Provider-Config-Key';

  it.each([
    [[], OURS],
    [['Origin, X-Origin', 'Referer'], `Origin, X-Origin, Referer, ${OURS}`],
    [['authorization, Origin'], 'authorization, Origin, Connection-Id, Provider-Config-Key'],
    [['', ' , '], OURS],
    [['*'], '*'],
    [['Origin', '*'], '*'],
  ])('Vary of an answer that may be cached, %j, becomes %j', (sent, expected) => {
    for (const rule of ['private, max-age=60', 'PRIVATE', 'private, no-cache']) {
      expect(vary(rule, ...sent)).toEqual([expected]);
    }
  });

  it('Vary of an answer that nobody may store stays as it is', () => {
    for (const rule of [undefined, 'no-store', 'public, max-age=9', 'private, no-store']) {
      expect(vary(rule, 'Origin', 'X-Origin')).toEqual(['Origin', 'X-Origin']);
      expect(vary(rule)).toEqual([]);
    }
  });
});

describe('bodies that end with their connection (F36)', () => {
  const end = (value: string): HeaderPairs => [['Transfer-Encoding', value]];

  it.each<[string, string, number, HeaderPairs, boolean]>([
    ['neither length nor chunks', 'GET', 200, [['ETag', '"1"']], true],
    ['neither, of an error', 'POST', 500, [], true],
    ['a length', 'GET', 200, [['content-length', '0']], false],
    ['chunks', 'GET', 200, end('chunked'), false],
    ['packed chunks', 'GET', 200, end('gzip, Chunked '), false],
    ['chunks inside another coding', 'GET', 200, end('chunked, gzip'), true],
    ['a coding without chunks', 'GET', 200, end('gzip'), true],
    ['a coding that is only named like it', 'GET', 200, end('notchunked'), true],
    ['no body after HEAD', 'HEAD', 200, [], false],
    ['no body in 204', 'GET', 204, [], false],
    ['no body in 205', 'GET', 205, [], false],
    ['no body in 304', 'GET', 304, [], false],
  ])('knows %s', (_, method, status, headers, expected) => {
    expect(endsWithConnection(method, status, headers)).toBe(expected);
  });

  it('leaves the mark to the gateway', () => {
    expect(headerValues(answer([['X-Upstream-Length', 'unverified']]), 'x-upstream-length')).toEqual([]);
  });
});

describe('protective headers (PR-3)', () => {
  const expected = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-request-id': 'request-1',
  };

  it('protective headers stand once each, whatever the provider sends', () => {
    const name = fc.constantFrom(...Object.keys(expected), 'cache-control', 'x-other', 'connection');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.constantFrom('unsafe-url', 'public', 'x-request-id'))), (upstream) => {
        const headers = answer(upstream);
        for (const [key, value] of Object.entries(expected)) expect(headerValues(headers, key)).toEqual([value]);
        expect(headerValues(headers, 'cache-control')).toHaveLength(1);
      }),
    );
  });

  it.each([
    [['private, max-age=0'], 'private, max-age=0'],
    [['no-cache', 'no-store'], 'no-cache, no-store'],
    [['PRIVATE'], 'PRIVATE'],
    [['max-age=60,private'], 'max-age=60,private'],
    [['public, max-age=600'], 'no-store'],
    [['no-cache'], 'no-store'],
    [['private="set-cookie", max-age=600'], 'no-store'],
    [['x-private, max-age=600'], 'no-store'],
    [[''], 'no-store'],
    [[], 'no-store'],
  ])('turn Cache-Control %j into %j', (values, expectedValue) => {
    expect(headerValues(answer(values.map((value) => ['Cache-Control', value] as const)), 'cache-control')).toEqual([
      expectedValue,
    ]);
  });
});

describe('length of the body (PR-9)', () => {
  it('length of the body is repeated in a header of its own', () => {
    const headers = answer([['content-LENGTH', '42']]);
    expect(headerValues(headers, 'x-upstream-content-length')).toEqual(['42']);
    expect(headerValues(headers, 'content-length')).toEqual([]);
  });

  it('length of the body cannot be forged by the provider', () => {
    expect(headerValues(answer([['X-Upstream-Content-Length', '1']]), 'x-upstream-content-length')).toEqual([]);
    const both = { 'X-Upstream-Content-Length': '1', 'Content-Length': '2' };
    expect(headerValues(answer(Object.entries(both)), 'x-upstream-content-length')).toEqual(['2']);
  });
});

describe('time on hostile answers (DS-4)', () => {
  it.each(['private', ' ', ',', 'no-store=', 'a'])('judges 100 kB of %j in under 50 ms', (unit) => {
    const value = unit.repeat(100_000 / unit.length);
    const headers = Object.entries({ 'Cache-Control': value, Connection: value });
    expect(elapsedMs(() => answer(headers))).toBeLessThan(50);
  });
});
