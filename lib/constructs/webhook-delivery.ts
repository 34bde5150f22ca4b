import { Duration, Names, RemovalPolicy } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, type RuleProps } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_SOURCE, HEARTBEAT_SOURCE } from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import { alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';
import { SweepSchedule } from './sweep-schedule.ts';

/** An event that the function fails to store is retried for this long: an outage of the table is shorter. */
const EVENT_AGE = Duration.hours(6);

/** Heartbeats come every ten minutes, so each period of fifteen contains one. */
const HEARTBEAT_PERIOD = Duration.minutes(15);

/** The source of events and the function that delivers them. */
export interface WebhookDeliveryProps {
  readonly deliver: GatewayFunction;
  /** The bus that carries the events. */
  readonly bus: NonNullable<RuleProps['eventBus']>;
  readonly busName: string;
}

/**
 * The path from the bus to webhooks: a rule that sends every event of the gateway to the deliver function, a tick per minute for
 * retries, and a queue for events that the function could not even store.
 *
 * A dead letter is an event of the table, from where `POST /webhooks/{id}/replay` sends it; the queue only shows that there is one.
 */
export class WebhookDelivery extends Construct {
  /** Fires when events were dropped before they were queued for their webhooks. */
  readonly deadLettersAlarm: Alarm;
  /** On after half an hour without a heartbeat at the end of the path of events. It notifies nobody itself, see `Silence`. */
  readonly eventsSilentAlarm: Alarm;
  /** Events that were dropped on their way. */
  readonly deadLetters: Queue;
  /** The tick for retries. */
  readonly schedule: SweepSchedule;

  constructor(scope: Construct, id: string, { deliver, bus, busName }: WebhookDeliveryProps) {
    super(scope, id);
    const deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.deadLetters = deadLetters;
    acknowledge(
      deadLetters,
      'AwsSolutions-SQS3',
      'It is the dead-letter queue, of a rule, of a function and of a trigger.',
    );
    const ruleName = this.#onEvents(deliver, bus, deadLetters);
    this.eventsSilentAlarm = new Metric({
      namespace: 'AWS/Events',
      metricName: 'Invocations',
      // A rule of the default bus has one dimension, of any other bus two (Monitoring Amazon EventBridge).
      dimensionsMap: {
        ...(busName === 'default' ? {} : { EventBusName: busName }),
        RuleName: ruleName,
      },
      period: HEARTBEAT_PERIOD,
      statistic: 'Sum',
    }).createAlarm(this, 'EventsSilent', {
      alarmDescription: alarmText('events-silent'),
      threshold: 1,
      evaluationPeriods: 2,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
    this.schedule = new SweepSchedule(this, 'Schedule', {
      sweeper: deliver,
      title: 'Sweep of due deliveries',
      slices: 1,
      alarms: { droppedTicks: 'dropped-webhook-ticks', failingSweeps: 'failing-webhook-sweeps' },
    });
    deliver.setEnvironment(ENVIRONMENT.endpointsToLoopback, 'false');
    this.deadLettersAlarm = deadLetters
      .metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5), statistic: 'Maximum' })
      .createAlarm(this, 'DeadLettersWaiting', {
        alarmDescription: alarmText('webhook-dead-letters'),
        threshold: 1,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
  }

  #onEvents(deliver: GatewayFunction, bus: WebhookDeliveryProps['bus'], deadLetters: Queue): string {
    // Named here, because the reference to a rule of a custom bus also contains the name of the bus, but metrics use only the rule's.
    const ruleName = Names.uniqueResourceName(this, { maxLength: 64, separator: '-' });
    new Rule(this, 'Rule', {
      ruleName,
      description: 'Every event of the gateway to its webhooks',
      eventBus: bus,
      eventPattern: { source: [EVENT_SOURCE, HEARTBEAT_SOURCE] },
      targets: [
        new LambdaFunction(deliver.invoked, {
          deadLetterQueue: deadLetters,
          maxEventAge: EVENT_AGE,
          retryAttempts: 185,
        }),
      ],
    });
    const maySend = deliver.allow({
      sid: 'KeepDeadLetters',
      actions: ['sqs:SendMessage'],
      resources: [deadLetters.queueArn],
    });
    const onFailure = new CfnEventInvokeConfig(this, 'OnFailure', {
      functionName: deliver.lambda.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 2,
      maximumEventAgeInSeconds: EVENT_AGE.toSeconds(),
      destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
    });
    // Lambda checks the role's right to send before it accepts the destination.
    onFailure.node.addDependency(maySend);
    return ruleName;
  }
}
