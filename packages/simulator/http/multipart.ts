import { type HeaderList, headerValue } from './exchange.ts';

/** One part of a multipart body. */
export interface BodyPart {
  headers: HeaderList;
  body: Buffer;
}

/** Thrown for a multipart body that cannot be taken apart; the message is fit for the sender. */
export class MultipartError extends Error {}

/** Boundary of a multipart Content-Type (RFC 2046 5.1.1), quoted or not. */
export function readBoundary(headers: HeaderList): string | undefined {
  const groups = /;\s*boundary=(?:"(?<quoted>[^"]+)"|(?<plain>[^\s;]+))/i.exec(
    headerValue(headers, 'content-type') ?? '',
  )?.groups;
  return groups?.quoted ?? groups?.plain;
}

/** Reads `Name: value` lines; a line without a colon is refused. */
export function parseHeaderLines(text: string): HeaderList {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) throw new MultipartError(`"${line.slice(0, 40)}" is not a header line.`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
}

/** Splits bytes at the first blank line into header text and the rest; both line ends are understood. */
export function splitHead(bytes: Buffer): { head: string; rest: Buffer } {
  for (const blank of ['\r\n\r\n', '\n\n']) {
    const at = bytes.indexOf(blank);
    const other = blank === '\r\n\r\n' ? bytes.indexOf('\n\n') : -1;
    if (at !== -1 && (other === -1 || at < other)) {
      return { head: bytes.subarray(0, at).toString('utf8'), rest: bytes.subarray(at + blank.length) };
    }
  }
  return { head: bytes.toString('utf8'), rest: Buffer.alloc(0) };
}

function parsePart(bytes: Buffer): BodyPart {
  // A part that starts with a line end has no header at all.
  const bare = /^\r?\n/.exec(bytes.subarray(0, 2).toString('latin1'))?.[0];
  if (bare !== undefined) return { headers: [], body: bytes.subarray(bare.length) };
  const { head, rest } = splitHead(bytes);
  return { headers: parseHeaderLines(head), body: rest };
}

/** What may follow the boundary on its own line: the closing hyphens, or blanks up to the line end. */
const DELIMITER_END = /^(?:--|[ \t]*\r?\n)/;

/** Next delimiter that is a line of its own; a longer line that only starts alike is content. */
function findDelimiter(body: Buffer, delimiter: Buffer, from: number): number {
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const after = at + delimiter.length;
    const startsLine = at === 0 || body[at - 1] === 0x0a;
    if (startsLine && DELIMITER_END.test(body.subarray(after, after + 80).toString('latin1'))) return at;
  }
  return -1;
}

/**
 * Takes a multipart body apart (RFC 2046 5.1).
 * @throws {MultipartError} when the first or the closing boundary is missing
 */
export function parseMultipart(body: Buffer, boundary: string): BodyPart[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: BodyPart[] = [];
  let at = findDelimiter(body, delimiter, 0);
  if (at === -1) throw new MultipartError('The body does not contain the boundary of its Content-Type.');
  for (;;) {
    const after = at + delimiter.length;
    if (body.subarray(after, after + 2).toString('latin1') === '--') return parts;
    const start = body.indexOf('\n', after) + 1;
    const next = findDelimiter(body, delimiter, start);
    if (next === -1) throw new MultipartError('The closing boundary is missing.');
    const end = body[next - 2] === 0x0d ? next - 2 : next - 1;
    parts.push(parsePart(body.subarray(start, Math.max(start, end))));
    at = next;
  }
}
