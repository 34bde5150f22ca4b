import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { bufferedAnswer, callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { requestOfStack } from './request-of-stack.ts';
import { type ServedRoutes, serveRequest } from './serve-request.ts';
import type { Services } from './services.ts';

/**
 * Whether the function was invoked as `$LATEST`: by the function of declarations, whose role may invoke no other name of it. API Gateway
 * invokes it without a qualifier or by an alias, so no request from outside gets here (decision 0088).
 */
function isOfStack(invokedFunctionArn: string): boolean {
  return invokedFunctionArn.endsWith(':$LATEST');
}

/** The handler of a function that serves routes of the management API. */
export function apiHandler<Needs extends Services>(services: Needs, served: ServedRoutes<Needs>) {
  const serve = async (event: APIGatewayProxyEvent, context: HandlerContext): Promise<GatewayResponse> => {
    const request = isOfStack(context.invokedFunctionArn) ? requestOfStack(event) : requestFromEvent(event);
    const response = await serveRequest(request, services, served);
    context.waitUntil(services.admission.pending());
    return response;
  };
  return middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
    .use(callContext(services.logger, endCallsWithInvocation))
    .use(bufferedAnswer())
    .use(errorEnvelope(services.logger, 'request failed'))
    .handler(serve);
}
