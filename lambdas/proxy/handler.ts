import middy from '@middy/core';
import { CALL_HOOKS } from '../features/call-hooks.ts';
import type { Call } from '../gateway/calls/book.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { openCallHooks } from '../gateway/forwarding/call-hooks.ts';
import { proxyCall } from '../gateway/forwarding/proxy-call.ts';
import { retryBudgets } from '../gateway/forwarding/retries.ts';
import { type DoorEvent, requestOfDoor } from '../gateway/http/front-door.ts';
import {
  callContext,
  errorEnvelope,
  errorResponse,
  type HandlerContext,
  logFailure,
} from '../gateway/http/middlewares.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { allProviders } from '../gateway/providers/index.ts';
import type { ProviderId } from '../gateway/providers/provider.rules.ts';
import { AccessTokens } from '../gateway/tokens/access-tokens.ts';
import { makeCallBook, openSharedDependencies } from '../gateway/wiring.ts';
import { type StreamedAnswer, streamedAnswer, streamingExecutionMode } from './streaming-mode.ts';
import { holding, openJudge, openPacing, refresherOnDemand } from './wiring.ts';

const shared = openSharedDependencies('proxy');
const { config, clock, random, metrics, logger, upstream } = shared;
const book = makeCallBook(shared, { openJudge, openPacing });
const directory = new CallerDirectory(shared.callers, clock, book.admission, book.limits);
/** Looked up once, not with each call. */
const endpoints = new Map(allProviders().map(({ id }) => [id, config.endpointsOf(id)]));
const dependencies = {
  directory,
  tokens: new AccessTokens({ ...shared, directory, refresher: refresherOnDemand(shared) }),
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
  holdForApproval: holding(shared),
};

const door = { scheme: new URL(config.baseUrl).protocol, ...config.proxyDoor };

/** `ANY /proxy/{proxy+}` of the REST API and of the function URL, streamed. */
async function proxy(event: DoorEvent, context: HandlerContext): Promise<StreamedAnswer> {
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
