/** What a Range header asks of a body: the whole, a part, or something that does not exist. */
export type ByteRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number /** Not included. */; end: number }
  | { kind: 'unsatisfiable' };

/** Reads a single-part `Range: bytes=` header; malformed and multi-part ones are ignored (RFC 9110 14.2). */
export function parseByteRange(header: string | undefined, length: number): ByteRange {
  const groups = /^bytes=(?<first>\d*)-(?<last>\d*)$/.exec(header?.trim() ?? '')?.groups;
  const first = groups?.first ?? '';
  const last = groups?.last ?? '';
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const start = Math.max(0, length - Number(last));
    return Number(last) === 0 || length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start, end: length };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= length) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? length : Math.min(length, Number(last) + 1) };
}
