import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFormComponent, parseQuery } from '../../../../dev/local/front/query.ts';

describe('a query', () => {
  it.each([
    ['a=1&b=2', { a: ['1'], b: ['2'] }],
    ['a=1;a=2&b', { a: ['1', '2'], b: [''] }],
    ['a=x+y&a=x%2By', { a: ['x y', 'x+y'] }],
    ['a=b=c', { a: ['b=c'] }],
    ['%C3%A9=%F0%9F%98%80', { é: ['😀'] }],
    ['a=%zz%4', { a: ['%zz%4'] }],
    ['=v', { '': ['v'] }],
    ['&&a=1&', { a: ['1'] }],
  ])('%s becomes its pairs', (query, expected) => {
    expect(parseQuery(query).multiValueQueryStringParameters).toEqual(expected);
  });

  it('a query has the last value of each key in the single-value map', () => {
    expect(parseQuery('a=1&b=2&a=3').queryStringParameters).toEqual({ a: '3', b: '2' });
  });

  it.each([undefined, '', '&', ';&'])('a query of %j gives null for both maps', (query) => {
    expect(parseQuery(query)).toEqual({ queryStringParameters: null, multiValueQueryStringParameters: null });
  });

  it('keeps a key called __proto__', () => {
    expect(JSON.stringify(parseQuery('__proto__=1').queryStringParameters)).toBe('{"__proto__":"1"}');
  });

  it('gives back every key and value that was encoded, values of one key in order', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(pairs, (given) => {
        const query = given.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        const parsed = new Map(Object.entries(parseQuery(query).multiValueQueryStringParameters ?? {}));
        for (const [key] of given) {
          expect(parsed.get(key)).toEqual(given.filter(([other]) => other === key).map(([, value]) => value));
        }
      }),
    );
  });

  it('decodes anything without throwing', () => {
    const text = fc.uint16Array().map((units) => String.fromCharCode(...units));
    fc.assert(fc.property(text, (any) => typeof decodeFormComponent(any) === 'string'));
  });
});
