import type { APIGatewayProxyEvent, APIGatewayProxyResult, LambdaFunctionURLEvent } from 'aws-lambda';
import { DOOR_SECRET_HEADER, SIGNED_PREFIX } from '../core/contract.ts';
import { GatewayError, refusal } from '../core/errors.ts';
import {
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  headerValue,
  headerValues,
} from '../core/http-message.ts';
import { equalDigests, sha256Hex } from '../core/identifiers.ts';

/**
 * A REST API proxy event as a request of the core. Only path, multi-value query and multi-value headers lose nothing. An identity
 * asserted by the front door is read for one resource only, whose every method checks signatures.
 */
export function requestFromEvent(event: APIGatewayProxyEvent): GatewayRequest {
  const { identity } = event.requestContext;
  const isSigned = event.resource.startsWith(SIGNED_PREFIX);
  return {
    method: event.httpMethod,
    rawPath: isSigned ? event.path.slice(SIGNED_PREFIX.length) : event.path,
    query: pairs(event.multiValueQueryStringParameters),
    headers: pairs(event.multiValueHeaders),
    body: bodyBytes(event),
    requestId: event.requestContext.requestId,
    sourceIp: identity.sourceIp,
    ...(isSigned ? { signer: { arn: identity.userArn ?? '', id: identity.user ?? '' } } : {}),
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

/** Event of a function behind both front doors. */
export type DoorEvent = APIGatewayProxyEvent | LambdaFunctionURLEvent;

/** Facts about the function URL. */
export interface UrlDoor {
  /** The scheme of the gateway's own address, which the function URL has, too: `https:`, or `http:` on loopback. */
  readonly scheme: string;
  /** Public address of a distribution in front of the function URL; undefined where callers use the URL itself. */
  readonly proxyUrl: string | undefined;
  /** The secret that such a distribution sends in `DOOR_SECRET_HEADER`. */
  readonly secret: string | undefined;
}

/** Whether an event is a function URL's, payload format 2.0, or a REST API's. */
function isUrlEvent(event: DoorEvent): event is LambdaFunctionURLEvent {
  return 'version' in event && event.version === '2.0';
}

/**
 * Headers whose valid values contain no comma and occur once. A function URL joins repeated lines with commas: split again, they are
 * refused for being repeated, as behind the REST API.
 */
const SENT_ONCE = new Set(['authorization', 'provider-config-key', 'connection-id', 'retries', 'base-url-override']);

/** A request, and why it is refused before anything is looked up: a refused request is still recorded as a call. */
export interface DoorRequest {
  readonly request: GatewayRequest;
  readonly refused?: GatewayError;
}

/**
 * A request from either front door. Path and query of a function URL's event are as sent (AWS Lambda guide, "Invoking Lambda function
 * URLs", request payload); lines of the same header are joined.
 */
export function requestOfDoor(event: DoorEvent, door: UrlDoor): DoorRequest {
  if (!isUrlEvent(event)) return { request: requestFromEvent(event) };
  const { requestContext, headers, cookies = [] } = event;
  const all = Object.entries(headers).flatMap(([name, value = '']) =>
    (SENT_ONCE.has(name.toLowerCase()) ? value.split(',') : [value]).map((one) => [name, one.trim()] as const),
  );
  const query = queryPairs(event.rawQueryString);
  const body = urlBody(event);
  const request: GatewayRequest = {
    method: requestContext.http.method,
    rawPath: event.rawPath,
    query: query instanceof GatewayError ? [] : query,
    headers: cookies.length === 0 ? all : [...all, ['cookie', cookies.join('; ')]],
    body: body instanceof GatewayError ? undefined : body,
    requestId: requestContext.requestId,
    sourceIp: door.secret === undefined ? requestContext.http.sourceIp : viewerAddress(event),
    doorUrl: door.proxyUrl ?? `${door.scheme}//${requestContext.domainName}`,
  };
  const refused = [pastTheDoor(request, door), query, body].find((one) => one instanceof GatewayError);
  return refused === undefined ? { request } : { request, refused };
}

/** A caller that bypasses the distribution bypasses its web ACL. */
function pastTheDoor({ headers }: GatewayRequest, { proxyUrl, secret }: UrlDoor): GatewayError | undefined {
  if (secret === undefined) return undefined;
  const sent = headerValue(headers, DOOR_SECRET_HEADER) ?? '';
  // Digests have equal length, whatever was sent.
  if (equalDigests(sha256Hex(sent), sha256Hex(secret))) return undefined;
  return new GatewayError('forbidden', `This address is not public. Send calls to ${proxyUrl ?? 'the gateway'}.`);
}

/**
 * CloudFront appends the caller's address to `X-Forwarded-For`, and the function URL appends CloudFront's ("HTTP request headers and
 * CloudFront behavior"). Earlier entries are the caller's own and cannot be trusted.
 */
function viewerAddress({ headers, requestContext: { http } }: LambdaFunctionURLEvent): string {
  const addresses = (headers['x-forwarded-for'] ?? '').split(',').map((one) => one.trim());
  if (addresses.at(-1) === http.sourceIp) addresses.pop();
  return addresses.at(-1) || http.sourceIp;
}

/** Pairs of a raw query, in order, `+` being a space; a refusal for escapes that are not UTF-8, because their meaning is ambiguous. */
function queryPairs(rawQuery: string): [string, string][] | GatewayError {
  try {
    return rawQuery
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        const [key, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
        return [decoded(key), decoded(value)];
      });
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const message = 'it contains a % that starts no escape of UTF-8; send a literal % as %25';
    return refusal('invalid_query_params', [{ path: 'query', message }]);
  }
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/**
 * Function URLs pass bodies of text types as text. Bytes that are not UTF-8 are lost, which shows in the length: such a body is
 * refused, because it differs from the sent one.
 */
function urlBody({ body, isBase64Encoded, headers }: LambdaFunctionURLEvent): Uint8Array | GatewayError | undefined {
  if (body === undefined || body === '') return undefined;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const announced = headers['content-length'];
  if (!isBase64Encoded && announced !== undefined && Number(announced) !== bytes.length) {
    const message =
      'its type says text, but it is not UTF-8; send it as application/octet-stream or multipart/related, or through the base URL';
    return refusal('invalid_body', [{ path: 'body', message }]);
  }
  return bytes;
}

/** Largest response of a buffered function (AWS Lambda guide, "Lambda quotas"), and the part reserved for its head. */
const RESULT_MAX_BYTES = 6 * 1024 * 1024;
const HEAD_BYTES = 16 * 1024;

/**
 * A response with a whole body as a proxy integration's result (API Gateway guide, "Return binary media from a Lambda proxy
 * integration"). Streaming functions handle streams.
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
 * Text is returned as text, because base64 adds a third and the function's result has a limit. Undefined where its escapes as a JSON
 * string, up to six bytes each, would add more than base64 does.
 */
function asText(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString('utf8');
  if (body.length <= RESULT_MAX_BYTES / 6 - HEAD_BYTES) return text;
  return Buffer.byteLength(JSON.stringify(text)) <= body.length * (4 / 3) ? text : undefined;
}

/** Head of a streamed answer. */
export type StreamHead = {
  readonly statusCode: number;
  readonly multiValueHeaders?: Record<string, string[]>;
  readonly headers?: Record<string, string>;
  readonly cookies?: string[];
};

/**
 * Head of a response in the form of the request's front door. A function URL supports one line per header: repeated ones
 * are joined (RFC 9110 section 5.3), cookies are separate.
 *
 * @param event of the request; without one the form of the REST API
 */
export function streamHead(response: GatewayResponse, event?: DoorEvent): StreamHead {
  const grouped = multiValueHeaders(response);
  if (event === undefined || !isUrlEvent(event)) return { statusCode: response.status, multiValueHeaders: grouped };
  const headers = Object.entries(grouped).filter(([name]) => name.toLowerCase() !== 'set-cookie');
  return {
    statusCode: response.status,
    headers: Object.fromEntries(headers.map(([name, values]) => [name, values.join(', ')])),
    cookies: headerValues(response.headers, 'set-cookie'),
  };
}

/** Header pairs grouped by name, repeats kept in order. */
export function multiValueHeaders(response: GatewayResponse): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  const known = new Map<string, string[]>();
  for (const [name, value] of response.headers) {
    const lower = name.toLowerCase();
    const values = known.get(lower);
    if (values !== undefined) {
      values.push(value);
      continue;
    }
    const first = [value];
    known.set(lower, first);
    grouped[name] = first;
  }
  return grouped;
}

/** Binds a flow to the browser that started it. The `__Host-` prefix keeps sibling domains from setting it (RFC 6265bis 4.1.3). */
export const BINDING_COOKIE = '__Host-gateway-binding';

/** Long enough for the slowest consent, short enough to forget. */
const MAX_AGE_SEC = 3600;

/** Every value that the browser sent under exactly this name, in a valid form. */
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

/** The alias by which a function was invoked; undefined where it was invoked by its plain name. */
export function aliasOf(invokedFunctionArn: string): string | undefined {
  return invokedFunctionArn.split(':')[7];
}
