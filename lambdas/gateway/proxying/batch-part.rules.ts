import { GatewayError } from '../core/errors.ts';
import { type HeaderPairs, headerValues } from '../core/http-message.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { readHeaderBlock, readLine } from './batch-multipart.rules.ts';
import { type BatchAddresses, batchTarget } from './batch-target.rules.ts';
import { isRivalIdentity, nominatedNames } from './header-names.rules.ts';
import { upstreamMethod, withMethodOverride } from './method.rules.ts';
import { rawQueryProblems } from './query.rules.ts';
import { isForwardedHeader, isHeaderValue, OVERRIDE_PREFIX, RIVAL_MESSAGE } from './request-headers.rules.ts';

/** Fields of a part's own header block that mean something to the provider. */
const PART_HEADERS = ['Content-Type', 'Content-ID', 'Content-Transfer-Encoding'] as const;

/**
 * One part of a batch as the provider may see it: own header block, request line, inner headers and body (PX-22). Identity
 * and everything meant for the gateway are gone; body bytes are as sent.
 *
 * @throws GatewayError that says why this part may not be sent
 */
export function rewritePart(part: Uint8Array, provider: Provider, addresses: BatchAddresses): Uint8Array {
  const outer = readHeaderBlock(part);
  const outerLines = PART_HEADERS.flatMap((name) => keptOnce(outer.headers, name));
  checkPartType(outer.headers);

  let start = readLine(outer.rest, 0);
  while (start.text === '' && start.next < outer.rest.length) start = readLine(outer.rest, start.next);
  const { sentMethod, sentTarget } = readRequestLine(start.text);
  const inner = readHeaderBlock(outer.rest.subarray(start.next));
  const body = declaredBody(inner.rest, headerValues(inner.headers, 'content-length'));

  const sent = upstreamMethod(sentMethod, inner.headers, body.length > 0);
  const { method, effectiveMethod } = sent;
  const target = batchTarget(sentTarget, provider, addresses);
  const headers = withMethodOverride(innerHeaders(inner.headers), sent, body.length > 0);
  if (method !== effectiveMethod) checkFormQuery(body);
  const length = headerValues(inner.headers, 'content-length').length > 0 ? [`Content-Length: ${body.length}`] : [];
  const innerLines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ];
  const head = [...outerLines, '', ...innerLines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
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

/** Inner headers that reach the provider: the rules of the whole request, but nothing takes a prefix off in here. */
function innerHeaders(headers: HeaderPairs): [string, string][] {
  const nominated = nominatedNames(headerValues(headers, 'connection'));
  const kept: [string, string][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower.startsWith(OVERRIDE_PREFIX))
      throw refused(`${name} has no meaning inside a batch; send the plain header`);
    if (isRivalIdentity(lower)) throw refused(`${name}: ${RIVAL_MESSAGE}`);
    if (!isHeaderValue(value)) throw refused(`its header ${name} must be Latin-1 text without line breaks or NUL`);
    if (!nominated.has(lower) && isForwardedHeader(lower)) kept.push([name, value.trim()]);
  }
  return kept;
}

/**
 * The body: what the declared length covers when only line breaks follow it, otherwise everything. Clients count
 * characters instead of bytes, or leave blank lines before the next delimiter.
 */
function declaredBody(rest: Uint8Array, lengths: readonly string[]): Uint8Array {
  const declared =
    lengths.length === 1 && /^\d{1,9}$/.test(lengths[0]?.trim() ?? '') ? Number(lengths[0]) : rest.length;
  const isSlack = rest.subarray(declared).every((byte) => byte === 0x0d || byte === 0x0a);
  return isSlack ? rest.subarray(0, declared) : rest;
}

/** A query sent as a form obeys the query's rules (PX-23). */
function checkFormQuery(body: Uint8Array): void {
  const first = rawQueryProblems(Buffer.from(body).toString('latin1'))[0];
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`);
}

function refused(message: string): GatewayError {
  return new GatewayError('invalid_body', message);
}
