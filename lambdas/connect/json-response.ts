import type * as z from 'zod';
import type { GatewayResponse, HeaderPairs } from '../gateway/core/http-message.ts';
import type { Documented } from '../gateway/openapi/documented.ts';
import type { AnswerOf } from '../gateway/openapi/operation.ts';

/** A JSON response. @typeParam Schema its schema in the API's document: these members and no others */
export function jsonResponse<Schema extends Documented<z.ZodType>>(
  status: number,
  value: AnswerOf<NoInfer<Schema>>,
  requestId: string,
  extraHeaders: HeaderPairs = [],
): GatewayResponse {
  return {
    status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', requestId],
      ...extraHeaders,
    ],
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** An answer without a body. */
export function emptyResponse(status: number, requestId: string, extraHeaders: HeaderPairs = []): GatewayResponse {
  return {
    status,
    headers: [['cache-control', 'no-store'], ['x-request-id', requestId], ...extraHeaders],
    body: undefined,
  };
}
