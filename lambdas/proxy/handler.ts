import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { callFaults } from '../gateway/connections/call-fault.store.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import { keyIdOf } from '../gateway/events/lifecycle-event.rules.ts';
import { errorResponse } from '../gateway/http/error-response.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
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
import { FailedBesideWork, proxyCall } from './proxy-call.ts';
import { retryBudgets } from './retries.ts';
import { type StreamedResult, streamingExecutionMode } from './streaming-mode.ts';

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
  endpoints: config.google,
  retryBudgetOf: retryBudgets(),
  baseUrl: config.baseUrl,
  clock,
  random,
  metrics,
};

/** `ANY /proxy/{proxy+}`, streamed. */
async function proxy(event: APIGatewayProxyEvent): Promise<StreamedResult> {
  const notes = newCallNotes(requestFromEvent(event), clock.nowMs());
  const result = await answerOrError(notes);
  const { status } = result.response;
  const counting = admission.pending();
  return {
    ...result,
    beside: counting === undefined ? result.beside : Promise.all([result.beside, counting]).then(() => undefined),
    onEnd: (complete) =>
      together(
        callLog.ended(notes, status, complete),
        countUsage(notes, status, complete),
        health.ended(notes, status),
      ),
  };
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

function together(...work: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const running = work.filter((one) => one !== undefined);
  return running.length === 0 ? undefined : Promise.all(running).then(() => undefined);
}

async function answerOrError(notes: CallNotes): Promise<StreamedResult> {
  const { request } = notes;
  try {
    return { ...(await proxyCall(dependencies, request, notes)), onSlowReader: () => metrics.count('SlowReaderCut') };
  } catch (thrown) {
    const [error, beside] = thrown instanceof FailedBesideWork ? [thrown.cause, thrown.beside] : [thrown, undefined];
    if (!(error instanceof GatewayError)) logger.error('proxied call failed', { requestId: request.requestId }, error);
    else if (error.status >= 500) {
      logger.warn('proxied call failed', { requestId: request.requestId, code: error.code, status: error.status });
    }
    const response = errorResponse(error, request.requestId);
    notes.gatewayCode = error instanceof GatewayError ? error.code : 'internal_error';
    notes.bytesOut = response.body instanceof Uint8Array ? response.body.length : 0;
    return { response, beside };
  }
}

export const handler = middy<APIGatewayProxyEvent, StreamedResult, Error, Context>({
  executionMode: streamingExecutionMode,
}).handler(proxy);
