import { Duration, Names } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { alarmText } from '../../../lib/constructs/alarm-catalog.ts';
import type { Background, BackgroundProps } from '../../../lib/constructs/feature.ts';
import type { GatewayFunction } from '../../../lib/constructs/function.ts';
import { SweepSchedule } from '../../../lib/constructs/sweep-schedule.ts';
import { FUNCTION_MEMORY_MB } from '../../../lib/function-memory.ts';
import { ENVIRONMENT, EVENT_SOURCE, HEARTBEAT_SOURCE } from '../../gateway/core/contract.ts';

/** Due deliveries are attempted until shortly before this; the next tick continues. */
const TIMEOUT = Duration.minutes(5);

/** An event that the function fails to store is retried for this long: an outage of the table is shorter. */
const EVENT_AGE = Duration.hours(6);

/** Heartbeats come every ten minutes, so each period of fifteen contains one. */
const HEARTBEAT_PERIOD = Duration.minutes(15);

/**
 * The function that delivers, and the path from the bus to it: a rule that sends it every event of the gateway, a tick per minute for
 * retries, and the queue for events that it could not even store, which `POST /webhooks/{id}/replay` sends.
 */
export function background(props: BackgroundProps): Background {
  const { deadLetters, busName } = props;
  const deliver = props.makeFunction('Deliver', {
    functionName: 'deliver',
    reservedConcurrency: props.config.reservedConcurrency.deliver,
    description: 'Delivers events to webhooks',
    timeout: TIMEOUT,
    memoryMb: FUNCTION_MEMORY_MB.deliver,
  });
  props.setDashboard(deliver);
  deliver.setEnvironment(ENVIRONMENT.endpointsToLoopback, 'false');
  // Next to the queue: resources keep the names that they had in earlier releases.
  const ruleName = sendEvents(deadLetters, deliver, props);
  const schedule = new SweepSchedule(deadLetters, 'Schedule', {
    sweeper: deliver,
    title: 'Sweep of due deliveries',
    slices: 1,
    alarms: { droppedTicks: 'dropped-webhook-ticks', failingSweeps: 'failing-webhook-sweeps' },
  });
  return { functions: [deliver], schedules: [schedule], listening: [eventsSilent(deadLetters, ruleName, busName)] };
}

/** On after half an hour without a heartbeat at the end of the path of events. It notifies nobody itself, see `Silence`. */
function eventsSilent(scope: Construct, ruleName: string, busName: string): Alarm {
  return new Metric({
    namespace: 'AWS/Events',
    metricName: 'Invocations',
    // A rule of the default bus has one dimension, of any other bus two (Monitoring Amazon EventBridge).
    dimensionsMap: {
      ...(busName === 'default' ? {} : { EventBusName: busName }),
      RuleName: ruleName,
    },
    period: HEARTBEAT_PERIOD,
    statistic: 'Sum',
  }).createAlarm(scope, 'EventsSilent', {
    alarmDescription: alarmText('events-silent'),
    threshold: 1,
    evaluationPeriods: 2,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  });
}

/** @returns the rule's name */
function sendEvents(scope: Construct, deliver: GatewayFunction, { bus, deadLetters }: BackgroundProps): string {
  const { queue } = deadLetters;
  // Named here, because the reference to a rule of a custom bus also contains the name of the bus, but metrics use only the rule's.
  const ruleName = Names.uniqueResourceName(scope, { maxLength: 64, separator: '-' });
  new Rule(scope, 'Rule', {
    ruleName,
    description: 'Every event of the gateway to its webhooks',
    eventBus: bus,
    eventPattern: { source: [EVENT_SOURCE, HEARTBEAT_SOURCE] },
    targets: [
      new LambdaFunction(deliver.invoked, { deadLetterQueue: queue, maxEventAge: EVENT_AGE, retryAttempts: 185 }),
    ],
  });
  const maySend = deliver.allow({
    sid: 'KeepDeadLetters',
    actions: ['sqs:SendMessage'],
    resources: [queue.queueArn],
  });
  const onFailure = new CfnEventInvokeConfig(scope, 'OnFailure', {
    functionName: deliver.lambda.functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: 2,
    maximumEventAgeInSeconds: EVENT_AGE.toSeconds(),
    destinationConfig: { onFailure: { destination: queue.queueArn } },
  });
  // Lambda checks the role's right to send before it accepts the destination.
  onFailure.node.addDependency(maySend);
  return ruleName;
}
