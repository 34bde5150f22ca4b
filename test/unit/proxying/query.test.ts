import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawQueryProblems, upstreamQuery } from '../../../lambdas/gateway/proxying/request-line.rules.ts';
import { anyText } from '../../support/any-text.ts';
import { codeOf, elapsedMs, refusalOf } from '../support/connection.ts';

const REFUSED = [
  'access_token oauth_token key callback $access_token $key $callback $httpMethod $httpHeaders $ct $req',
  'bearer_token $bearer_token xoauth xoauth_requestor_id',
].flatMap((line) => line.split(' '));

describe('upstreamQuery', () => {
  it('upstreamQuery is empty without parameters', () => {
    expect(upstreamQuery([])).toBe('');
  });

  it('encodes what would end or split a value', () => {
    expect(upstreamQuery([['q', "name = 'a&b' + #%\n"]])).toBe("?q=name%20%3D%20'a%26b'%20%2B%20%23%25%0A");
  });

  it('keeps keys, values and the order inside one key for any decoded query (PX-4)', () => {
    const text = anyText({ maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            text.map((key) => `p${key}`),
            text,
          ),
        ),
        (query) => {
          const read = [...new URLSearchParams(upstreamQuery(query))];
          expect(read).toEqual(query.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]));
        },
      ),
    );
  });

  it.each(REFUSED)('refuses %s in any case (PX-23, PX-25)', (key) => {
    for (const spelling of [key, key.toUpperCase()]) {
      const query = Object.entries({ q: '1', [spelling]: 'x' });
      expect(codeOf(() => upstreamQuery(query))).toBe('invalid_query_params');
    }
  });

  it('names every refused key at once', () => {
    const { problems } = refusalOf(() => upstreamQuery(REFUSED.map((key) => [key, 'x'] as const)));
    expect(problems?.map(({ path }) => path)).toEqual(REFUSED.map((key) => `query.${key}`));
  });

  it.each([
    ['key', "the gateway adds the connection's identity itself; remove it"],
    ['callback', 'JSONP is not proxied; remove it'],
    ['$httpMethod', 'the method is not overridden in the query; send the real method instead'],
    ['$ct', 'the content type is not overridden in the query; send it as Content-Type'],
    ['$req', 'the body is not sent in the query; send it as the body'],
  ])('says what to do instead of %s', (key, message) => {
    expect(refusalOf(() => upstreamQuery([[key, 'x']])).problems).toEqual([{ path: `query.${key}`, message }]);
  });

  it.each([
    ...['keys', 'pageToken', 'q', 'alt', 'fields', 'quotaUser', '$.xgafv', '$userProject', 'ct'],
    ...['constructor', '__proto__'],
  ])('passes %s', (key) => {
    expect(upstreamQuery([[key, '1']])).toBe(`?${encodeURIComponent(key)}=1`);
  });
});

describe('rawQueryProblems', () => {
  it('sees a refused key however its letters are encoded', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REFUSED),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        (key, mask) => {
          const spelled = [...key]
            .map((letter, i) => (mask[i] === true ? `%${letter.charCodeAt(0).toString(16)}` : letter))
            .join('');
          for (const raw of [`${spelled}=1`, `a=b&${spelled}`, `a=b;${spelled}=1`, `&&${spelled}=%zz`]) {
            expect(rawQueryProblems(raw).map(({ path }) => path)).toEqual([`query.${key}`]);
          }
        },
      ),
    );
  });

  it('finds nothing in a legal query', () => {
    expect(rawQueryProblems('q=a+b%20key%3D&fields=files(id,key)&monkey=1&%zz=%ff')).toEqual([]);
  });

  it.each(['&', '%', ';', '%6b', 'key&'])('judges 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    expect(elapsedMs(() => rawQueryProblems(unit.repeat(100_000 / unit.length)))).toBeLessThan(50);
  });
});
