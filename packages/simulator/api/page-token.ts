import { isRecord } from '../parse.ts';
import { sha256Hex } from '../random.ts';

/** Makes an opaque page token: an offset that only works with the query it came from. */
export function encodePageToken(offset: number, query: string): string {
  return `~!!~${Buffer.from(JSON.stringify({ offset, query: sha256Hex(query).slice(0, 16) })).toString('base64url')}`;
}

/** Reads a page token back; `undefined` when it is not one, or belongs to another query. */
export function decodePageToken(token: string, query: string): number | undefined {
  if (!token.startsWith('~!!~')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token.slice(4), 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.query !== sha256Hex(query).slice(0, 16)) return undefined;
  const { offset } = value;
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0 ? offset : undefined;
}

/** One page of a list: its entries, and the offset of the next page if there is one. */
export function takePage<T>(list: readonly T[], offset: number, size: number): { page: T[]; next: number | undefined } {
  const page = list.slice(offset, offset + size);
  const next = offset + page.length;
  return { page, next: next < list.length ? next : undefined };
}
