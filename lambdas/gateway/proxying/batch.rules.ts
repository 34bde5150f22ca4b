import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import { sha256Hex } from '../core/identifiers.ts';
import { BATCH_PART_HEADERS_MAX_COUNT, BATCH_PART_TARGET_MAX_BYTES } from '../core/limits.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { type DelegatedCall, delegatedHeaders, delegatedQuery } from './delegated.rules.ts';
import {
  isCredentialHeader,
  isForwardedHeader,
  isHeaderValue,
  nominatedNames,
  OTHER_CREDENTIALS_MESSAGE,
  OVERRIDE_PREFIX,
} from './headers.rules.ts';
import {
  assertProviderPath,
  isUnder,
  PROXY_PREFIX,
  rawQueryProblems,
  upstreamMethod,
  withMethodOverride,
  withoutNamedMethod,
} from './request-line.rules.ts';

/** A refusal of the whole request, or of one part: then only its message is used. */
function refused(message: string): GatewayError {
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
    throw refused('A batch needs Content-Type: multipart/mixed with a boundary.');
  }
  let boundary: string | undefined;
  PARAMETER.lastIndex = type.length;
  let end = type.length;
  for (let match = PARAMETER.exec(contentType); match !== null; match = PARAMETER.exec(contentType)) {
    end = PARAMETER.lastIndex;
    if (match[1]?.toLowerCase() !== 'boundary') continue;
    if (boundary !== undefined) throw refused("The batch's Content-Type names two boundaries; send one.");
    boundary = match[2]?.replace(/\\(.)/g, '$1') ?? match[3];
  }
  if (!/^[ \t;]*$/.test(contentType.slice(end)) || boundary === undefined || !BOUNDARY.test(boundary)) {
    throw refused(
      "The batch's Content-Type needs a boundary of 1 to 70 legal characters; quote it where it has others than letters and digits.",
    );
  }
  return boundary;
}

/**
 * Bytes of each part between the delimiter lines, without the line break before a delimiter, and without preamble and epilogue
 * (RFC 2046 section 5.1.1). Lines may end in CRLF or LF; delimiter lines may have trailing spaces or tabs.
 *
 * @throws GatewayError `invalid_body` for no or too many parts, a missing closing delimiter, or a line that only begins
 * like a delimiter
 */
export function splitParts(body: Uint8Array, boundary: string, maxParts: number): Uint8Array[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Uint8Array[] = [];
  let partStart: number | undefined;
  for (let lineStart = 0; lineStart < bytes.length; ) {
    const newline = bytes.indexOf(LF, lineStart);
    const lineEnd = newline === -1 ? bytes.length : newline;
    // First byte first, because a view of each line would be most of the work.
    if (bytes[lineStart] === HYPHEN && bytes.subarray(lineStart, lineStart + delimiter.length).equals(delimiter)) {
      if (partStart !== undefined) parts.push(bytes.subarray(partStart, endBefore(bytes, lineStart, partStart)));
      const rest = bytes.toString('latin1', lineStart + delimiter.length, lineEnd);
      const closes = rest.startsWith('--');
      if (!isPadding(closes ? rest.slice(2) : rest)) {
        throw refused(
          'A line of the batch begins with the boundary but continues after it. Use a boundary that no part contains.',
        );
      }
      if (parts.length > maxParts || (closes && parts.length === 0)) throw wrongCount(maxParts);
      if (closes) return parts;
      partStart = lineEnd + 1;
    }
    lineStart = lineEnd + 1;
  }
  throw refused(`The batch does not end with its closing boundary line, --${boundary}--.`);
}

function wrongCount(maxParts: number): GatewayError {
  return refusal('invalid_body', [{ path: 'parts', message: `send 1 to ${maxParts} parts in one batch` }]);
}

const LF = 0x0a;
const HYPHEN = 0x2d;
const CR = 0x0d;

/** Where a part ends: the line break before a delimiter belongs to the delimiter. */
function endBefore(bytes: Uint8Array, lineStart: number, partStart: number): number {
  return Math.max(partStart, bytes[lineStart - 2] === CR ? lineStart - 2 : lineStart - 1);
}

/** Spaces and tabs that an intermediary may have added, and the CR of a CRLF. */
function isPadding(text: string): boolean {
  return /^[ \t]*\r?$/.test(text);
}

/** A header block and the rest after its blank line. */
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
    const field = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}):(.*)/s.exec(line.text);
    if (field === null) throw refused('it has a line that is no header field; write Name: value, then a blank line');
    if (headers.length === BATCH_PART_HEADERS_MAX_COUNT) {
      throw refused(`it has more than ${BATCH_PART_HEADERS_MAX_COUNT} header lines`);
    }
    headers.push([field[1] ?? '', field[2] ?? '']);
  }
  return { headers, rest: bytes.subarray(at) };
}

/** One line from a position, as Latin-1 without its line break, and where the next one starts. */
export function readLine(bytes: Uint8Array, at: number): { readonly text: string; readonly next: number } {
  const newline = bytes.indexOf(LF, at);
  const end = newline === -1 ? bytes.length : newline;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1');
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, next: Math.min(end + 1, bytes.length) };
}

/** Addresses that a client of the gateway may have written into a part. */
export interface BatchAddresses {
  /** The gateway's public address, no trailing slash; may end in a stage path. */
  readonly baseUrl: string;
  /** The provider's API origin, no trailing slash. */
  readonly apiOrigin: string;
  /** Set where a service account acts for the connection's user. */
  readonly delegated?: DelegatedCall | undefined;
}

/** Printable ASCII without space, quote and `#`. */
const RAW_QUERY = /^[\x21\x24-\x7e]*$/;

/**
 * A part's target for the provider: path and query byte for byte, without the gateway's address and `/proxy` (PX-22).
 *
 * @throws GatewayError with the reason why the target may not be sent
 */
function batchTarget(target: string, provider: Provider, addresses: BatchAddresses): string {
  if (target.length > BATCH_PART_TARGET_MAX_BYTES) {
    throw refused(`Its address is longer than ${BATCH_PART_TARGET_MAX_BYTES} bytes.`);
  }
  const local = withoutOrigin(target, [addresses.apiOrigin, provider.server.addresses.apiBaseUrl], addresses.baseUrl);
  const queryAt = local.indexOf('?');
  const path = withoutProxyPrefix(queryAt === -1 ? local : local.slice(0, queryAt), addresses);
  assertProviderPath(path, provider);
  if (provider.uploadPathPrefixes.some((prefix) => path.startsWith(prefix))) {
    throw refused('Uploads are not taken in a batch; send them one by one.');
  }
  if (provider.batchPaths.includes(path)) {
    throw refused('A batch cannot hold a batch; send its parts directly.');
  }
  if (!provider.batchPartPrefixes.some((prefix) => isUnder(path, prefix))) {
    const reached = provider.batchPartPrefixes.join(', ');
    throw refused(`A batch reaches ${reached} only; send this call by itself.`);
  }
  if (queryAt === -1) return path;
  const query = forUser(checkedQuery(local.slice(queryAt)).slice(1), addresses.delegated);
  return query === '' && addresses.delegated !== undefined ? path : `${path}?${query}`;
}

/**
 * `/path?query` of an origin-form target, or of an absolute one at the gateway or the provider (RFC 9112 section 3.2). The provider's
 * public origin is accepted even where another one replaces it, because redirected clients write it.
 */
function withoutOrigin(target: string, apiOrigins: readonly string[], baseUrl: string): string {
  if (target.startsWith('/')) return target;
  const pathAt = target.indexOf('/', target.indexOf('://') + 3);
  const origin = target.slice(0, pathAt).toLowerCase();
  const known = [...apiOrigins.map((api) => api.toLowerCase()), new URL(baseUrl).origin];
  if (pathAt === -1 || !known.includes(origin)) {
    throw refused(`Address a part by its path, or under ${apiOrigins[0]}; this address is neither.`);
  }
  return target.slice(pathAt);
}

/** The path without the gateway's stage and `/proxy`, or without `/proxy`; any other stays unchanged. */
function withoutProxyPrefix(path: string, { baseUrl }: BatchAddresses): string {
  const stage = new URL(baseUrl).pathname.replace(/\/$/, '');
  for (const prefix of [stage + PROXY_PREFIX, PROXY_PREFIX]) {
    if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  }
  return path;
}

/** `?query` as it was sent. */
function checkedQuery(query: string): string {
  if (!RAW_QUERY.test(query)) {
    throw refused('Its query holds characters that must be percent-encoded.');
  }
  const first = rawQueryProblems(query.slice(1))[0];
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`);
  return query;
}

/** A query without the caller's own quota keys; refused where it requests an administrator's rights (SA-21, SA-22). */
function forUser(query: string, delegated: DelegatedCall | undefined): string {
  const kept = delegatedQuery(query, delegated);
  const [first] = kept.problems;
  if (first !== undefined) throw refused(`${first.path} ${first.message}`);
  return kept.query;
}

/** Header fields of a part that are meaningful to the provider. */
const PART_HEADERS = ['Content-Type', 'Content-ID', 'Content-Transfer-Encoding'] as const;

/** A part as sent to the provider. */
interface RewrittenPart extends BatchPart {
  readonly bytes: Uint8Array;
}

/**
 * One part of a batch for the provider: own header block, request line, inner headers and body (PX-22). Identity and everything meant
 * for the gateway are removed; body bytes are unchanged.
 *
 * @throws GatewayError with the reason why this part may not be sent
 */
function rewritePart(part: Uint8Array, provider: Provider, addresses: BatchAddresses): RewrittenPart {
  const outer = readHeaderBlock(part);
  const outerLines = PART_HEADERS.flatMap((name) => keptOnce(outer.headers, name));
  checkPartType(outer.headers);

  let start = readLine(outer.rest, 0);
  while (start.text === '' && start.next < outer.rest.length) start = readLine(outer.rest, start.next);
  const { sentMethod, sentTarget } = readRequestLine(start.text);
  const inner = readHeaderBlock(outer.rest.subarray(start.next));
  let body = declaredBody(inner.rest, headerValues(inner.headers, 'content-length'));

  const asked = withoutNamedMethod(sentMethod, inner.headers);
  const sent = upstreamMethod(asked.method, asked.headers, body.length > 0);
  const { method, effectiveMethod } = sent;
  const target = batchTarget(sentTarget, provider, addresses);
  const passed = withMethodOverride(innerHeaders(asked.headers), sent, body.length > 0);
  const headers = delegatedHeaders(passed, addresses.delegated);
  if (method !== effectiveMethod) {
    checkFormQuery(body);
    body = Buffer.from(forUser(Buffer.from(body).toString('latin1'), addresses.delegated), 'latin1');
  }
  const length = headerValues(inner.headers, 'content-length').length > 0 ? [`Content-Length: ${body.length}`] : [];
  const innerLines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ];
  const head = [...outerLines, '', ...innerLines, '', ''].join('\r\n');
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]),
    method: effectiveMethod,
    target,
    headers,
    body,
    ...(method === effectiveMethod ? {} : { form: Buffer.from(body).toString('latin1') }),
  };
}

function keptOnce(headers: HeaderPairs, name: string): string[] {
  const values = headerValues(headers, name).map((value) => value.trim());
  if (values.length > 1) throw refused(`it has ${name} twice; send it once`);
  if (values.some((value) => !isHeaderValue(value))) throw refused(`its ${name} holds illegal characters`);
  return values.map((value) => `${name}: ${value}`);
}

function checkPartType(headers: HeaderPairs): void {
  const type = headerValues(headers, 'content-type')[0] ?? '';
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/http') {
    throw refused('a part needs Content-Type: application/http');
  }
  const encoding = headerValues(headers, 'content-transfer-encoding')[0]?.trim().toLowerCase() ?? 'binary';
  if (!['7bit', '8bit', 'binary'].includes(encoding)) {
    throw refused('its Content-Transfer-Encoding hides the request; send the part as it is');
  }
}

/** `METHOD target` with an optional `HTTP/1.1` (RFC 9112 section 3). */
function readRequestLine(line: string): { readonly sentMethod: string; readonly sentTarget: string } {
  const [sentMethod = '', sentTarget = '', version, ...more] = line.split(' ');
  if (sentMethod === '' || sentTarget === '' || more.length > 0 || (version ?? 'HTTP/1.1') !== 'HTTP/1.1') {
    throw refused('its request line is not METHOD path, with or without HTTP/1.1');
  }
  return { sentMethod, sentTarget };
}

/** Inner headers for the provider: by the rules of the whole request, but no prefix is removed here. */
function innerHeaders(headers: HeaderPairs): [string, string][] {
  const nominated = nominatedNames(headerValues(headers, 'connection'));
  const kept: [string, string][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower.startsWith(OVERRIDE_PREFIX))
      throw refused(`${name} has no meaning inside a batch; send the plain header`);
    if (isCredentialHeader(lower)) throw refused(`${name}: ${OTHER_CREDENTIALS_MESSAGE}`);
    if (!isHeaderValue(value)) throw refused(`its header ${name} must be Latin-1 text without line breaks or NUL`);
    if (!nominated.has(lower) && isForwardedHeader(lower)) kept.push([name, value.trim()]);
  }
  return kept;
}

/**
 * The body: the bytes of the declared length when only line breaks follow, otherwise everything. Clients count characters instead of
 * bytes, or leave blank lines before the next delimiter.
 */
function declaredBody(rest: Uint8Array, lengths: readonly string[]): Uint8Array {
  const declared =
    lengths.length === 1 && /^\d{1,9}$/.test(lengths[0]?.trim() ?? '') ? Number(lengths[0]) : rest.length;
  const isSlack = rest.subarray(declared).every((byte) => byte === 0x0d || byte === 0x0a);
  return isSlack ? rest.subarray(0, declared) : rest;
}

/** A query sent as a form follows the query's rules (PX-23). */
function checkFormQuery(body: Uint8Array): void {
  const first = rawQueryProblems(Buffer.from(body).toString('latin1'))[0];
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`);
}

/** A batch as the caller sent it. */
export interface BatchRequest {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly provider: Provider;
  /** The gateway's public address, no trailing slash; may end in a stage path. */
  readonly baseUrl: string;
  /** The provider's API origin, no trailing slash. */
  readonly apiOrigin: string;
  /** Set where a service account acts for the connection's user. */
  readonly delegated?: DelegatedCall | undefined;
}

/** The request of a part. */
export interface BatchPart {
  /** The method that the provider executes. */
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Headers inside the part, as sent to the provider. */
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  /** The query of a read that is sent as a form. */
  readonly form?: string;
}

/** A batch as sent to the provider. */
export interface RewrittenBatch {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly parts: readonly BatchPart[];
}

/**
 * Rewrites every part of a batch for the provider: clients pointed at the gateway write its address, `/proxy` and the
 * secret key into each part (PX-22; RFC 2046 section 5.1; Google, "Batching requests"). The whole is written again under a
 * boundary no caller can choose, so that the provider splits it exactly where it was split here.
 *
 * @throws GatewayError `invalid_body`, its problems naming each bad part as `parts[n]`, n from 0
 */
export function rewriteBatchRequest(batch: BatchRequest): RewrittenBatch {
  const parts = splitParts(batch.body, boundaryOf(batch.contentType), batch.provider.batchMaxParts);
  const problems: Problem[] = [];
  const rewritten: RewrittenPart[] = [];
  parts.forEach((part, index) => {
    try {
      rewritten.push(rewritePart(part, batch.provider, batch));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.push({ path: `parts[${index}]`, message: error.message });
    }
  });
  if (problems.length > 0) throw refusal('invalid_body', problems);
  const bytes = rewritten.map((part) => part.bytes);
  const boundary = `batch_${sha256Hex(Buffer.concat(bytes)).slice(0, 40)}`;
  return {
    body: joinParts(bytes, boundary),
    contentType: `multipart/mixed; boundary=${boundary}`,
    parts: rewritten.map(({ bytes: _, ...part }) => part),
  };
}

function joinParts(parts: readonly Uint8Array[], boundary: string): Uint8Array {
  const delimiter = Buffer.from(`--${boundary}\r\n`);
  const lineBreak = Buffer.from('\r\n');
  return Buffer.concat([...parts.flatMap((part) => [delimiter, part, lineBreak]), Buffer.from(`--${boundary}--\r\n`)]);
}
