import type { GatewayRequest } from '../../../lambdas/gateway/core/http-message.ts';

/** A request as a function receives it; `changes` win. */
export function gatewayRequest(changes: Partial<GatewayRequest> = {}): GatewayRequest {
  const plain = { method: 'GET', rawPath: '/', query: [], headers: [], body: undefined };
  return { ...plain, requestId: 'r-1', sourceIp: '192.0.2.1', ...changes };
}
