import { GatewayError, refusal } from '../core/errors.ts';
import { BATCH_PART_HEADERS_MAX_COUNT } from '../core/limits.ts';

/** A whole request that is not a readable multipart/mixed body. */
function unreadable(message: string): GatewayError {
  return new GatewayError('invalid_body', message);
}

const PARAMETER = /[ \t]*;[ \t]*([A-Za-z0-9!#$%&'*+.^_`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/y;
/** RFC 2046 section 5.1.1: 1 to 70 of these, the last one no space. */
const BOUNDARY = /^[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]$/;

/**
 * Boundary named by a `multipart/mixed` content type, quoted or not (RFC 2046 section 5.1.1).
 *
 * @throws GatewayError `invalid_body`
 */
export function boundaryOf(contentType: string): string {
  const type = contentType.split(';', 1)[0] ?? '';
  if (type.trim().toLowerCase() !== 'multipart/mixed') {
    throw unreadable('A batch needs Content-Type: multipart/mixed with a boundary.');
  }
  let boundary: string | undefined;
  PARAMETER.lastIndex = type.length;
  let end = type.length;
  for (let match = PARAMETER.exec(contentType); match !== null; match = PARAMETER.exec(contentType)) {
    end = PARAMETER.lastIndex;
    if (match[1]?.toLowerCase() !== 'boundary') continue;
    if (boundary !== undefined) throw unreadable("The batch's Content-Type names two boundaries; send one.");
    boundary = match[2]?.replace(/\\(.)/g, '$1') ?? match[3];
  }
  if (!/^[ \t;]*$/.test(contentType.slice(end)) || boundary === undefined || !BOUNDARY.test(boundary)) {
    throw unreadable(
      "The batch's Content-Type needs a boundary of 1 to 70 legal characters; quote it where it has others than letters and digits.",
    );
  }
  return boundary;
}

/**
 * Bytes of each part between the delimiter lines, the line break before a delimiter taken off; preamble and epilogue are
 * left out (RFC 2046 section 5.1.1). Lines may end in CRLF or LF; delimiter lines may have spaces or tabs after them.
 *
 * @throws GatewayError `invalid_body` for no or too many parts, a missing closing delimiter, or a line that only begins
 *   like a delimiter
 */
export function splitParts(body: Uint8Array, boundary: string, maxParts: number): Uint8Array[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Uint8Array[] = [];
  let partStart: number | undefined;
  for (let lineStart = 0; lineStart < bytes.length; ) {
    const lineFeed = bytes.indexOf(LF, lineStart);
    const lineEnd = lineFeed === -1 ? bytes.length : lineFeed;
    if (bytes.subarray(lineStart, lineStart + delimiter.length).equals(delimiter)) {
      if (partStart !== undefined) parts.push(bytes.subarray(partStart, endBefore(bytes, lineStart, partStart)));
      const rest = bytes.toString('latin1', lineStart + delimiter.length, lineEnd);
      const closes = rest.startsWith('--');
      if (!isPadding(closes ? rest.slice(2) : rest)) {
        throw unreadable('A line of the batch begins with its boundary and goes on; use one that no part contains.');
      }
      if (parts.length > maxParts || (closes && parts.length === 0)) throw wrongCount(maxParts);
      if (closes) return parts;
      partStart = lineEnd + 1;
    }
    lineStart = lineEnd + 1;
  }
  throw unreadable(`The batch does not end with its closing boundary line, --${boundary}--.`);
}

function wrongCount(maxParts: number): GatewayError {
  return refusal('invalid_body', [{ path: 'parts', message: `send 1 to ${maxParts} parts in one batch` }]);
}

const LF = 0x0a;
const CR = 0x0d;

/** Where a part ends: the line break before a delimiter belongs to the delimiter. */
function endBefore(bytes: Uint8Array, lineStart: number, partStart: number): number {
  return Math.max(partStart, bytes[lineStart - 2] === CR ? lineStart - 2 : lineStart - 1);
}

/** Spaces and tabs a gateway on the way may have added, and the CR of a CRLF. */
function isPadding(text: string): boolean {
  return /^[ \t]*\r?$/.test(text);
}

/** A header block and what follows its blank line. */
export interface MessageBlock {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly rest: Uint8Array;
}

/**
 * Reads header lines up to a blank line or the end; folded lines are joined (RFC 5322 section 2.2.3).
 *
 * @throws GatewayError `invalid_body` for a line that is no header field
 */
export function readHeaderBlock(bytes: Uint8Array): MessageBlock {
  const headers: [string, string][] = [];
  let at = 0;
  while (at < bytes.length) {
    const line = readLine(bytes, at);
    at = line.next;
    if (line.text === '') return { headers, rest: bytes.subarray(at) };
    const last = headers.at(-1);
    if (/^[ \t]/.test(line.text) && last !== undefined) {
      last[1] += line.text;
      continue;
    }
    const field = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}):(.*)$/s.exec(line.text);
    if (field === null) throw unreadable('it has a line that is no header field; write Name: value, then a blank line');
    if (headers.length === BATCH_PART_HEADERS_MAX_COUNT) {
      throw unreadable(`it has more than ${BATCH_PART_HEADERS_MAX_COUNT} header lines`);
    }
    headers.push([field[1] ?? '', field[2] ?? '']);
  }
  return { headers, rest: bytes.subarray(at) };
}

/** One line from a position, as Latin-1 without its line break, and where the next one starts. */
export function readLine(bytes: Uint8Array, at: number): { readonly text: string; readonly next: number } {
  const lineFeed = bytes.indexOf(LF, at);
  const end = lineFeed === -1 ? bytes.length : lineFeed;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1');
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, next: Math.min(end + 1, bytes.length) };
}
