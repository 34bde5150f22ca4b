import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { bufferedAnswer, callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { requestOfStack } from './request-of-stack.ts';
import { serveRequest } from './serve-request.ts';
import { openServices } from './wiring.ts';

const services = openServices();

/**
 * Whether the function was invoked as `$LATEST`: by the function of declarations, whose role may invoke no other name of it. API Gateway
 * invokes it without a qualifier or by an alias, so no request from outside gets here (decision 0088).
 */
function isOfStack(invokedFunctionArn: string): boolean {
  return invokedFunctionArn.endsWith(':$LATEST');
}

/** The REST API, and the response for every path that no other function serves. */
async function management(event: APIGatewayProxyEvent, context: HandlerContext): Promise<GatewayResponse> {
  const request = isOfStack(context.invokedFunctionArn) ? requestOfStack(event) : requestFromEvent(event);
  const response = await serveRequest(request, services);
  context.waitUntil(services.admission.pending());
  return response;
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(services.logger, endCallsWithInvocation))
  .use(bufferedAnswer())
  .use(errorEnvelope(services.logger, 'request failed'))
  .handler(management);
