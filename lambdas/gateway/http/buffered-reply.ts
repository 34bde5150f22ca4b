import type { APIGatewayProxyResult } from 'aws-lambda';
import { type GatewayResponse, headerValue } from '../core/http-message.ts';

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
