import { Duration, Stack } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, type RuleProps } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import {
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_SOURCE } from '../../lambdas/gateway/contract.ts';
import { acknowledge } from './acknowledge.ts';
import { alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';

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
    this.#eachMinute(deliver);
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
    deliver.allow({
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
    onFailure.node.addDependency(deliver);
  }

  #eachMinute(deliver: GatewayFunction): void {
    // Kept, as by default, the group's fixed name would stand in the way of the next deployment.
    const group = new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    const role = new Role(this, 'InvokerRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account, 'aws:SourceArn': group.scheduleGroupArn },
        },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({
        sid: 'InvokeDeliver',
        actions: ['lambda:InvokeFunction'],
        resources: [deliver.invoked.functionArn],
      }),
    );
    const schedule = new Schedule(this, 'Sweep', {
      description: 'Deliveries of webhooks that are due',
      scheduleGroup: group,
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(deliver.invoked, {
        // The target would widen the role to every version of the function.
        role: role.withoutPolicyUpdates(),
        input: ScheduleTargetInput.fromObject({ sweep: true }),
        retryAttempts: 0,
        maxEventAge: Duration.minutes(1),
      }),
    });
    // The schedule names its group as text, so CloudFormation would not see that it needs it.
    schedule.node.addDependency(group, role);
  }
}
