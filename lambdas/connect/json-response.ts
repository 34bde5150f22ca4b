import type { GatewayResponse, HeaderPairs } from '../gateway/core/http-message.ts';

/** A JSON answer of the gateway's own routes. */
export function jsonResponse(
  status: number,
  value: unknown,
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
