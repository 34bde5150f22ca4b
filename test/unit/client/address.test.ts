import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { managementUrl, proxyUrl } from '../../../packages/client/src/http/address.ts';
import { type QueryParams, queryText } from '../../../packages/client/src/http/query.ts';
import { anyText } from '../../support/any-text.ts';

const BASE = 'https://gateway.example/v1';

describe('the address of a proxied call', () => {
  it.each([
    '/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events',
    '/drive/v3/files/a%2Fb%25c%2fd',
    '/drive/v3/files/1/approvals:start',
    "/drive/v3/files/a+b;c=d,e'f(g)*!$&|~",
    '/drive/v3/files/',
  ])('keeps %s byte for byte', (endpoint) => {
    expect(proxyUrl(BASE, endpoint)).toBe(`${BASE}/proxy${endpoint}`);
    expect(new URL(proxyUrl(BASE, endpoint)).href).toBe(`${BASE}/proxy${endpoint}`);
  });

  it('keeps a query inside the endpoint and adds params behind it', () => {
    expect(proxyUrl(BASE, '/drive/v3/files?q=a%20b&fields=*', { pageSize: 2 })).toBe(
      `${BASE}/proxy/drive/v3/files?q=a%20b&fields=*&pageSize=2`,
    );
  });

  it('takes an endpoint without its first slash', () => {
    expect(proxyUrl(BASE, 'drive/v3/about')).toBe(`${BASE}/proxy/drive/v3/about`);
  });

  it('takes an address below the gateway, as the Location of an upload', () => {
    expect(proxyUrl(BASE, `${BASE}/proxy/upload/drive/v3/files?upload_id=x`)).toBe(
      `${BASE}/proxy/upload/drive/v3/files?upload_id=x`,
    );
  });

  it('FD-1: goes to the address of proxied calls, and takes what lies below the other one, too', () => {
    const PROXY = 'https://proxy.example';
    expect(proxyUrl(PROXY, '/drive/v3/about', undefined, BASE)).toBe(`${PROXY}/proxy/drive/v3/about`);
    for (const address of [BASE, PROXY]) {
      const location = `${address}/proxy/upload/drive/v3/files?upload_id=x`;
      expect(proxyUrl(PROXY, location, undefined, BASE)).toBe(`${PROXY}/proxy/upload/drive/v3/files?upload_id=x`);
    }
  });

  it('encodes what no address may hold, and what the front door refuses in a query', () => {
    expect(proxyUrl(BASE, '/drive/v3/files?q={a|b}')).toBe(`${BASE}/proxy/drive/v3/files?q=%7Ba%7Cb%7D`);
    expect(proxyUrl(BASE, "/drive/v3/files?q=name = 'Übersicht <1>'")).toBe(
      `${BASE}/proxy/drive/v3/files?q=name%20=%20'%C3%9Cbersicht%20%3C1%3E'`,
    );
  });

  it.each([
    ['a full address', 'https://evil.example/drive/v3/files'],
    ['the raw address of the provider', 'https://www.googleapis.com/drive/v3/files'],
    ['a raw #', '/calendar/v3/calendars/en.usa#holiday/events'],
    ['a raw # in the query', '/drive/v3/files?q=#'],
    ['a dot segment', '/drive/v3/../../admin'],
    ['an encoded dot segment', '/drive/v3/%2e%2E/files'],
    ['a single dot', '/drive/v3/./files'],
    ['a backslash', '/drive\\v3/files'],
    ['a line break', '/drive/v3/files\r\nx: y'],
    ['a tab', '/drive/v3/fi\tles'],
    ['a lone percent sign', '/drive/v3/files/100%'],
    ['half a character', '/drive/v3/files/\ud800'],
    ['nothing', ''],
    ['a slash only', '/'],
  ])('refuses %s', (_what, endpoint) => {
    expect(() => proxyUrl(BASE, endpoint)).toThrow(TypeError);
  });

  it('the address of a proxied call is what a URL parser leaves as it is, whatever endpoint is taken', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        let url: string;
        try {
          url = proxyUrl(BASE, `/drive/v3/${text}`);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        // The apostrophe is the one character that parsers encode in queries only.
        expect(new URL(url).href.replaceAll("'", '%27')).toBe(url.replaceAll("'", '%27'));
        expect(url.startsWith(`${BASE}/proxy/drive/v3/`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the address of a management route', () => {
  it('carries its query', () => {
    expect(managementUrl(BASE, '/connections', [['tags[team]', 'a b']])).toBe(
      `${BASE}/connections?tags%5Bteam%5D=a%20b`,
    );
    expect(managementUrl(BASE, '/connections', { search: undefined })).toBe(`${BASE}/connections`);
  });
});

describe('the query of a call', () => {
  it.each<[string, QueryParams | undefined, string]>([
    ['nothing', undefined, ''],
    ['a text as written', 'a=1&a=2&b=%2B+x', 'a=1&a=2&b=%2B+x'],
    ['a text without its question mark', '?a=1', 'a=1'],
    ['arrays as repeated keys', { spaces: ['drive', 'photos'], q: 'x' }, 'spaces=drive&spaces=photos&q=x'],
    [
      'numbers, booleans, big integers and dates',
      { a: 1, b: false, c: 9007199254740993n, d: new Date(0) },
      'a=1&b=false&c=9007199254740993&d=1970-01-01T00%3A00%3A00.000Z',
    ],
    ['no parameter for null and undefined', { a: null, b: undefined, c: [null, 'x'] }, 'c=x'],
    ['an empty value', { a: '' }, 'a='],
    ['pairs in their order', [...'bab'].map((name, i) => [name, `${i}`] as const), 'b=0&a=1&b=2'],
    ['URLSearchParams', new URLSearchParams('a=1+2&a=3'), 'a=1%202&a=3'],
    ['spaces, signs and apostrophes encoded', { q: "name = 'a+b&c'" }, 'q=name%20%3D%20%27a%2Bb%26c%27'],
  ])('writes %s', (_what, params, text) => {
    expect(queryText(params)).toBe(text);
  });

  it('the query of a call is read back as the same pairs', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(pairs, (list) => {
        expect([...new URLSearchParams(queryText(list))]).toEqual(list.map(([key, value]) => [key, value]));
      }),
      { numRuns: 300 },
    );
  });
});
