import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus, type RuleProps } from 'aws-cdk-lib/aws-events';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT, EVENT_ITEM_TYPE } from '../../lambdas/gateway/core/contract.ts';
import { alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';
import type { GatewayTable } from './gateway-table.ts';

/** Records per invocation: ten requests to the bus, a few tenths of a second of work. */
const BATCH_SIZE = 100;

/** Covers minutes of trouble on the bus; the records of a shard behind a failing one wait meanwhile. */
const RETRY_ATTEMPTS = 30;

/** After an hour a record is dropped, so that one bad record cannot let the stream's 24 hours run out. */
const RECORD_AGE_SEC = 3_600;

/** A record that waits this long is in danger, because it is dropped after an hour. */
const LONGEST_WAIT = Duration.minutes(15);

/** Where events come from. */
export interface EventFeedProps {
  readonly table: GatewayTable;
  /** Puts them on the bus. */
  readonly forwarder: GatewayFunction;
  /**
   * Bus that receives the events.
   * @default - a new one
   */
  readonly busArn?: string | undefined;
}

/**
 * Lifecycle events: a bus, new or given, and the trigger by which the table's stream sends every new event item to the function
 * that puts it there.
 *
 * At least once and in order per connection. An undeliverable event is dropped after an hour, with an alarm and a message in the
 * queue; its item stays in the table, from where it can be sent again.
 */
export class EventFeed extends Construct {
  /** The bus itself, for the gateway's own rules. */
  readonly bus: NonNullable<RuleProps['eventBus']>;
  /** Name of the bus, for rules. */
  readonly busName: string;
  /** ARN of the bus, for rules that live elsewhere. */
  readonly busArn: string;
  /** Fires when the function fails; its own reports (`EventNotForwarded`) are among the signals. */
  readonly failedDeliveriesAlarm: Alarm;
  /** Fires when events reach the bus late. */
  readonly overdueEventsAlarm: Alarm;
  readonly #props: EventFeedProps;

  constructor(scope: Construct, id: string, props: EventFeedProps) {
    super(scope, id);
    this.#props = props;
    const { forwarder, busArn } = props;
    const bus =
      busArn === undefined
        ? new EventBus(this, 'Bus', { description: 'Lifecycle events of the integration gateway' })
        : EventBus.fromEventBusArn(this, 'Bus', busArn);
    forwarder.allow({ sid: 'PutEvents', actions: ['events:PutEvents'], resources: [bus.eventBusArn] });
    forwarder.setEnvironment(ENVIRONMENT.eventBusArn, bus.eventBusArn);
    forwarder.setEnvironment(ENVIRONMENT.eventBusEndpoint, `https://events.${Stack.of(this).region}.${Aws.URL_SUFFIX}`);
    this.bus = bus;
    this.busName = bus.eventBusName;
    this.busArn = bus.eventBusArn;
    const period = Duration.minutes(5);
    this.failedDeliveriesAlarm = forwarder.invoked
      .metricErrors({ period, statistic: 'Sum' })
      .createAlarm(this, 'FailedDeliveries', {
        alarmDescription: alarmText('failed-deliveries'),
        threshold: 1,
        evaluationPeriods: 2,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
    this.overdueEventsAlarm = forwarder.invoked
      .metric('IteratorAge', { period, statistic: 'Maximum' })
      .createAlarm(this, 'OverdueEvents', {
        alarmDescription: alarmText('overdue-events'),
        threshold: LONGEST_WAIT.toMilliseconds(),
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
  }

  /**
   * Creates the trigger.
   *
   * @param deadLetters receives dropped events
   */
  start(deadLetters: Queue): void {
    const { table, forwarder } = this.#props;
    const rights = [
      ...table.grantStreamRead(forwarder),
      forwarder.allow({
        sid: 'KeepDeadLetters',
        actions: ['sqs:SendMessage'],
        resources: [deadLetters.queueArn],
      }),
    ];
    forwarder.setEnvironment(ENVIRONMENT.deadLettersUrl, deadLetters.queueUrl);
    const trigger = new CfnEventSourceMapping(this, 'Trigger', {
      functionName: forwarder.lambda.functionName,
      eventSourceArn: table.streamArn,
      startingPosition: 'TRIM_HORIZON',
      filterCriteria: { filters: [{ pattern: JSON.stringify(EVENT_ITEM_PATTERN) }] },
      batchSize: BATCH_SIZE,
      bisectBatchOnFunctionError: true,
      functionResponseTypes: ['ReportBatchItemFailures'],
      maximumRetryAttempts: RETRY_ATTEMPTS,
      maximumRecordAgeInSeconds: RECORD_AGE_SEC,
      destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
    });
    // Lambda reads the stream with the role, and checks the role's right to send before it accepts the mapping.
    trigger.node.addDependency(...rights);
  }
}

const EVENT_ITEM_PATTERN = {
  eventName: ['INSERT'],
  dynamodb: { NewImage: { type: { S: [EVENT_ITEM_TYPE] } } },
};
