import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type QueryParams, queryText } from '../../../client/src/http/query.ts';

describe('the query of a call', () => {
  it.each<[string, QueryParams | undefined, string]>([
    ['nothing', undefined, ''],
    ['a text as written', 'a=1&a=2&b=%2B+x', 'a=1&a=2&b=%2B+x'],
    ['a text without its question mark', '?a=1', 'a=1'],
    [
      'arrays as repeated keys',
      { spaces: ['drive', 'appDataFolder'], q: 'x' },
      'spaces=drive&spaces=appDataFolder&q=x',
    ],
    [
      'numbers, booleans, big integers and dates',
      { a: 1, b: false, c: 9007199254740993n, d: new Date(0) },
      'a=1&b=false&c=9007199254740993&d=1970-01-01T00%3A00%3A00.000Z',
    ],
    ['no parameter for null and undefined', { a: null, b: undefined, c: [null, 'x'] }, 'c=x'],
    ['an empty value', { a: '' }, 'a='],
    [
      'pairs in their order',
      [
        ['b', '1'],
        ['a', '2'],
        ['b', '3'],
      ],
      'b=1&a=2&b=3',
    ],
    ['URLSearchParams', new URLSearchParams('a=1+2&a=3'), 'a=1%202&a=3'],
    ['spaces, signs and apostrophes encoded', { q: "name = 'a+b&c'" }, 'q=name%20%3D%20%27a%2Bb%26c%27'],
  ])('writes %s', (_what, params, text) => {
    expect(queryText(params)).toBe(text);
  });

  it('is read back as the same pairs', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(pairs, (list) => {
        expect([...new URLSearchParams(queryText(list))]).toEqual(list.map(([key, value]) => [key, value]));
      }),
      { numRuns: 300 },
    );
  });
});
