import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import { errorResponse } from '../gateway/http/error-response.ts';
import { bufferedReply, requestFromEvent } from '../gateway/http/front-door.ts';
import { openConnectDependencies, pageNonce } from './dependencies.ts';
import { DIRECT_START_PREFIX } from './direct-start.ts';
import { problemPage } from './pages/problem-page.ts';
import { connectRoute } from './routes.ts';
import { forListedOrigins } from './session-routes.ts';

const dependencies = openConnectDependencies();

/** `/connect`, `/connect/session`, `/connect/authorizations`, `/oauth/connect/{integrationId}`. */
async function connect(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const request = requestFromEvent(event);
  const response = await connectRoute(dependencies, request).catch((error: unknown) => failure(request, error));
  return bufferedReply(
    request.rawPath === '/connect/session' ? forListedOrigins(dependencies, request, response) : response,
  );
}

function failure(request: GatewayRequest, error: unknown): GatewayResponse {
  if (!(error instanceof GatewayError))
    dependencies.logger.error('connect request failed', { requestId: request.requestId }, error);
  return request.rawPath.startsWith(DIRECT_START_PREFIX)
    ? problemPage(error, pageNonce(dependencies), request.requestId)
    : errorResponse(error, request.requestId);
}

export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>().handler(connect);
