import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { alarmText } from './alarm-catalog.ts';

/**
 * A queue for events that were given up on their way to the bus, or from there to a function. A dead letter is an event of the table; the
 * queue only shows that there is one.
 */
export class DeadLetters extends Construct {
  readonly queue: Queue;
  /** Fires when events were dropped. */
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(
      this.queue,
      'AwsSolutions-SQS3',
      'It is the dead-letter queue, of a rule, of a function and of a trigger.',
    );
    this.alarm = this.queue
      .metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5), statistic: 'Maximum' })
      .createAlarm(this, 'DeadLettersWaiting', {
        alarmDescription: alarmText('webhook-dead-letters'),
        threshold: 1,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
  }
}
