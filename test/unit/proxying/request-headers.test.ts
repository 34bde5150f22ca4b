import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeaderPairs } from '../../../lambdas/gateway/core/http-message.ts';
import { REQUEST_HEADERS_MAX_BYTES, REQUEST_HEADERS_MAX_COUNT } from '../../../lambdas/gateway/core/limits.ts';
import { headerLists, upstreamRequestHeaders } from '../../../lambdas/gateway/proxying/headers.rules.ts';
import { anyText } from '../../support/any-text.ts';
import { codeOf, elapsedMs, refusalOf } from '../support/connection.ts';

const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));
const NEVER_FORWARDED = words(
  // Of the hop.
  'Connection Keep-Alive Proxy-Authorization Proxy-Connection Proxy-Authenticate TE Trailer Transfer-Encoding Upgrade',
  'Expect HTTP2-Settings Content-Length',
  // For the gateway.
  'Authorization Provider-Config-Key Connection-Id Retries Retry-On Decompress Base-Url-Override',
  'Forward-Headers-On-Redirect Gateway-Priority Nango-Activity-Log-Id Nango-Is-Sync Nango-Is-Dry-Run Nango-Is-Script',
  // Of the platform and the client's address.
  'Host Cookie Cookie2 Forwarded X-Forwarded-For X-Forwarded-Host X-Real-IP Via X-Amz-Date X-Amzn-Trace-Id',
  'CloudFront-Viewer-Country CF-Connecting-IP CDN-Loop True-Client-IP X-Client-IP X-Original-URL X-Gateway-Error',
);
const RIVALS = words(
  'X-Goog-Api-Key X-Goog-Iam-Authorization-Token X-Goog-Iam-Authority-Selector X-Google-EndUserCreds-Bin',
  'X-Goog-AuthUser X-Goog-PageId X-Goog-Spatula',
);
const CANARY = 'canary-value';

const names = (headers: HeaderPairs) => headers.map(([name]) => name.toLowerCase());
const values = (headers: HeaderPairs, wanted: string) =>
  headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);

/** The name in random case. */
function anyCase(name: string): fc.Arbitrary<string> {
  return fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => [...name].map((c, i) => (upper[i] === true ? c.toUpperCase() : c.toLowerCase())).join(''));
}

describe('headers that stay (PX-5, PX-7, PX-24)', () => {
  it.each(NEVER_FORWARDED)('never forwards %s, however it is spelled or repeated', (name) => {
    const spelling = fc.oneof(
      anyCase(name),
      anyCase(name.replaceAll('-', '_')),
      anyCase(name).map((text) => `${text} `),
      anyCase(name).map((text) => ` ${text}`),
      anyCase(name).map((text) => `${text}\t`),
    );
    fc.assert(
      fc.property(fc.array(spelling, { minLength: 1, maxLength: 4 }), (spellings) => {
        const sent = upstreamRequestHeaders([...spellings.map((text) => [text, CANARY] as const), ['Accept', '*/*']]);
        expect(JSON.stringify(sent)).not.toContain(CANARY);
        expect(values(sent, 'accept')).toEqual(['*/*']);
      }),
      { numRuns: 30 },
    );
  });

  it('headers that stay are tried above or below, each name and each prefix of the lists', () => {
    const tried = [...NEVER_FORWARDED, ...RIVALS].map((name) => name.toLowerCase());
    const { dropped, droppedPrefixes: prefixes, refused } = headerLists();
    const listed = [...dropped, ...refused];
    const advice = (name: string) => `${name} is not tried: add it to NEVER_FORWARDED or RIVALS in this file.`;
    const untried = listed.filter((name) => !tried.includes(name));
    const untriedPrefixes = prefixes.filter((prefix) => !tried.some((name) => name.startsWith(prefix)));
    expect([...untried, ...untriedPrefixes].map(advice)).toEqual([]);
    const byPrefix = (name: string) => prefixes.some((prefix) => prefix !== '' && name.startsWith(prefix));
    expect(tried.filter((name) => !listed.includes(name) && !byPrefix(name))).toEqual([]);
  });

  it('drops every name with an underscore (PX-8)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z-]{0,10}_[A-Za-z_-]{0,10}$/), (name) => {
        expect(names(upstreamRequestHeaders([[name, CANARY]]))).toEqual(['via']);
        expect(names(upstreamRequestHeaders([[`Nango-Proxy-${name}`, CANARY]]))).toEqual(['via']);
      }),
      { examples: [['cF-_'], ['x-forwarded_for'], ['connection_id']] },
    );
  });
});

describe('headers of another identity (PX-25)', () => {
  it.each(RIVALS)('%s is refused by name, with or without the prefix, in any case', (name) => {
    fc.assert(
      fc.property(fc.oneof(anyCase(name), anyCase(`Nango-Proxy-${name}`)), (spelling) => {
        const refusal = refusalOf(() => upstreamRequestHeaders([[spelling, CANARY]]));
        expect(refusal.code).toBe('invalid_headers');
        expect(refusal.problems?.map(({ path }) => path)).toEqual([`headers.${spelling}`]);
        expect(refusal.message).not.toContain(CANARY);
      }),
      { numRuns: 20 },
    );
  });

  it.each(RIVALS)('%s is not forwarded under a spelling with underscores', (name) => {
    expect(names(upstreamRequestHeaders([[name.replaceAll('-', '_'), CANARY]]))).toEqual(['via']);
  });

  it.each([
    'X-Goog-User-Project',
    'X-Goog-FieldMask',
    'X-Goog-Quota-User',
    'X-Goog-Api-Version',
    'X-Goog-Request-Reason',
  ])('%s, a system parameter that is no identity, is forwarded', (name) => {
    expect(upstreamRequestHeaders([[name, 'my-project']])[0]).toEqual([name, 'my-project']);
  });
});

describe('headers that are forwarded', () => {
  it('forwards end-to-end headers as they are, repeats and order kept', () => {
    const sent: HeaderPairs = [
      ['Accept', 'application/json'],
      ['Range', 'bytes=0-1'],
      ['If-Match', '"a"'],
      ['X-Goog-Api-Client', 'one'],
      ['x-goog-api-client', 'two'],
      ['X-Upload-Content-Type', 'text/plain'],
      ['User-Agent', 'client (gzip)'],
      ['X-Latin', 'caf\u00e9'],
    ];
    expect(upstreamRequestHeaders(sent)).toEqual([...sent, ['via', '1.1 integration-gateway']]);
  });

  it('puts a prefixed header instead of the plain one, the last one winning (PX-8)', () => {
    const prefixed = { 'Nango-Proxy-Content-Type': 'image/png', 'nango-proxy-content-type': 'image/gif' };
    const plain = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const headers = upstreamRequestHeaders(Object.entries({ ...plain, ...prefixed }));
    expect(values(headers, 'content-type')).toEqual(['image/gif']);
  });

  it.each(words('Authorization Host Cookie Connection Transfer-Encoding Via Retries Provider-Config-Key'))(
    'refuses the prefixed %s in any case (PX-8)',
    (name) => {
      fc.assert(
        fc.property(anyCase(`Nango-Proxy-${name}`), (spelling) => {
          const refusal = refusalOf(() => upstreamRequestHeaders([[spelling, CANARY]]));
          const message = `${name.toLowerCase()} is set by the gateway; remove this header`;
          expect(refusal.code).toBe('invalid_headers');
          expect(refusal.problems).toEqual([{ path: `headers.${spelling}`, message }]);
        }),
        { numRuns: 20 },
      );
    },
  );

  it('refuses a prefix behind the prefix', () => {
    const twice = [['Nango-Proxy-Nango-Proxy-Authorization', 'x']] as const;
    expect(codeOf(() => upstreamRequestHeaders(twice))).toBe('invalid_headers');
  });
});

describe('headers named by Connection (PX-5, PX-6)', () => {
  it('drops what any Connection field names', () => {
    const named = { Connection: 'close, X-One', connection: ' x-two ,,', 'X-One': CANARY, 'x-TWO': CANARY };
    const headers = upstreamRequestHeaders(Object.entries({ ...named, 'X-Three': 'kept' }));
    expect(names(headers)).toEqual(['x-three', 'via']);
  });

  it('drops a prefixed header that is named itself', () => {
    const named = { Connection: 'nango-proxy-x-one', 'Nango-Proxy-X-One': CANARY };
    expect(names(upstreamRequestHeaders(Object.entries(named)))).toEqual(['via']);
  });

  it('takes nothing from what the gateway adds', () => {
    expect(upstreamRequestHeaders([['Connection', 'via, authorization']])).toEqual([
      ['via', '1.1 integration-gateway'],
    ]);
  });
});

describe('refused values and sizes (PX-11)', () => {
  const expectTooMuch = (action: () => unknown) => {
    const message = `send at most ${REQUEST_HEADERS_MAX_COUNT} headers of ${REQUEST_HEADERS_MAX_BYTES} bytes together`;
    expect(refusalOf(action)).toMatchObject({ code: 'invalid_headers', problems: [{ path: 'headers', message }] });
  };

  it.each(['a\rb', 'a\nb', 'a\r\n b', 'a\0b', 'a\u0100b', '\u{1f600}', 'a\u007fb', 'a\u0001b'])(
    'refuses the value %j',
    (value) => {
      for (const name of ['X-Note', 'Nango-Proxy-X-Note']) {
        expect(refusalOf(() => upstreamRequestHeaders([[name, value]]))).toMatchObject({
          code: 'invalid_headers',
          problems: [{ path: `headers.${name}`, message: 'send Latin-1 text without line breaks or NUL' }],
        });
      }
    },
  );

  it('lets only Latin-1 without controls through, whatever is generated', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 30 }), (value) => {
        const legal = [...value].every((c) => /^[\t\x20-\x7e\u0080-\u00ff]$/.test(c));
        const sent = Object.entries({ 'X-Note': value, via: '1.1 integration-gateway' });
        expect(codeOf(() => upstreamRequestHeaders([['X-Note', value]]))).toEqual(legal ? sent : 'invalid_headers');
      }),
    );
  });

  it('takes the count at the limit and refuses one above', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => [`X-${i}`, ''] as const);
    expect(upstreamRequestHeaders(many(REQUEST_HEADERS_MAX_COUNT))).toHaveLength(REQUEST_HEADERS_MAX_COUNT + 1);
    expectTooMuch(() => upstreamRequestHeaders(many(REQUEST_HEADERS_MAX_COUNT + 1)));
  });

  it('takes the size at the limit and refuses one byte above', () => {
    const ofSize = (bytes: number): HeaderPairs => [['X-Big', 'a'.repeat(bytes - 'X-Big'.length - 4)]];
    expect(names(upstreamRequestHeaders(ofSize(REQUEST_HEADERS_MAX_BYTES)))).toEqual(['x-big', 'via']);
    expectTooMuch(() => upstreamRequestHeaders(ofSize(REQUEST_HEADERS_MAX_BYTES + 1)));
  });

  it('names every bad header at once', () => {
    const bad = { 'Nango-Proxy-Host': 'evil', Via: '1.1 integration-gateway', 'X-A': '\n' };
    const { problems } = refusalOf(() => upstreamRequestHeaders(Object.entries(bad)));
    expect(problems?.map(({ path }) => path).sort()).toEqual(Object.keys(bad).map((name) => `headers.${name}`));
  });
});

describe('Via (PX-12)', () => {
  it('refuses a request that has passed here, among other hops too', () => {
    for (const via of ['1.1 integration-gateway', '1.0 front, 1.1 Integration-Gateway (x)']) {
      expect(refusalOf(() => upstreamRequestHeaders([['VIA', via]])).message).toContain('loop');
    }
  });

  it('replaces the hops before it by itself', () => {
    expect(upstreamRequestHeaders([['Via', '1.1 corporate-proxy']])).toEqual([['via', '1.1 integration-gateway']]);
  });
});

describe('time on hostile headers (DS-4)', () => {
  it.each([
    ['X-Big', 'a,'.repeat(50_000)],
    ['Connection', ' ,'.repeat(50_000)],
    ['Connection', ' '.repeat(100_000)],
    ['Via', ' '.repeat(100_000)],
    ['x'.repeat(100_000), '1'],
    [`${'-'.repeat(100_000)}_`, '1'],
  ])('judges %# with 100 kB in under 50 ms', (name, value) => {
    expect(elapsedMs(() => upstreamRequestHeaders([[name, value]]))).toBeLessThan(50);
  });
});
