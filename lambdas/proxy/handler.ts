import middy from '@middy/core';
import { BOUND_CALLERS } from '../features/bound-callers.ts';
import { CALL_HOOKS } from '../features/call-hooks.ts';
import { DOORS } from '../features/doors.ts';
import { HOLDS } from '../features/holds.ts';
import type { Call } from '../gateway/calls/book.ts';
import { DOOR_ALIASES } from '../gateway/core/contract.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { openCallHooks, openHold } from '../gateway/forwarding/call-hooks.ts';
import { forwardCall, forwardPlan, proxyCall } from '../gateway/forwarding/proxy-call.ts';
import { retryBudgets } from '../gateway/forwarding/retries.ts';
import { aliasOf, type DoorEvent, requestOfDoor } from '../gateway/http/front-door.ts';
import {
  callContext,
  errorEnvelope,
  errorResponse,
  type HandlerContext,
  logFailure,
} from '../gateway/http/middlewares.ts';
import { type StreamedAnswer, streamedAnswer, streamingExecutionMode } from '../gateway/http/streaming-mode.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
import { boundCallersOf } from '../gateway/keys/bound-callers.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { writeLine } from '../gateway/platform/telemetry.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { allProviders } from '../gateway/providers/index.ts';
import type { ProviderId } from '../gateway/providers/provider.rules.ts';
import { AccessTokens } from '../gateway/tokens/access-tokens.ts';
import { makeCallBook, openSharedDependencies } from '../gateway/wiring.ts';
import { answerWithLine } from './inner-door.ts';
import { openJudge, openPacing, refresherOnDemand } from './wiring.ts';

const shared = openSharedDependencies('proxy');
const { config, clock, random, metrics, logger, upstream } = shared;
const book = makeCallBook(shared, { openJudge, openPacing });
const directory = new CallerDirectory(shared.callers, clock, book.admission, book.limits);
/** Looked up once, not with each call. */
const endpoints = new Map(allProviders().map(({ id }) => [id, config.endpointsOf(id)]));
const refresher = refresherOnDemand(shared);
const dependencies = {
  directory,
  tokens: new AccessTokens({ ...shared, directory, refresher }),
  upstream,
  providers: PROVIDERS,
  endpointsOf: (id: ProviderId) => endpoints.get(id) ?? config.endpointsOf(id),
  apiOrigins: config.apiOrigins,
  retryBudgetOf: retryBudgets(),
  hooks: openCallHooks(CALL_HOOKS, shared),
  baseUrl: config.baseUrl,
  clock,
  random,
  metrics,
  hold: openHold(HOLDS, shared),
};

const door = { scheme: new URL(config.baseUrl).protocol, ...config.proxyDoor };

const boundCallers = boundCallersOf(BOUND_CALLERS, shared);

/** What other functions may ask, by the alias that each of them may invoke (TB-2). */
const doors = Object.values(DOORS).map((open) =>
  open({
    ...{ ...shared, book, directory, refresher, boundCallers },
    forwardCall: (...of) => forwardCall(dependencies, ...of),
    forwardPlan: (...of) => forwardPlan(dependencies, ...of),
  }),
);

/** `ANY /proxy/{proxy+}` of the REST API and of the function URL, and requests of other functions, streamed. */
async function proxy(event: DoorEvent, context: HandlerContext): Promise<StreamedAnswer> {
  const alias = aliasOf(context.invokedFunctionArn);
  // Every other name is one that front doors use.
  if (DOOR_ALIASES.some((one) => one === alias)) {
    const operations = doors.find((one) => one.alias === alias)?.operations;
    return {
      response: await answerWithLine({ logger, clock, lines: { append: writeLine } }, operations, event, context),
    };
  }
  const { request, refused } = requestOfDoor(event, door);
  // The runtime holds the event as long as the call lasts, and its base64 body, a third larger than the bytes, is decoded already.
  Object.assign(event, { body: null });
  const call = book.begin(request);
  const response = await (refused === undefined
    ? proxyCall(dependencies, call, context)
    : Promise.reject(refused)
  ).catch((error: unknown) => failure(call, error));
  const { signal } = call;
  return {
    response,
    ...(signal === undefined ? {} : { signal }),
    onSlowReader: () => metrics.count('SlowReaderCut'),
    onEnd: (complete) => context.waitUntil(call.ended(response.status, complete)),
  };
}

/** The gateway's own answer, which the book distinguishes from the provider's. */
function failure(call: Call, error: unknown): GatewayResponse {
  const { requestId } = call.request;
  logFailure(logger, 'proxied call failed', requestId, error);
  const response = errorResponse(error, requestId);
  const bytesOut = response.body instanceof Uint8Array ? response.body.length : 0;
  call.refused(error instanceof GatewayError ? error.code : 'internal_error', bytesOut);
  return response;
}

export const handler = middy<DoorEvent, StreamedAnswer, Error, HandlerContext>({
  executionMode: streamingExecutionMode,
})
  .use(callContext(logger, endCallsWithInvocation))
  .use(streamedAnswer())
  .use(errorEnvelope(logger, 'proxied call failed'))
  .handler(proxy);
