import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRefusal, parseStrictJson } from '../../../lambdas/management/request-input.ts';
import { elapsedMs } from '../support/connection.ts';

const refusalOf = (text: string): { path: string; message: string } => {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal) return error.problem;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
};

/** Ends in a value or in a refusal; anything else is a fault of the parser. */
function readOrRefuse(text: string): void {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
  }
}

/** JSON values that every reader takes the same way. */
const plainJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }).filter((value) => value === 0 || Math.abs(value) > 1e-90),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ unit: 'grapheme' }).filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

describe('parseStrictJson (AK-9, DS-6)', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(plainJson, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses every text that JSON.parse refuses', () => {
    fc.assert(
      fc.property(plainJson, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (value, at, replacement) => {
        const text = JSON.stringify(value);
        const position = at % text.length;
        const broken = text.slice(0, position) + replacement + text.slice(position + 1);
        let legal = true;
        try {
          JSON.parse(broken);
        } catch {
          legal = false;
        }
        if (!legal) expect(() => parseStrictJson(broken)).toThrow(JsonRefusal);
      }),
    );
  });

  it.each([
    ['a repeated member', '{"a":{"b":1,"b":2}}', 'a.b'],
    ['a member repeated under another spelling', '{"a":1,"\\u0061":2}', 'a'],
    ['__proto__', '{"x":[{"__proto__":{}}]}', 'x[0].__proto__'],
    ['constructor', '{"constructor":{}}', 'constructor'],
    ['a number that loses digits', '{"n":9007199254740993}', 'n'],
    ['a number beyond all bounds', '[1e400]', '[0]'],
    ['a number too small to store', '[1e-300]', '[0]'],
    ['a lone surrogate', '{"s":"\\ud800"}', 's'],
    ['a lone surrogate as a name', '{"\\udc00":1}', 'body'],
    ['text behind the value', '{} {}', 'body'],
    ['a trailing comma', '[1,]', '[1]'],
    ['a control character in a text', '"a\nb"', 'body'],
    ['an escape that JSON does not have', '"\\x41"', 'body'],
    ['nothing', '', 'body'],
  ])('refuses %s and says where', (_, text, path) => {
    expect(refusalOf(text).path).toBe(path);
  });

  it('refuses nesting of a hundred thousand levels at once', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(refusalOf(text).message).toMatch(/nests deeper/);
  });

  it.each([
    [
      'as many names as a body may hold',
      () => `{${Array.from({ length: 27_000 }, (_, i) => `"${i}":0`).join(',')}}`,
      500,
    ],
    ['a number of a million digits', () => `[${'9'.repeat(1_000_000)}]`, 500],
    ['a fraction of a million digits', () => `[0.${'1'.repeat(1_000_000)}]`, 500],
    ['an exponent of a million digits', () => `[1e${'9'.repeat(1_000_000)}]`, 500],
    ['a text of a million escapes', () => `["${'\\u0041'.repeat(1_000_000)}"]`, 1_000],
    ['a hundred thousand open lists behind a text', () => `"a"${'['.repeat(100_000)}`, 500],
  ])('DS-6: judges %s in bounded time', (_, make, limitMs) => {
    const text = make();
    expect(elapsedMs(() => readOrRefuse(text), limitMs)).toBeLessThan(limitMs);
  });

  it('takes the largest exact integers', () => {
    expect(parseStrictJson('[9007199254740991,-9007199254740991]')).toEqual([9007199254740991, -9007199254740991]);
  });

  it('reads a long text without running out of stack', () => {
    const text = JSON.stringify('a\\"'.repeat(80_000));
    expect(parseStrictJson(text)).toBe(JSON.parse(text));
  });
});
