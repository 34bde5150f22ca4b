import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { GatewayError } from '../shared/domain/errors.ts';
import type { GatewayRequest } from '../shared/domain/http-message.ts';
import { retryBudgets } from '../shared/domain/proxy/retry-budget.ts';
import { requestFromEvent } from '../shared/http/api-gateway-event.ts';
import { errorResponse } from '../shared/http/error-response.ts';
import { type StreamedResult, streamingExecutionMode } from '../shared/http/streaming-mode.ts';
import { providerOf } from '../shared/providers/index.ts';
import { CallerDirectory } from '../shared/use-cases/authenticate-caller.ts';
import { FailedBesideWork, proxyCall } from '../shared/use-cases/proxy/proxy-call.ts';
import { AccessTokens } from '../shared/use-cases/refresh/fresh-access-token.ts';
import { layFoundation, makeAdmission, makeLongCalls, makeRefresher } from '../shared/wiring.ts';

const foundation = layFoundation('proxy');
const { config, clock, random, metrics, logger, upstream } = foundation;
const admission = makeAdmission(foundation);
const directory = new CallerDirectory(foundation.callers, clock, admission);
const tokens = new AccessTokens({ ...foundation, directory, refresher: makeRefresher(foundation) });
const dependencies = {
  admission,
  longCalls: makeLongCalls(foundation),
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
