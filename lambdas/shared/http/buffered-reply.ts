import type { APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayResponse } from '../domain/http-message.ts';

/** An answer with a whole body as a proxy integration's result. Streams belong to the streaming functions. */
export function bufferedReply(response: GatewayResponse): APIGatewayProxyResult {
  const { body } = response;
  if (body !== undefined && !(body instanceof Uint8Array)) throw new Error('A buffered reply cannot carry a stream');
  return {
    statusCode: response.status,
    multiValueHeaders: multiValueHeaders(response),
    body: body === undefined ? '' : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined,
  };
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
