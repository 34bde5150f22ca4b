import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { errorResponse } from '../gateway/http/error-response.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { bufferedAnswer, callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { openConnectDependencies, pageNonce } from './dependencies.ts';
import { DIRECT_START_PREFIX } from './direct-start.ts';
import { problemPage } from './pages/problem-page.ts';
import { connectRoute } from './routes.ts';
import { listedOrigins } from './session-routes.ts';

const dependencies = openConnectDependencies();

/** `/connect`, `/connect/session`, `/connect/authorizations`, `/oauth/connect/{integrationId}`. */
function connect(event: APIGatewayProxyEvent): Promise<GatewayResponse> {
  return connectRoute(dependencies, requestFromEvent(event));
}

/** Whoever follows a link sees a page; scripts and backends get the envelope. */
function failure(error: unknown, { path, requestContext }: APIGatewayProxyEvent): GatewayResponse {
  return path.startsWith(DIRECT_START_PREFIX)
    ? problemPage(error, pageNonce(dependencies), requestContext.requestId)
    : errorResponse(error, requestContext.requestId);
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(dependencies.logger))
  .use(bufferedAnswer())
  .use(listedOrigins(dependencies))
  .use(errorEnvelope(dependencies.logger, 'connect request failed', failure))
  .handler(connect);
