import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MESSAGES } from '../features/messages.ts';
import { readInboxConfig } from '../gateway/config.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { INBOX_WAKE_TIMEOUT_MS } from '../gateway/core/limits.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import {
  bufferedAnswer,
  callContext,
  errorEnvelope,
  errorResponse,
  type HandlerContext,
} from '../gateway/http/middlewares.ts';
import { AWS_CALL_LIMITS, awsClient, endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { systemClock } from '../gateway/platform/clock.ts';
import { openTable } from '../gateway/platform/dynamodb/client.ts';
import { openEgress } from '../gateway/platform/egress/egress.ts';
import { embeddedMetrics, jsonLogger } from '../gateway/platform/telemetry.ts';
import { allProviders } from '../gateway/providers/index.ts';
import { takersOf } from './takers.ts';

const config = readInboxConfig(allProviders());
const metrics = embeddedMetrics(config.metricNamespace);
const logger = jsonLogger('inbox');
const lambda = awsClient(LambdaClient, { ...AWS_CALL_LIMITS, attempts: 2, answerMs: INBOX_WAKE_TIMEOUT_MS });
const table = openTable(config.tableName, { onThrottled: () => metrics.count('TableThrottled') });
const start = async (FunctionName: string, event: object): Promise<void> => {
  const Payload = Buffer.from(JSON.stringify(event));
  await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
};
const shared = { clock: systemClock, logger, metrics };
const upstream = openEgress(config.loopbackProvider);
const takers = takersOf(MESSAGES, { ...shared, config, table, upstream, issuer: config.issuer, start });

/** Receives what features take. */
async function inbox(event: APIGatewayProxyEvent): Promise<GatewayResponse> {
  const request = requestFromEvent(event);
  const taker = takers.find(({ path }) => path === request.rawPath);
  if (taker === undefined) throw new GatewayError('not_found', 'There is no such channel.');
  return taker.take(request);
}

/** Google repeats a message only after a 503, so a failure of the gateway answers that. */
function failure(error: unknown, { requestContext }: APIGatewayProxyEvent): GatewayResponse {
  const answer =
    error instanceof GatewayError
      ? error
      : new GatewayError('service_unavailable', 'The message could not be stored. Send it again.', {
          retryAfterSec: 1,
        });
  return errorResponse(answer, requestContext.requestId);
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(logger, endCallsWithInvocation))
  .use(bufferedAnswer())
  .use(errorEnvelope(logger, 'a message could not be stored', failure))
  .handler(inbox);
