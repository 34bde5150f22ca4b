import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, type RuleProps } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_SOURCE } from '../../lambdas/gateway/contract.ts';
import { acknowledge } from './acknowledge.ts';
import { alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';
import { SweepSchedule } from './sweep-schedule.ts';

/** An event that the function cannot take is brought again for this long: an outage of the table is shorter. */
const EVENT_AGE = Duration.hours(6);

/** Where events come from and what delivers them. */
export interface WebhookDeliveryProps {
  readonly deliver: GatewayFunction;
  /** The bus that carries the events. */
  readonly bus: NonNullable<RuleProps['eventBus']>;
}

/**
 * What leads from the bus to webhooks: a rule that hands every event of the gateway to the deliver function, a tick a minute for what is
 * to be tried again, and a queue for events that the function could not even store.
 *
 * A dead letter is an event of the table, from where `POST /webhooks/{id}/replay` sends it; the queue says that there is one.
 */
export class WebhookDelivery extends Construct {
  /** Fires when events were given up before they were queued for their webhooks. */
  readonly deadLettersAlarm: Alarm;
  /** The tick for what is to be tried again. */
  readonly schedule: SweepSchedule;

  constructor(scope: Construct, id: string, { deliver, bus }: WebhookDeliveryProps) {
    super(scope, id);
    const deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(deadLetters, 'AwsSolutions-SQS3', 'It is the dead-letter queue, of a rule and of a function.');
    this.#onEvents(deliver, bus, deadLetters);
    this.schedule = new SweepSchedule(this, 'Schedule', {
      sweeper: deliver,
      title: 'Sweep of due deliveries',
      slices: 1,
      alarms: { droppedTicks: 'dropped-webhook-ticks', failingSweeps: 'failing-webhook-sweeps' },
    });
    deliver.setEnvironment(ENVIRONMENT.webhooksToLoopback, 'false');
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

  #onEvents(deliver: GatewayFunction, bus: WebhookDeliveryProps['bus'], deadLetters: Queue): void {
    new Rule(this, 'Rule', {
      description: 'Every event of the gateway to its webhooks',
      eventBus: bus,
      eventPattern: { source: [EVENT_SOURCE] },
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
    // Lambda checks that the role may send before it takes the destination.
    onFailure.node.addDependency(maySend);
  }
}
