/** What a function returns -> status, headers and body on the wire, by API Gateway's rules. */
import { isObject, type Json, type JsonObject, parseJson } from '../../tools/json.ts';
import { type InvocationOutcome, PAYLOAD_MAX_BYTES } from '../lambda/outcome.ts';

/** The head of a response; header names may repeat. */
export interface ResponseHead {
  status: number;
  headers: [string, string][];
}

/** A response that API Gateway would answer with 502; the message says why, for the log. */
export class BadFunctionResponse extends Error {}

/**
 * The front's own response where the function gave none.
 * @throws BadFunctionResponse when the function failed or its process ended
 */
export function refusalOf(
  outcome: Exclude<InvocationOutcome, { kind: 'buffered' | 'streaming' }>,
): 'integration-timeout' | 'throttled' {
  switch (outcome.kind) {
    case 'timed-out':
      return 'integration-timeout';
    case 'throttled':
      return 'throttled';
    case 'crashed':
      throw new BadFunctionResponse(outcome.reason);
    case 'failed':
      throw new BadFunctionResponse(`${outcome.error.errorType}: ${outcome.error.errorMessage}`);
  }
}

/** Renamed in the answers of a Lambda integration: "Amazon API Gateway important notes", headers; `content-length` as seen live. */
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);
/** Dropped there (the same page). */
const DROPPED = new Set([
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const KNOWN_MEMBERS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'cookies', 'body', 'isBase64Encoded']);

/** Reads a buffered result. @throws BadFunctionResponse when it is too large, no JSON, or has no valid status. */
export function readBufferedResult(payload: Buffer): ResponseHead & { body: Buffer } {
  if (payload.length > PAYLOAD_MAX_BYTES) throw new BadFunctionResponse(`The result has ${payload.length} bytes.`);
  const result = parseObject(payload.toString('utf8'), 'The result');
  const unknown = Object.keys(result).filter((member) => !KNOWN_MEMBERS.has(member));
  if (unknown.length > 0) throw new BadFunctionResponse(`The result has unknown members: ${unknown.join(', ')}.`);
  const body = result.body ?? '';
  if (typeof body !== 'string') throw new BadFunctionResponse('The body of the result is not a string.');
  return { ...readHead(result), body: Buffer.from(body, result.isBase64Encoded === true ? 'base64' : 'utf8') };
}

/**
 * The same for a function URL, which knows one line of each header: `multiValueHeaders` are lost (AWS Lambda guide, "Invoking Lambda
 * function URLs", response payload).
 */
export function readUrlMetadata(metadata: Buffer): ResponseHead {
  const { multiValueHeaders: _lost, ...kept } = parseObject(metadata.toString('utf8'), 'The metadata of the stream');
  return readHead(kept);
}

/** Reads the metadata that precedes a streamed body. @throws BadFunctionResponse when it is no JSON or has no valid status. */
export function readStreamMetadata(metadata: Buffer): ResponseHead {
  return readHead(parseObject(metadata.toString('utf8'), 'The metadata of the stream'));
}

/**
 * The headers to send: `headers`, then `multiValueHeaders` (which win for the same name), then `cookies`; those that belong to API
 * Gateway renamed or dropped, and a default content type.
 * @throws BadFunctionResponse for names and values that HTTP does not allow.
 */
export function responseHeaders(response: JsonObject): [string, string][] {
  const multi = Object.entries(members(response.multiValueHeaders, 'multiValueHeaders')).flatMap(([name, values]) => {
    if (!Array.isArray(values)) throw new BadFunctionResponse(`multiValueHeaders.${name} is not a list.`);
    return values.map((value): [string, Json] => [name, value]);
  });
  const overridden = new Set(multi.map(([name]) => name.toLowerCase()));
  const single = Object.entries(members(response.headers, 'headers')).filter(
    ([name]) => !overridden.has(name.toLowerCase()),
  );
  const cookies = Array.isArray(response.cookies) ? response.cookies : [];
  const all = [...single, ...multi, ...cookies.map((cookie): [string, Json] => ['Set-Cookie', cookie])];
  const headers = all
    .filter(([name]) => !DROPPED.has(name.toLowerCase()))
    .map(([name, value]): [string, string] => [remappedName(name), headerText(name, value)]);
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) {
    headers.push(['Content-Type', 'application/json']);
  }
  return headers;
}

function readHead(response: JsonObject): ResponseHead {
  const status = typeof response.statusCode === 'string' ? Number(response.statusCode) : response.statusCode;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
    throw new BadFunctionResponse(`The status code is ${JSON.stringify(response.statusCode)}.`);
  }
  return { status, headers: responseHeaders(response) };
}

function remappedName(name: string): string {
  return REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;
}

function headerText(name: string, value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (typeof value === 'object' || !HEADER_NAME.test(name) || !HEADER_VALUE.test(text)) {
    throw new BadFunctionResponse(`The header ${JSON.stringify(name)} cannot be sent.`);
  }
  return text;
}

function members(value: Json | undefined, name: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new BadFunctionResponse(`${name} is not an object.`);
  return value;
}

function parseObject(text: string, what: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text, what);
  } catch (cause) {
    throw new BadFunctionResponse(`${what} is not JSON.`, { cause });
  }
  if (!isObject(value)) throw new BadFunctionResponse(`${what} is not a JSON object.`);
  return value;
}
