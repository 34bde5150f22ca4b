import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MultipartError, parseMultipart, readBoundary } from '../../../packages/simulator/http/multipart.ts';

const BOUNDARY = 'the=boundary';

test.each([
  ['multipart/mixed; boundary=abc', 'abc'],
  ['multipart/mixed; charset=x; boundary="a b;c"', 'a b;c'],
  ['multipart/mixed', undefined],
])('reads the boundary of %s', (type, boundary) => {
  expect(readBoundary([['Content-Type', type]])).toBe(boundary);
});

const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));

test('gives back every part byte for byte', () => {
  fc.assert(
    fc.property(fc.array(bytes, { minLength: 1, maxLength: 5 }), (bodies) => {
      const pieces = bodies.flatMap((body) => [
        Buffer.from(`--${BOUNDARY}\r\nX-A: 1\r\n\r\n`),
        body,
        Buffer.from('\r\n'),
      ]);
      const parts = parseMultipart(Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--`)]), BOUNDARY);
      expect(parts.map(({ body }) => body.toString('hex'))).toEqual(bodies.map((body) => body.toString('hex')));
      expect(parts.every(({ headers }) => headers.length === 1)).toBe(true);
    }),
  );
});

test('takes bare line feeds, a preamble and parts without headers', () => {
  const body = Buffer.from(
    `preamble\n--${BOUNDARY}  \n\nplain\n--${BOUNDARY}\nA: b\n\nrest\n--${BOUNDARY}--\nepilogue`,
  );
  const parts = parseMultipart(body, BOUNDARY);
  expect(parts.map((part) => String(part.body))).toEqual(['plain', 'rest']);
  expect(parts[1]?.headers).toEqual([['A', 'b']]);
});

test.each([`--${BOUNDARY}x`, `text --${BOUNDARY}`])('takes the line %s for content', (content) => {
  const [part] = parseMultipart(Buffer.from(`--${BOUNDARY}\r\n\r\n${content}\r\n--${BOUNDARY}--`), BOUNDARY);
  expect(String(part?.body)).toBe(content);
});

test.each(['', 'no boundary', `--${BOUNDARY}\r\n\r\nopen`, `--${BOUNDARY}\r\nno colon\r\n\r\nx\r\n--${BOUNDARY}--`])(
  'refuses %j',
  (body) => {
    expect(() => parseMultipart(Buffer.from(body), BOUNDARY)).toThrow(MultipartError);
  },
);
