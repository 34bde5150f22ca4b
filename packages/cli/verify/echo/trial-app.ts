/**
 * The CDK app of a trial alongside a stack: first the echo with a bus and a queue of its events, then a gateway whose Google the
 * echo is. Everything in both goes with them.
 */
import { join } from 'node:path';
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  Architecture,
  Code,
  FunctionUrlAuthType,
  InvokeMode,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import * as z from 'zod';
import { PROJECT_ROOT } from '../../../../dev/tools/run.ts';
import { EVENT_SOURCE, FRONT_DOORS } from '../../../../lambdas/gateway/core/contract.ts';
import { CONTEXT_PREFIX, readDeploymentConfig } from '../../../../lib/config.ts';
import { cdkJsonContext } from '../../../../lib/gateway-app.ts';
import { GatewayStack } from '../../../../lib/gateway-stack.ts';

/** Environment variable with the build's parameters, as JSON. */
export const TRIAL_VARIABLE = 'GATEWAY_VERIFY_TRIAL';

/** Where the echo's bundle is. */
export const ECHO_BUNDLE = join(PROJECT_ROOT, 'dist', 'verify-echo');

const trialSchema = z.strictObject({
  stackName: z.string(),
  region: z.string(),
  /** Front door of the gateway, as the stack alongside has it. */
  frontDoor: z.enum(FRONT_DOORS).default('rest-api'),
  /** Outputs of the echo's stack; absent while that stack itself is built. */
  echo: z.strictObject({ url: z.url(), eventBusArn: z.string() }).optional(),
});

/** Which of the two stacks to build, and with what. */
export type Trial = z.input<typeof trialSchema>;

function buildTrial({ stackName, region, frontDoor, echo }: z.output<typeof trialSchema>): App {
  // The flags of the CDK, but none of the options that the operator's own stack may have there.
  const flags = Object.fromEntries(
    Object.entries(cdkJsonContext()).filter(([name]) => !name.startsWith(CONTEXT_PREFIX)),
  );
  const app = new App({ context: flags, analyticsReporting: false });
  if (echo === undefined) {
    addEcho(
      new Stack(app, stackName, {
        env: { region },
        description: 'Stands in for Google while an integration gateway is verified',
      }),
    );
    return app;
  }
  const origin = echo.url.replace(/\/$/, '');
  const options = {
    stackName,
    region,
    frontDoor,
    dashboard: false,
    monitoring: false,
    removalPolicy: 'destroy',
    eventBusArn: echo.eventBusArn,
    googleEndpoints: {
      issuer: origin,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      revocationEndpoint: `${origin}/revoke`,
      userinfoEndpoint: `${origin}/userinfo`,
      jwksUri: `${origin}/certs`,
      apiBaseUrl: origin,
    },
  };
  const context = Object.fromEntries(Object.entries(options).map(([name, value]) => [CONTEXT_PREFIX + name, value]));
  new GatewayStack(app, { config: readDeploymentConfig(context, {}) });
  return app;
}

function addEcho(stack: Stack): void {
  const logs = new LogGroup(stack, 'Logs', { retention: RetentionDays.ONE_DAY, removalPolicy: RemovalPolicy.DESTROY });
  const echo = new LambdaFunction(stack, 'Echo', {
    description: 'Answers like Google where a verification needs it, to anyone',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 512,
    handler: 'index.handler',
    code: Code.fromAsset(ECHO_BUNDLE),
    timeout: Duration.minutes(2),
    logGroup: logs,
    loggingFormat: LoggingFormat.JSON,
  });
  const url = echo.addFunctionUrl({ authType: FunctionUrlAuthType.NONE, invokeMode: InvokeMode.RESPONSE_STREAM });
  const bus = new EventBus(stack, 'Bus', { description: 'Lifecycle events of a gateway that is verified' });
  const queue = new Queue(stack, 'Events', {
    retentionPeriod: Duration.hours(1),
    removalPolicy: RemovalPolicy.DESTROY,
    enforceSSL: true,
  });
  new Rule(stack, 'Rule', { eventBus: bus, eventPattern: { source: [EVENT_SOURCE] }, targets: [new SqsQueue(queue)] });
  new CfnOutput(stack, 'EchoUrl', { value: url.url });
  new CfnOutput(stack, 'EventBusArn', { value: bus.eventBusArn });
  new CfnOutput(stack, 'QueueUrl', { value: queue.queueUrl });
}

if (import.meta.main) {
  buildTrial(trialSchema.parse(JSON.parse(process.env[TRIAL_VARIABLE] ?? '{}'))).synth();
}
