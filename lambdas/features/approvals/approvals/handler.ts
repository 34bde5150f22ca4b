import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { RefusedAtDoor } from '../../../gateway/core/door.ts';
import type { GatewayResponse } from '../../../gateway/core/http-message.ts';
import { requestFromEvent } from '../../../gateway/http/front-door.ts';
import {
  bufferedAnswer,
  callContext,
  errorEnvelope,
  errorResponse,
  type HandlerContext,
} from '../../../gateway/http/middlewares.ts';
import { approveRoute } from './approve-route.ts';
import { runApproved } from './run-approved.ts';
import { openDependencies } from './wiring.ts';

const dependencies = openDependencies();

/** Between the end of the proxy's work and that of this function, which then still answers. */
const ANSWERS_WITHIN_MS = 2_000;
/** A browser's front door waits 29 seconds for a page. */
const PAGE_WITHIN_MS = 25_000;

const withinMs = (context: Context, mostMs = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(mostMs, context.getRemainingTimeInMillis() - ANSWERS_WITHIN_MS));

/** A refusal of the proxy reaches the browser unchanged. */
function failure(error: unknown, { requestContext }: APIGatewayProxyEvent): GatewayResponse {
  return error instanceof RefusedAtDoor ? error.response : errorResponse(error, requestContext.requestId);
}

/** `/approve/…`: what a person sees of a call that waits. */
const page = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(dependencies.logger, () => {}))
  .use(bufferedAnswer())
  .use(errorEnvelope(dependencies.logger, 'approval page failed', failure))
  .handler((event, context) => approveRoute(dependencies, requestFromEvent(event), withinMs(context, PAGE_WITHIN_MS)));

/** An event of the bus that says that a person has approved a call. */
const run = (event: unknown, context: Context): Promise<unknown> =>
  runApproved(dependencies, event, context.awsRequestId, () => withinMs(context));

/** A request of a browser, or an event of the bus. */
export async function handler(event: unknown, context: Context): Promise<unknown> {
  return isRequest(event) ? page(event, context as HandlerContext) : run(event, context);
}

function isRequest(event: unknown): event is APIGatewayProxyEvent {
  return typeof event === 'object' && event !== null && 'httpMethod' in event;
}
