import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { type HeaderPairs, headerValue, headerValues } from '../../gateway/core/http-message.ts';
import { REQUEST_BODY_MAX_BYTES } from '../../gateway/core/limits.ts';
import {
  type Inverses,
  type Irreversible,
  isObject,
  type JsonObject,
  type PlannedChange,
} from '../../gateway/providers/inverse.rules.ts';
import type { ApiMethod } from '../../gateway/providers/provider.rules.ts';
import { readHeaderBlock, splitParts } from '../../gateway/proxying/batch.rules.ts';
import { JOURNAL_ANSWER_MAX_BYTES } from './limits.rules.ts';

/** A request as sent to the provider. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: HeaderPairs;
  readonly body?: Uint8Array | undefined;
}

/** The write of a request. */
export type ReadWrite =
  /** `creates`: the method of an upload session that this request opens, whose last part creates an object. */
  | { readonly kind: 'nothing'; readonly creates?: string }
  | { readonly kind: 'write'; readonly method: string; readonly planned: PlannedChange }
  | { readonly kind: 'not_undoable'; readonly method: string | null; readonly reason: Irreversible };

const NOTHING: ReadWrite = { kind: 'nothing' };

/** The write of a request, by the provider's methods in their documented spelling. */
export function readWrite(
  methods: readonly ApiMethod[],
  inverses: Inverses | undefined,
  request: SentRequest,
): ReadWrite {
  if (request.method === 'GET' || request.method === 'HEAD') return NOTHING;
  if (inverses === undefined) return { kind: 'not_undoable', method: null, reason: 'no_inverse' };
  const queryAt = request.target.indexOf('?');
  const path = queryAt < 0 ? request.target : request.target.slice(0, queryAt);
  const query = new Map(new URLSearchParams(queryAt < 0 ? '' : request.target.slice(queryAt + 1)));
  const session = UPLOAD.test(path) && query.has('upload_id');
  // DELETE cancels a session: nothing was or will be written.
  if (session && request.method === 'DELETE') return NOTHING;
  const found = methodOf(methods, session ? 'PUT' : request.method, path);
  if (found === undefined) return { kind: 'not_undoable', method: null, reason: 'unknown_request' };
  const { id: method, ids } = found;
  const writing = Object.hasOwn(inverses.methods, method) ? inverses.methods[method] : undefined;
  if (writing === undefined) return NOTHING;
  if (session && !endsSession(request)) return NOTHING;
  const isUpload = UPLOAD.test(path);
  const uploadType =
    query.get('uploadType') ?? query.get('upload_protocol') ?? headerValue(request.headers, 'x-goog-upload-protocol');
  // A session writes with its last part, whose answer has the fields that this request names.
  if (isUpload && !session && uploadType === 'resumable') {
    const planned = writing({ method, ids, query, body: {}, media: 'session' });
    return typeof planned !== 'string' && planned.made !== undefined ? { kind: 'nothing', creates: method } : NOTHING;
  }
  const media = session ? 'session' : isUpload ? 'whole' : 'none';
  const isMediaAlone = session || (isUpload && uploadType !== 'multipart');
  const body = isMediaAlone ? {} : bodyOf(request);
  if (body === undefined) return { kind: 'not_undoable', method, reason: 'unreadable_body' };
  const planned = writing({ method, ids, query, body, media });
  return typeof planned === 'string'
    ? { kind: 'not_undoable', method, reason: planned }
    : { kind: 'write', method, planned };
}

const UPLOAD = /^\/(?:resumable\/)?upload\//;

/**
 * Whether the answer to a creating request will contain the object's id in a readable form (AP-24): all fields or `id` among them, as
 * JSON, in a known content coding. Every spelling that Google may accept counts.
 */
export function answerHasId({ target, headers }: SentRequest): boolean {
  const queryAt = target.indexOf('?');
  const pairs = [...new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1).replaceAll(';', '&'))];
  const valuesOf = (name: string) =>
    pairs.filter(([key]) => key.trim().toLowerCase().replace(/^\$/, '') === name).map(([, value]) => value.trim());
  const masks = [...valuesOf('fields'), ...headerValues(headers, 'x-goog-fieldmask')];
  const codings = headerValues(headers, 'accept-encoding')
    .flatMap((value) => value.split(','))
    .map((one) => (one.split(';', 1)[0] ?? '').trim().toLowerCase());
  return (
    masks.every(selectsId) &&
    valuesOf('alt').every((value) => value.toLowerCase() === 'json') &&
    codings.every((coding) => ['', '*', 'identity', ...Object.keys(UNPACK)].includes(coding))
  );
}

/** Whether a field mask selects `id`, or everything, outside all parentheses. */
function selectsId(mask: string): boolean {
  let depth = 0;
  let outer = '';
  for (const character of mask) {
    if (character === '(') depth++;
    if (depth === 0) outer += character;
    if (character === ')') depth--;
  }
  return outer.split(',').some((selector) => ['id', '*'].includes(selector.trim()));
}

/** Whether a request to a session may be its last: it sends the last bytes, or asks whether all have arrived. */
function endsSession({ headers }: SentRequest): boolean {
  const command = headerValue(headers, 'x-goog-upload-command');
  if (command !== undefined) return /finalize/i.test(command);
  const range = headerValue(headers, 'content-range');
  const [, last, total] = /^bytes (?:\d+-(\d+)|\*)\/(\d+|\*)$/.exec(range?.trim() ?? '') ?? [];
  if (range === undefined || total === undefined) return true;
  return last === undefined || (total !== '*' && Number(last) + 1 === Number(total));
}

/** The method of a request, and the ids of its path; a literal beats an id. */
function methodOf(methods: readonly ApiMethod[], verb: string, path: string) {
  const segments = path.split('/');
  let best: { readonly id: string; readonly ids: readonly string[]; readonly literals: number } | undefined;
  for (const [id, method, pattern] of methods) {
    if (method !== verb) continue;
    const ids = idsIn(pattern.split('/'), segments);
    const literals = segments.length - (ids?.length ?? 0);
    if (ids !== undefined && literals > (best?.literals ?? -1)) best = { id, ids, literals };
  }
  return best;
}

function idsIn(pattern: readonly string[], segments: readonly string[]): readonly string[] | undefined {
  if (pattern.length !== segments.length) return undefined;
  const ids: string[] = [];
  for (const [at, wanted] of pattern.entries()) {
    const segment = segments[at] ?? '';
    if (wanted === segment) continue;
    const verb = wanted.startsWith('{}') ? wanted.slice(2) : undefined;
    if (verb === undefined || !segment.endsWith(verb)) return undefined;
    const id = decoded(segment.slice(0, segment.length - verb.length));
    if (id === undefined || id === '' || id.includes('/')) return undefined;
    ids.push(id);
  }
  return ids;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a body; empty without one, undefined where it is unreadable. */
function bodyOf({ headers, body }: SentRequest): JsonObject | undefined {
  if (body === undefined || body.length === 0) return {};
  const bytes = unpacked(body, headers, REQUEST_BODY_MAX_BYTES);
  if (bytes === undefined) return undefined;
  const type = headerValue(headers, 'content-type') ?? '';
  if (!/^multipart\//i.test(type.trim())) return parsed(bytes);
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type);
  try {
    const [first] = splitParts(bytes, boundary?.[1] ?? boundary?.[2] ?? '', 2);
    if (first === undefined) return undefined;
    const { headers: inner, rest } = readHeaderBlock(first);
    const encoding = headerValue(inner, 'content-transfer-encoding')?.trim().toLowerCase();
    return parsed(encoding === 'base64' ? Buffer.from(Buffer.from(rest).toString('latin1'), 'base64') : rest);
  } catch {
    return undefined;
  }
}

/** JSON object of a text; undefined for any other text. */
export function parsed(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const UNPACK = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Decompressed bytes; undefined for an unknown coding, or beyond the limit. */
export function unpacked(
  bytes: Uint8Array,
  headers: HeaderPairs,
  maxBytes = JOURNAL_ANSWER_MAX_BYTES,
): Uint8Array | undefined {
  const encoding = (headerValue(headers, 'content-encoding') ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return bytes;
  const found = Object.entries(UNPACK).find(([name]) => name === encoding)?.[1];
  try {
    return found?.(bytes, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}
