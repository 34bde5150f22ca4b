import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { RefusedAtDoor } from '../gateway/core/door.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import {
  bufferedAnswer,
  callContext,
  errorEnvelope,
  errorResponse,
  type HandlerContext,
} from '../gateway/http/middlewares.ts';
import { describeSignIn, serveRequest } from './serve-request.ts';
import { openMcpDependencies } from './wiring.ts';

const dependencies = openMcpDependencies();

/** `ANY /mcp`: assistants, by the Model Context Protocol; below `/.well-known` what says where they sign in. */
async function mcp(event: APIGatewayProxyEvent, context: HandlerContext): Promise<GatewayResponse> {
  const request = requestFromEvent(event);
  const serving = dependencies.serving(() => context.getRemainingTimeInMillis());
  return request.rawPath === '/mcp' ? serveRequest(serving, request) : describeSignIn(serving, request);
}

/** A refusal of the proxy reaches the assistant unchanged, with its code, its time to wait and its limits. */
function failure(error: unknown, { requestContext }: APIGatewayProxyEvent): GatewayResponse {
  return error instanceof RefusedAtDoor ? error.response : errorResponse(error, requestContext.requestId);
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(dependencies.logger, () => {}))
  .use(bufferedAnswer())
  .use(errorEnvelope(dependencies.logger, 'a request of an assistant failed', failure))
  .handler(mcp);
