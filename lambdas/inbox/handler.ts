import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readInboxConfig } from '../gateway/config.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { FEED_WAKE_TIMEOUT_MS } from '../gateway/core/limits.ts';
import { inboxStore } from '../gateway/feeds/inbox.store.ts';
import { takeMessage } from '../gateway/feeds/take-message.ts';
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
import { embeddedMetrics, jsonLogger } from '../gateway/platform/telemetry.ts';

const config = readInboxConfig();
const metrics = embeddedMetrics(config.metricNamespace);
const logger = jsonLogger('inbox');
const lambda = awsClient(LambdaClient, { ...AWS_CALL_LIMITS, attempts: 2, answerMs: FEED_WAKE_TIMEOUT_MS });
const dependencies = {
  inbox: inboxStore(openTable(config.tableName, { onThrottled: () => metrics.count('TableThrottled') })),
  clock: systemClock,
  logger,
  metrics,
  async wake(ref: { readonly accountId: string; readonly feedId: string }): Promise<void> {
    const Payload = Buffer.from(JSON.stringify({ wake: ref }));
    await lambda.send(new InvokeCommand({ FunctionName: config.feedsFunctionName, InvocationType: 'Event', Payload }));
  },
};

/** Messages of Google's push channels: looked up, marked, answered. */
function inbox(event: APIGatewayProxyEvent): Promise<GatewayResponse> {
  return takeMessage(dependencies, requestFromEvent(event));
}

/** Google repeats what is answered with 503; anything else of ours would be the last of that message. */
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
