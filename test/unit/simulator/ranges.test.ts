import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUploadRange } from '../../../packages/simulator/drive/content-range.ts';
import { parseByteRange } from '../../../packages/simulator/http/byte-range.ts';

test('never reads a byte range outside the body', () => {
  fc.assert(
    fc.property(fc.option(fc.nat(50)), fc.option(fc.nat(50)), fc.nat(40), (first, last, length) => {
      const range = parseByteRange(`bytes=${first ?? ''}-${last ?? ''}`, length);
      if (range.kind !== 'part') return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThan(range.start);
      expect(range.end).toBeLessThanOrEqual(length);
    }),
  );
});

test('reads any header text as a range without failing', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(40), (header, length) => {
      expect(['whole', 'part', 'unsatisfiable']).toContain(parseByteRange(header, length).kind);
      expect(['status', 'chunk', 'whole', 'invalid']).toContain(parseUploadRange(header).kind);
    }),
  );
});

test('reads back the chunk a client names', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.nat(1e6), fc.option(fc.nat(1e6)), (start, more, rest) => {
      const last = start + more;
      const total = rest === null ? undefined : last + 1 + rest;
      expect(parseUploadRange(`bytes ${start}-${last}/${total ?? '*'}`)).toEqual({ kind: 'chunk', start, last, total });
    }),
  );
});

test.each([
  ['bytes */*', { kind: 'status', total: undefined }],
  ['bytes */12', { kind: 'status', total: 12 }],
  [undefined, { kind: 'whole' }],
  ['bytes 5-4/10', { kind: 'invalid' }],
  ['bytes 0-10/10', { kind: 'invalid' }],
  ['bytes 0-', { kind: 'invalid' }],
  ['chunks 0-1/2', { kind: 'invalid' }],
])('reads the Content-Range %s', (header, expected) => {
  expect(parseUploadRange(header)).toEqual(expected);
});
