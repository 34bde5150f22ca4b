import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, readHeaderBlock, splitParts } from '../../../lambdas/gateway/proxying/batch.rules.ts';
import { codeOf, elapsedMs, refusalOf } from '../support/connection.ts';

const texts = (body: string, boundary = 'b', maxParts = 100) =>
  splitParts(Buffer.from(body, 'latin1'), boundary, maxParts).map((part) => Buffer.from(part).toString('latin1'));

describe('boundaryOf', () => {
  it.each([
    ['multipart/mixed; boundary=abc', 'abc'],
    ['Multipart/Mixed;BOUNDARY="a b"', 'a b'],
    ['multipart/mixed; charset=utf-8; boundary="===123==" ; x=y', '===123=='],
    ['multipart/mixed; boundary===123==', '==123=='],
    ['multipart/mixed; boundary="a\\+b"', 'a+b'],
    ['multipart/mixed; boundary=batch_(1):/?', 'batch_(1):/?'],
    ['multipart/mixed; boundary=abc;', 'abc'],
    ['multipart/mixed ; boundary=abc', 'abc'],
    [`multipart/mixed; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
  ])('reads %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary);
  });

  it.each([
    ...['', 'multipart/related; boundary=abc', 'application/json', 'multipart/mixed, boundary=a'].map((contentType) => [
      contentType,
      'needs Content-Type: multipart/mixed with a boundary',
    ]),
    ['multipart/mixed', 'needs a boundary of 1 to 70 legal characters'],
    ...['', '""', '"abc', '"a "', '"a\u00e9"', 'a b', 'a'.repeat(71)].map((boundary) => [
      `multipart/mixed; boundary=${boundary}`,
      'needs a boundary of 1 to 70 legal characters',
    ]),
    ['multipart/mixed; boundary=a; boundary=b', 'names two boundaries; send one'],
  ])('refuses %j and says why', (contentType = '', why = '') => {
    expect(refusalOf(() => boundaryOf(contentType))).toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining(why),
    });
  });

  it.each([' ', ';', '"', '\\"', '; a="\\', ';a=b', 'a'])('judges 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    for (const start of ['multipart/mixed', 'multipart/mixed; boundary="', 'multipart/mixed; boundary=a']) {
      expect(elapsedMs(() => boundaryOf(start + unit.repeat(100_000 / unit.length)))).toBeLessThan(50);
    }
  });
});

describe('splitParts (RFC 2046 section 5.1.1)', () => {
  it('leaves out preamble and epilogue', () => {
    expect(texts('hello\r\n--b\r\none\r\n--b\r\ntwo\r\n--b--\r\nbye\r\n--b\r\nthree')).toEqual(['one', 'two']);
  });

  it('takes delimiters ended by line feeds, and with spaces behind them', () => {
    expect(texts('--b\none\n--b \t\ntwo\r\n--b-- \t')).toEqual(['one', 'two']);
  });

  it('leaves the line breaks of a part alone but for the one before the delimiter', () => {
    expect(texts('--b\r\n\r\none\n\r\n\r\n--b--')).toEqual(['\r\none\n\r\n']);
    expect(texts('--b\r\n--b\r\n\r\n--b--')).toEqual(['', '']);
  });

  it('sees no delimiter in the middle of a line', () => {
    expect(texts('--b\r\na --b\r\nb--b--\r\n--b--')).toEqual(['a --b\r\nb--b--']);
  });

  it.each([
    ...['', 'no delimiter', '--b\r\none', '--b\r\none\r\n--b', '--b', 'x--b--'].map((body) => [
      body,
      'does not end with its closing boundary line, --b--',
    ]),
    ...['--bc\r\none\r\n--b--', '--b\r\none\r\n--b-', '--b\r\none\r\n--b--c\r\n--b--'].map((body) => [
      body,
      'begins with the boundary but continues after it',
    ]),
    ['--b--', 'parts: send 1 to 100 parts in one batch'],
  ])('refuses %j and says why', (body = '', why = '') => {
    expect(refusalOf(() => texts(body))).toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining(why),
    });
  });

  it('stops at the limit of parts', () => {
    expect(texts('--b\na\n--b\nb\n--b--', 'b', 2)).toEqual(['a', 'b']);
    expect(codeOf(() => texts('--b\na\n--b\nb\n--b--', 'b', 1))).toBe('invalid_body');
  });

  it('gives back the bytes of any parts', () => {
    const bytes = fc.uint8Array({ maxLength: 80 }).map((part) => Buffer.from(part).toString('latin1'));
    const content = bytes.filter((text) => !text.endsWith('\r') && !`\n${text}`.includes('\n--b'));
    const bodies = fc.array(content, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(bodies, fc.constantFrom('\n', '\r\n'), (parts, lineBreak) => {
        const body = parts.map((part) => `--b${lineBreak}${part}${lineBreak}`).join('');
        expect(texts(`${body}--b--`)).toEqual(parts);
      }),
    );
  });
});

describe('readHeaderBlock', () => {
  const read = (text: string) => {
    const block = readHeaderBlock(Buffer.from(text, 'latin1'));
    return [block.headers, Buffer.from(block.rest).toString('latin1')];
  };

  it('reads fields up to the blank line, whatever ends the lines', () => {
    expect(read('A: 1\r\nb:2\n\r\nrest\r\n')).toEqual([Object.entries({ A: ' 1', b: '2' }), 'rest\r\n']);
    expect(read('\r\nrest')).toEqual([[], 'rest']);
    expect(read('A: 1')).toEqual([[['A', ' 1']], '']);
  });

  it('joins folded lines', () => {
    expect(read('A: 1\r\n 2\n\t3\r\n\r\n')).toEqual([[['A', ' 1 2\t3']], '']);
  });

  it.each(['no colon\r\n\r\n', ' folded first\r\n', 'A : 1\r\n', ': 1\r\n', 'A\0: 1\r\n', 'A(b): 1\r\n', 'A b: 1\r\n'])(
    'refuses %j',
    (text) => {
      expect(codeOf(() => read(text))).toBe('invalid_body');
    },
  );

  it('takes 100 lines and refuses 101', () => {
    expect(read('a:1\n'.repeat(100))[0]).toHaveLength(100);
    expect(codeOf(() => read('a:1\n'.repeat(101)))).toBe('invalid_body');
  });
});
