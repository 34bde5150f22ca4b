import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import {
  bufferedAnswer,
  callContext,
  errorEnvelope,
  errorResponse,
  type HandlerContext,
} from '../gateway/http/middlewares.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { openConnectDependencies, pageNonce } from './dependencies.ts';
import { DIRECT_START_PREFIX } from './direct-start.ts';
import { inTheirWords, speechFor } from './language.ts';
import { problemPage } from './pages/problem-page.ts';
import { connectRoute } from './routes.ts';
import { listedOrigins } from './session-routes.ts';

const dependencies = openConnectDependencies();

/** `/connect`, `/connect/session`, `/connect/authorizations`, `/oauth/connect/{integrationId}`. */
function connect(event: APIGatewayProxyEvent): Promise<GatewayResponse> {
  return connectRoute(dependencies, requestFromEvent(event));
}

/** Browsers that follow a link get a page; scripts and backends get the envelope, with the end users' texts in their language. */
async function failure(error: unknown, event: APIGatewayProxyEvent): Promise<GatewayResponse> {
  const request = requestFromEvent(event);
  const { requestId } = request;
  const speech = await speechFor(dependencies, request);
  if (!request.rawPath.startsWith(DIRECT_START_PREFIX)) return errorResponse(inTheirWords(speech, error), requestId);
  const brand = await dependencies.brand();
  return problemPage(error, { ...speech, brand, nonce: pageNonce(dependencies), requestId });
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(dependencies.logger, endCallsWithInvocation))
  .use(bufferedAnswer())
  .use(listedOrigins(dependencies))
  .use(errorEnvelope(dependencies.logger, 'connect request failed', failure))
  .handler(connect);
