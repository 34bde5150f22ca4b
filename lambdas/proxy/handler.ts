import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { errorResponse } from '../gateway/http/error-response.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
import { providerOf } from '../gateway/providers/index.ts';
import { AccessTokens } from '../gateway/tokens/access-tokens.ts';
import { makeAdmission, makeLongCalls, makeRefresher, openSharedDependencies } from '../gateway/wiring.ts';
import { FailedBesideWork, proxyCall } from './proxy-call.ts';
import { retryBudgets } from './retries.ts';
import { type StreamedResult, streamingExecutionMode } from './streaming-mode.ts';

const shared = openSharedDependencies('proxy');
const { config, clock, random, metrics, logger, upstream } = shared;
const admission = makeAdmission(shared);
const directory = new CallerDirectory(shared.callers, clock, admission);
const tokens = new AccessTokens({ ...shared, directory, refresher: makeRefresher(shared) });
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
  const result = await answerOrError(requestFromEvent(event));
  const counting = admission.pending();
  if (counting === undefined) return result;
  return { ...result, beside: Promise.all([result.beside, counting]).then(() => undefined) };
}

async function answerOrError(request: GatewayRequest): Promise<StreamedResult> {
  try {
    return { ...(await proxyCall(dependencies, request)), onSlowReader: () => metrics.count('SlowReaderCut') };
  } catch (thrown) {
    const [error, beside] = thrown instanceof FailedBesideWork ? [thrown.cause, thrown.beside] : [thrown, undefined];
    if (!(error instanceof GatewayError)) logger.error('proxied call failed', { requestId: request.requestId }, error);
    else if (error.status >= 500) {
      logger.warn('proxied call failed', { requestId: request.requestId, code: error.code, status: error.status });
    }
    return { response: errorResponse(error, request.requestId), beside };
  }
}

export const handler = middy<APIGatewayProxyEvent, StreamedResult, Error, Context>({
  executionMode: streamingExecutionMode,
}).handler(proxy);
