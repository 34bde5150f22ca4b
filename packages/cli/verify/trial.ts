/** A gateway of its own alongside a stack, deployed for one verification and removed again. */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, DeleteStackCommand, waitUntilStackDeleteComplete } from '@aws-sdk/client-cloudformation';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import * as z from 'zod';
import { buildFunctions } from '../../../dev/tools/build.ts';
import { PROJECT_ROOT, run } from '../../../dev/tools/run.ts';
import { awsClient } from '../../../lambdas/gateway/platform/aws-client.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { type DeployedStack, readStack } from './account-checks.ts';
import { ECHO_BUNDLE, TRIAL_VARIABLE, type Trial } from './echo/trial-app.ts';
import type { EventTap } from './forwarding-checks.ts';

/** The longest a stack may take to go, in seconds. */
const DELETE_TIMEOUT_SEC = 600;

/** The longest an event may take from the table to the queue, in milliseconds. */
const EVENT_TIMEOUT_MS = 60_000;

/** The trial's gateway, the events it sends, and its end. */
export interface RunningTrial {
  readonly stack: DeployedStack;
  readonly events: EventTap;
}

/**
 * Deploys the echo and a gateway of the same bundles, hands both to `use`, and removes them whatever happens.
 * @throws Error of the deploy, or naming the stacks that are still there
 */
export async function withTrial<T>(
  stack: DeployedStack,
  say: (line: string) => void,
  use: (trial: RunningTrial) => Promise<T>,
): Promise<T> {
  const names = { echo: `${stack.name}-Verify-Echo`, gateway: `${stack.name}-Verify` };
  const { region } = stack;
  await buildFunctions();
  await build({
    entryPoints: [join(import.meta.dirname, 'echo', 'lambda.ts')],
    outfile: join(ECHO_BUNDLE, 'index.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'silent',
  });
  try {
    say(`deploying ${names.echo} …`);
    const echo = await deploy({ stackName: names.echo, region });
    say(`deploying ${names.gateway} …`);
    await deploy({
      stackName: names.gateway,
      region,
      frontDoor: stack.outputs.ProxyUrl === undefined ? 'rest-api' : 'function-url',
      echo: { url: outputOf(echo, 'EchoUrl'), eventBusArn: outputOf(echo, 'EventBusArn') },
    });
    return await use({
      stack: await readStack(names.gateway, region),
      events: queueTap(outputOf(echo, 'QueueUrl'), region),
    });
  } finally {
    say('removing both …');
    await remove(Object.values(names).toReversed(), region);
  }
}

async function deploy(trial: Trial): Promise<Readonly<Record<string, string>>> {
  const outputs = join(PROJECT_ROOT, 'dist', `${trial.stackName}.outputs.json`);
  await rm(outputs, { force: true });
  const code = await run(
    'cdk',
    [
      'deploy',
      '--app',
      'node packages/cli/verify/echo/trial-app.ts',
      '--require-approval',
      'never',
      '--progress',
      'events',
      '--outputs-file',
      outputs,
      '--output',
      join('cdk.out.verify', trial.stackName),
    ],
    { [TRIAL_VARIABLE]: JSON.stringify(trial) },
  );
  if (code !== 0) throw new Error(`The stack ${trial.stackName} could not be deployed.`);
  const read = z
    .record(z.string(), z.record(z.string(), z.string()))
    .parse(JSON.parse(await readFile(outputs, 'utf8')));
  return read[trial.stackName] ?? {};
}

function outputOf(outputs: Readonly<Record<string, string>>, name: string): string {
  const value = outputs[name];
  if (value === undefined) throw new Error(`The trial's stack has no output ${name}.`);
  return value;
}

async function remove(names: readonly string[], region: string): Promise<void> {
  const client = awsClient(CloudFormationClient, OPERATOR_LIMITS, region);
  const left: string[] = [];
  for (const StackName of names) {
    try {
      await client.send(new DeleteStackCommand({ StackName }));
      await waitUntilStackDeleteComplete({ client, maxWaitTime: DELETE_TIMEOUT_SEC }, { StackName });
    } catch {
      left.push(StackName);
    }
  }
  if (left.length > 0)
    throw new Error(`Not removed; please delete manually in CloudFormation (${region}): ${left.join(', ')}`);
}

const eventSchema = z.looseObject({
  'detail-type': z.string(),
  detail: z.looseObject({ connection_id: z.string().optional() }),
});

/** Events as they arrive in a queue. */
function queueTap(queueUrl: string, region: string): EventTap {
  const client = awsClient(SQSClient, OPERATOR_LIMITS, region);
  const seen: z.output<typeof eventSchema>[] = [];
  return {
    async waitFor(detailType, connectionId) {
      const endMs = performance.now() + EVENT_TIMEOUT_MS;
      while (performance.now() < endMs) {
        const found = seen.find(
          (event) => event['detail-type'] === detailType && event.detail.connection_id === connectionId,
        );
        if (found !== undefined) return found.detail;
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 5, MaxNumberOfMessages: 10 }),
        );
        for (const { Body, ReceiptHandle } of Messages) {
          seen.push(eventSchema.parse(JSON.parse(Body ?? '{}')));
          if (ReceiptHandle !== undefined)
            await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
        }
      }
      return undefined;
    },
  };
}
