import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import { errorResponse } from '../gateway/http/error-response.ts';
import { authenticate, authorize } from './authenticate.ts';
import { corsHeaders } from './cors.ts';
import { matchRoute, type RouteMatch } from './match-route.ts';
import type { Answer } from './route.ts';
import { ROUTES } from './routes/index.ts';
import type { Services } from './services.ts';
import { unsupportedArea } from './unsupported-areas.ts';

/**
 * Answers one request of the management API: route, caller, right, input, use case. Failures become the error envelope.
 */
export async function serveRequest(request: GatewayRequest, services: Services): Promise<GatewayResponse> {
  const match = matchRoute(ROUTES, request.method, request.rawPath);
  const response = await answerOrError(request, match, services);
  return { ...response, headers: [...response.headers, ...corsHeaders(request, match, services.dashboardOrigin)] };
}

async function answerOrError(request: GatewayRequest, match: RouteMatch, services: Services): Promise<GatewayResponse> {
  const { requestId } = request;
  try {
    return await answer(request, match, services);
  } catch (error) {
    if (!(error instanceof GatewayError)) services.logger.error('request failed', { requestId }, error);
    else if (error.status >= 500) {
      services.logger.warn('request failed', { requestId, code: error.code, status: error.status });
    }
    return errorResponse(error, requestId);
  }
}

async function answer(request: GatewayRequest, match: RouteMatch, services: Services): Promise<GatewayResponse> {
  switch (match.kind) {
    case 'found': {
      const { route, params } = match;
      const caller = route.access.right === 'anyone' ? undefined : await authenticate(request, services);
      if (caller !== undefined) authorize(caller, route.access, services.clock);
      const result = await route.run(request, caller, params, services);
      const reply = 'headers' in result ? result : jsonReply(request, result);
      return request.method === 'HEAD' ? { ...reply, body: undefined } : reply;
    }
    case 'other_methods':
      return wrongMethod(request, match.methods);
    case 'none': {
      const area = unsupportedArea(request.rawPath);
      if (area === undefined) throw new GatewayError('not_found', 'There is no such route. GET /docs lists them all.');
      await authenticate(request, services);
      throw new GatewayError('not_supported', `This gateway does not have ${area}.`);
    }
  }
}

/** OPTIONS says what a route takes; what another origin may do is said beside it. */
function wrongMethod(request: GatewayRequest, methods: readonly string[]): GatewayResponse {
  const allow = ['allow', [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')] as const;
  if (request.method === 'OPTIONS') {
    return { status: 204, headers: [allow, ...commonHeaders(request.requestId)], body: undefined };
  }
  const error = new GatewayError('method_not_allowed', `This route takes ${methods.join(', ')}.`);
  const response = errorResponse(error, request.requestId);
  return { ...response, headers: [allow, ...response.headers] };
}

function jsonReply(request: GatewayRequest, answer: Answer): GatewayResponse {
  const headers = commonHeaders(request.requestId);
  if (answer.body === undefined) return { status: answer.status, headers, body: undefined };
  return {
    status: answer.status,
    headers: [['content-type', 'application/json; charset=utf-8'], ...headers],
    body: Buffer.from(JSON.stringify(answer.body)),
  };
}

function commonHeaders(requestId: string): [string, string][] {
  return [
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['x-request-id', requestId],
  ];
}
