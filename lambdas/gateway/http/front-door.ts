import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import {
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  headerValue,
  headerValues,
} from '../core/http-message.ts';

/**
 * A REST API proxy event as a request of the core. Path, multi-value query and multi-value headers are the only members
 * that lose nothing; identity asserted by the front door is not read.
 */
export function requestFromEvent(event: APIGatewayProxyEvent): GatewayRequest {
  return {
    method: event.httpMethod,
    rawPath: event.path,
    query: pairs(event.multiValueQueryStringParameters),
    headers: pairs(event.multiValueHeaders),
    body: bodyBytes(event),
    requestId: event.requestContext.requestId,
    sourceIp: event.requestContext.identity.sourceIp,
  };
}

function pairs(map: Readonly<Record<string, string[] | undefined>> | null): [string, string][] {
  const result: [string, string][] = [];
  for (const [name, values] of Object.entries(map ?? {})) for (const value of values ?? []) result.push([name, value]);
  return result;
}

function bodyBytes(event: APIGatewayProxyEvent): Uint8Array | undefined {
  if (event.body === null || event.body === '') return undefined;
  return Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
}

/** What a buffered function may answer at most (AWS Lambda guide, "Lambda quotas"), and what of it the head may need. */
const RESULT_MAX_BYTES = 6 * 1024 * 1024;
const HEAD_BYTES = 16 * 1024;

/**
 * An answer with a whole body as a proxy integration's result (API Gateway guide, "Return binary media from a Lambda proxy
 * integration"). Streams belong to the streaming functions.
 */
export function bufferedReply(response: GatewayResponse): APIGatewayProxyResult {
  const { body } = response;
  if (body !== undefined && !(body instanceof Uint8Array)) throw new Error('A buffered reply cannot carry a stream');
  const head = { statusCode: response.status, multiValueHeaders: multiValueHeaders(response) };
  if (body === undefined) return { ...head, body: '', isBase64Encoded: false };
  const text = isText(response) ? asText(body) : undefined;
  if (text !== undefined) return { ...head, body: text, isBase64Encoded: false };
  return { ...head, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}

function isText(response: GatewayResponse): boolean {
  if (headerValue(response.headers, 'content-encoding') !== undefined) return false;
  return /^(text\/|application\/json\b)/.test(headerValue(response.headers, 'content-type') ?? '');
}

/**
 * Text goes as text: base64 makes a third more of it, and the function's result has a limit. Undefined where its escapes as a
 * JSON string, six bytes for one at worst, would make more of it than base64 does.
 */
function asText(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString('utf8');
  if (body.length <= RESULT_MAX_BYTES / 6 - HEAD_BYTES) return text;
  return Buffer.byteLength(JSON.stringify(text)) <= body.length * (4 / 3) ? text : undefined;
}

/** Header pairs grouped by name, repeats kept in order. */
export function multiValueHeaders(response: GatewayResponse): Record<string, string[]> {
  const grouped = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of response.headers) {
    const entry = grouped.get(name.toLowerCase());
    if (entry === undefined) grouped.set(name.toLowerCase(), { name, values: [value] });
    else entry.values.push(value);
  }
  return Object.fromEntries([...grouped.values()].map(({ name, values }) => [name, values]));
}

/** Binds a flow to the browser that started it. The `__Host-` prefix keeps sibling domains from setting it (RFC 6265bis 4.1.3). */
export const BINDING_COOKIE = '__Host-gateway-binding';

/** Long enough for the slowest consent, short enough to forget. */
const MAX_AGE_SEC = 3600;

/** Every value the browser sent under exactly this name; values of another form are not ours. */
export function bindingCookies(headers: HeaderPairs): string[] {
  const values: string[] = [];
  for (const header of headerValues(headers, 'cookie')) {
    for (const pair of header.split(';')) {
      const at = pair.indexOf('=');
      if (at < 0 || pair.slice(0, at).trim() !== BINDING_COOKIE) continue;
      const value = pair.slice(at + 1).trim();
      if (/^[A-Za-z0-9_-]{43}$/.test(value)) values.push(value);
    }
  }
  return values;
}

/** The Set-Cookie value. Lax, because Google's redirect back is a cross-site navigation. */
export function setBindingCookie(value: string): string {
  return `${BINDING_COOKIE}=${value}; Path=/; Max-Age=${MAX_AGE_SEC}; Secure; HttpOnly; SameSite=Lax`;
}
