import { gunzipSync, gzipSync } from 'node:zlib';
import { type HeaderList, headerValue, mediaType, type SimRequest, type SimResponse } from './exchange.ts';
import { MAX_REQUEST_BODY_BYTES } from './read-request.ts';

const COMPRESSIBLE = /^(?:text\/|application\/json|application\/javascript)/;

function collect(body: SimResponse['body']): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat([...body.chunks()]);
}

/** A list of codings that has gzip, with a weight that is not zero (RFC 9110 section 12.5.3). */
const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)/i;

/**
 * Compresses a complete text answer when the caller sends `Accept-Encoding: gzip` and names gzip in its User-Agent:
 * Google asks for both (Drive API, "Improve performance").
 */
export function compressForCaller(requestHeaders: HeaderList, response: SimResponse): SimResponse {
  const accepts = ACCEPTS_GZIP.test(headerValue(requestHeaders, 'accept-encoding') ?? '');
  const named = (headerValue(requestHeaders, 'user-agent') ?? '').includes('gzip');
  const isText = COMPRESSIBLE.test(mediaType(response.headers));
  const isPart = response.status === 206 || response.body.length === 0;
  if (!accepts || !named || !isText || isPart || response.following !== undefined) return response;
  const headers: HeaderList = [
    ...response.headers.filter(([name]) => name.toLowerCase() !== 'accept-ranges'),
    ['Content-Encoding', 'gzip'],
    ['Vary', 'Accept-Encoding'],
    ['Transfer-Encoding', 'chunked'],
  ];
  return { ...response, headers, body: gzipSync(collect(response.body)) };
}

/** The body of a request without the compression that its sender says it has; `undefined` when it does not have it. */
export function plainBody({ headers, body }: SimRequest): Buffer | undefined {
  const coding = headerValue(headers, 'content-encoding')?.trim().toLowerCase();
  if (coding !== 'gzip' && coding !== 'x-gzip') return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_REQUEST_BODY_BYTES });
  } catch {
    return undefined;
  }
}
