/** New content of a file. */
export interface Content {
  readonly mediaType: string;
  readonly bytes: number;
}

/** A part of a call that a person cannot be shown completely. */
export interface Undescribed {
  /** Name of the query parameter, path of the member of the body, or name of the header. */
  readonly member: string;
}

export const JSON_TYPE = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A media type that all readers interpret alike; undefined for any other text. */
export function mediaTypeOf(type: string): string | undefined {
  const text = type.trim();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*charset\s*=\s*"?[\w-]+"?)?$/.test(text) ? text : undefined;
}

/** A boundary, and nothing else that a reader could interpret as one. */
const RELATED =
  /^\s*multipart\/related\s*;\s*boundary\s*=\s*(?:"([A-Za-z0-9'()+_,./:=? -]{1,70})"|([A-Za-z0-9'+_.-]{1,70}))\s*$/i;

const ENCODINGS = /^(?:7bit|8bit|binary)$/i;

/**
 * The two parts of an upload in one request: members of the file, then its content. The boundary occurs exactly three times in the
 * body, lines end alike, and no part's header changes its interpretation, so all readers find the same parts.
 */
export function readRelated(
  type: string,
  body: Uint8Array,
): { readonly json: Uint8Array; readonly content: Content } | Undescribed {
  const [, quoted, plain = quoted] = RELATED.exec(type) ?? [];
  if (plain === undefined || plain.endsWith(' ')) return { member: 'content-type' };
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const pieces = text.split(`--${plain}`);
  const [before, first, second, end] = pieces;
  if (pieces.length !== 4 || before !== '' || first === undefined || second === undefined) return { member: 'body' };
  const eol = first.startsWith('\r\n') ? '\r\n' : '\n';
  if (end === undefined || !['--', `--${eol}`].includes(end)) return { member: 'body' };
  const metadata = readPart(first, eol);
  const media = readPart(second, eol);
  if (metadata === undefined || media === undefined) return { member: 'body' };
  if (!JSON_TYPE.test(metadata.headers.get('content-type') ?? '')) return { member: 'content-type' };
  for (const { headers } of [metadata, media]) {
    const other = [...headers.keys()].find((name) => !PART_HEADERS.has(name));
    if (other !== undefined) return { member: other };
  }
  const [ofMetadata = 'binary', ofMedia = 'binary'] = [metadata, media].map(({ headers }) =>
    headers.get('content-transfer-encoding'),
  );
  if (!ENCODINGS.test(ofMetadata)) return { member: 'content-transfer-encoding' };
  const isBase64 = /^base64$/i.test(ofMedia);
  if (!isBase64 && !ENCODINGS.test(ofMedia)) return { member: 'content-transfer-encoding' };
  const mediaType = mediaTypeOf(media.headers.get('content-type') ?? '');
  if (mediaType === undefined) {
    return { member: 'content-type' };
  }
  const bytes = isBase64 ? Buffer.from(media.rest, 'base64').length : media.rest.length;
  return { json: Buffer.from(metadata.rest, 'latin1'), content: { mediaType, bytes } };
}

const PART_HEADERS = new Set(['content-type', 'content-transfer-encoding', 'mime-version']);

/** Headers and content of a part, between the lines of two boundaries. */
function readPart(text: string, eol: string) {
  if (!text.startsWith(eol) || !text.endsWith(eol)) return undefined;
  const blankAt = text.indexOf(eol + eol);
  if (blankAt < 0 || blankAt + 2 * eol.length > text.length) return undefined;
  const head = text.slice(eol.length, Math.max(blankAt, eol.length));
  const lines = head === '' ? [] : head.split(eol);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([A-Za-z-]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined || headers.has(name.toLowerCase())) return undefined;
    headers.set(name.toLowerCase(), value);
  }
  return { headers, rest: text.slice(blankAt + 2 * eol.length, text.length - eol.length) };
}
