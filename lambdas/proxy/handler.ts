import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { callFaults } from '../gateway/connections/connection.store.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { keyIdOf } from '../gateway/events/lifecycle-event.rules.ts';
import { errorResponse } from '../gateway/http/error-response.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { callContext, errorEnvelope, type HandlerContext, logFailure } from '../gateway/http/middlewares.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { providerOf } from '../gateway/providers/index.ts';
import { AccessTokens } from '../gateway/tokens/access-tokens.ts';
import { UsageCount } from '../gateway/usage/count-usage.ts';
import { usageWriter } from '../gateway/usage/usage.store.ts';
import {
  makeAdmission,
  makeCallLogWriter,
  makeLongCalls,
  makeRefresher,
  openSharedDependencies,
} from '../gateway/wiring.ts';
import { CallHealth } from './call-health.ts';
import { CallLog, type CallNotes, newCallNotes } from './call-notes.ts';
import { proxyCall } from './proxy-call.ts';
import { retryBudgets } from './retries.ts';
import { type StreamedAnswer, streamedAnswer, streamingExecutionMode } from './streaming-mode.ts';

const shared = openSharedDependencies('proxy');
const { config, clock, random, metrics, logger, upstream } = shared;
const admission = makeAdmission(shared);
const directory = new CallerDirectory(shared.callers, clock, admission);
const tokens = new AccessTokens({ ...shared, directory, refresher: makeRefresher(shared) });
const callLog = new CallLog({
  ...shared,
  callLog: makeCallLogWriter(shared),
  callLogMode: config.callLog.mode,
  providerOf,
});
const usage = new UsageCount({ ...shared, usage: usageWriter(shared.table) });
const health = new CallHealth({ ...shared, callFaults: callFaults(shared.table) });
const dependencies = {
  admission,
  longCalls: makeLongCalls(shared),
  directory,
  tokens,
  upstream,
  providerOf,
  endpointsOf: config.endpointsOf,
  apiOrigins: config.apiOrigins,
  retryBudgetOf: retryBudgets(),
  baseUrl: config.baseUrl,
  clock,
  random,
  metrics,
};

/** `ANY /proxy/{proxy+}`, streamed. */
async function proxy(event: APIGatewayProxyEvent, context: HandlerContext): Promise<StreamedAnswer> {
  const notes = newCallNotes(requestFromEvent(event), clock.nowMs());
  const { response, watch } = await proxyCall(dependencies, notes, context).catch((error: unknown) => ({
    response: failure(notes, error),
    watch: undefined,
  }));
  context.waitUntil(admission.pending());
  return {
    response,
    ...(watch === undefined ? {} : { signal: watch.signal }),
    onSlowReader: () => metrics.count('SlowReaderCut'),
    onEnd(complete) {
      context.waitUntil(watch?.end());
      context.waitUntil(callLog.ended(notes, response.status, complete));
      context.waitUntil(countUsage(notes, response.status, complete));
      context.waitUntil(health.ended(notes, response.status));
    },
  };
}

/** The gateway's own answer, which the call log tells from the provider's. */
function failure(notes: CallNotes, error: unknown): GatewayResponse {
  const { requestId } = notes.request;
  logFailure(logger, 'proxied call failed', requestId, error);
  const response = errorResponse(error, requestId);
  notes.gatewayCode = error instanceof GatewayError ? error.code : 'internal_error';
  notes.bytesOut = response.body instanceof Uint8Array ? response.body.length : 0;
  return response;
}

/** Counts a call whose caller is known. */
function countUsage(notes: CallNotes, status: number, complete: boolean): Promise<void> | undefined {
  if (notes.caller === undefined) return undefined;
  return usage.ended(notes.caller.live.connection, keyIdOf(notes.caller.key), {
    status,
    isGateways: notes.gatewayCode !== undefined,
    complete,
    bytesIn: notes.request.body?.length ?? 0,
    bytesOut: notes.bytesOut,
    totalMs: Math.max(0, clock.nowMs() - notes.startedAtMs),
  });
}

export const handler = middy<APIGatewayProxyEvent, StreamedAnswer, Error, HandlerContext>({
  executionMode: streamingExecutionMode,
})
  .use(callContext(logger, endCallsWithInvocation))
  .use(streamedAnswer())
  .use(errorEnvelope(logger, 'proxied call failed'))
  .handler(proxy);
