/** Requests that API Gateway refuses before it looks at the API, because of HTTP or its own limits. */
import { PAYLOAD_MAX_BYTES } from '../lambda/outcome.ts';
import type { GatewayErrorKind } from './gateway-errors.ts';
import { headerBytes, MAX_HEADER_BYTES } from './request-headers.ts';

/** Largest body in front of the REST API, and in front of a function URL, whose whole event is limited to it. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
export const MAX_EVENT_BYTES = PAYLOAD_MAX_BYTES;
const MAX_TARGET_LENGTH = 10_240;
/** `|`, `{`, `}` have to be encoded in a query ("Amazon API Gateway important notes"); a `%` begins two hex digits (RFC 3986 section 2.1). */
const UNENCODED_IN_QUERY = /[|{}]|%(?![0-9A-Fa-f]{2})/;

/**
 * Why a function URL refuses a request at once, or undefined. Its limits of addresses and headers, and its handling of chunks, are
 * not documented: here they are the REST API's, so that nothing passes that only one door accepts.
 *
 * @param target the raw request target; `headers` as sent, in order
 */
export function refusedByUrl(
  target: string,
  headers: readonly (readonly [string, string])[],
): GatewayErrorKind | undefined {
  const refused = refusedAtOnce(target.split('?', 1)[0] ?? '', headers);
  if (refused !== undefined) return refused;
  if (target.length > MAX_TARGET_LENGTH) return 'uri-too-long';
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return Number(length ?? 0) > MAX_EVENT_BYTES ? 'request-too-large' : undefined;
}

/** Why a request is refused at once, or undefined. @param target the raw request target; `headers` as sent, in order */
export function refusedAtOnce(
  target: string,
  headers: readonly (readonly [string, string])[],
): GatewayErrorKind | undefined {
  if (target.length > MAX_TARGET_LENGTH) return 'uri-too-long';
  if (headerBytes(headers) > MAX_HEADER_BYTES) return 'headers-too-large';
  const values = (name: string): string[] =>
    headers.filter(([sent]) => sent.toLowerCase() === name).map(([, value]) => value);
  // RFC 9112 section 3.2: with two hosts the intended one is unknown.
  if (values('host').length > 1) return 'bad-request';
  const codings = values('transfer-encoding').join().trim().toLowerCase();
  if (codings === 'chunked') return 'length-required';
  // RFC 9112 section 6.3: where chunked is not the last coding, the end of the body is unknown.
  if (codings !== '') return /(?:^|,)[ \t]*chunked$/.test(codings) ? 'unknown-transfer-coding' : 'bad-request';
  const queryAt = target.indexOf('?');
  if (queryAt >= 0 && UNENCODED_IN_QUERY.test(target.slice(queryAt))) return 'bad-request';
  if (Number(values('content-length')[0] ?? 0) > MAX_BODY_BYTES) return 'request-too-large';
  return undefined;
}
