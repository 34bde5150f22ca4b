import { setTimeout as wait } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { readDeclaredConfig } from '../gateway/config.ts';
import { AWS_CALL_LIMITS, awsClient, endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { openEndpointEgress } from '../gateway/platform/egress/egress.ts';
import { openSecretsManager } from '../gateway/platform/secret-reader.ts';
import { jsonLogger } from '../gateway/platform/telemetry.ts';
import { declare } from './declare.ts';
import { answerTo, stackEvent } from './event.ts';
import { managementApi } from './management-api.store.ts';
import { sendAnswer } from './send-answer.ts';
import { stackSecrets } from './stack-secrets.store.ts';

/** The management function may take 15 s, and starts before. */
const MANAGEMENT_ANSWER_MS = 20_000;

const config = readDeclaredConfig();
const logger = jsonLogger('declared');
const client = awsClient(LambdaClient, { ...AWS_CALL_LIMITS, attempts: 2, answerMs: MANAGEMENT_ANSWER_MS });
const secrets = stackSecrets(openSecretsManager());
const upstream = openEndpointEgress(config.allowLoopback);

/** Creates, changes or deletes one resource of a CloudFormation stack, and answers CloudFormation. */
export async function handler(given: unknown, context: Context): Promise<void> {
  endCallsWithInvocation(context.getRemainingTimeInMillis());
  const event = stackEvent.parse(given);
  const stack = { stackId: event.StackId, resource: event.LogicalResourceId };
  const api = managementApi({
    ...{ client, stack, wait, functionNames: config.functionNames },
    requestId: context.awsRequestId,
    remainingMs: () => context.getRemainingTimeInMillis(),
  });
  const outcome = await declare({ api, secrets, logger, stack }, event);
  await sendAnswer(upstream, event.ResponseURL, answerTo(event, outcome));
}
