import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { RefusedAtDoor } from '../../../gateway/core/door.ts';
import type { GatewayResponse } from '../../../gateway/core/http-message.ts';
import { requestFromEvent } from '../../../gateway/http/front-door.ts';
import { callContext, errorEnvelope, errorResponse, type HandlerContext } from '../../../gateway/http/middlewares.ts';
import { type StreamedAnswer, streamedAnswer, streamingExecutionMode } from '../../../gateway/http/streaming-mode.ts';
import { describeSignIn, serveRequest } from './serve-request.ts';
import { openMcpDependencies } from './wiring.ts';

const dependencies = openMcpDependencies();

/** `ANY /mcp`: assistants, by the Model Context Protocol; below `/.well-known` what says where they sign in. Streamed, for the progress of calls. */
async function mcp(event: APIGatewayProxyEvent, context: HandlerContext): Promise<StreamedAnswer> {
  const request = requestFromEvent(event);
  const serving = dependencies.serving(() => context.getRemainingTimeInMillis());
  const response = request.rawPath === '/mcp' ? await serveRequest(serving, request) : describeSignIn(serving, request);
  return { response };
}

/** A refusal of the proxy reaches the assistant unchanged, with its code, its time to wait and its limits. */
function failure(error: unknown, { requestContext }: APIGatewayProxyEvent): GatewayResponse {
  return error instanceof RefusedAtDoor ? error.response : errorResponse(error, requestContext.requestId);
}

export const handler = middy<APIGatewayProxyEvent, StreamedAnswer, Error, HandlerContext>({
  executionMode: streamingExecutionMode,
})
  .use(callContext(dependencies.logger, () => {}))
  .use(streamedAnswer())
  .use(errorEnvelope(dependencies.logger, 'a request of an assistant failed', failure))
  .handler(mcp);
