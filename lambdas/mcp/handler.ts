import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { bufferedAnswer, callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { describeSignIn, serveRequest } from './serve-request.ts';
import { openMcpDependencies } from './wiring.ts';

const dependencies = openMcpDependencies();

/** `ANY /mcp`: assistants, by the Model Context Protocol; below `/.well-known` what says where they sign in. */
async function mcp(event: APIGatewayProxyEvent, context: HandlerContext): Promise<GatewayResponse> {
  const request = requestFromEvent(event);
  const serving = dependencies.serving(context);
  return request.rawPath === '/mcp' ? serveRequest(serving, request) : describeSignIn(serving, request);
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(dependencies.logger, endCallsWithInvocation))
  .use(bufferedAnswer())
  .use(errorEnvelope(dependencies.logger, 'a request of an assistant failed'))
  .handler(mcp);
