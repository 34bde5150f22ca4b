import { Duration, Stack } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus, type RuleProps } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Construct } from 'constructs';
import {
  EVENT_DETAIL_ATTRIBUTES,
  EVENT_ITEM_TYPE,
  EVENT_SOURCE,
  EVENT_TYPE_ATTRIBUTE,
} from '../../lambdas/gateway/contract.ts';
import { alarmText } from './alarm-catalog.ts';
import { sumOf } from './gateway-metrics.ts';
import type { GatewayTable } from './gateway-table.ts';

/** PutEvents takes ten entries; a larger batch would only be split again. */
const BATCH_SIZE = 10;

/** Rides out minutes of trouble on the bus; the records of a shard behind a failing one wait meanwhile. */
const RETRY_ATTEMPTS = 30;

/** After an hour a record is given up, so that one bad record cannot let the stream's 24 hours run out. */
const RECORD_AGE_SEC = 3_600;

/** Every way in which a pipe says that records did not reach its target (Logging and monitoring Amazon EventBridge Pipes). */
const FAILURE_METRICS = [
  'ExecutionFailed',
  'ExecutionPartiallyFailed',
  'ExecutionThrottled',
  'ExecutionTimeout',
  'TargetStageFailed',
  'TargetStagePartiallyFailed',
] as const;

/** Where events come from. */
export interface LifecycleEventsProps {
  readonly table: GatewayTable;
  /**
   * Bus that receives the events.
   * @default - a new one
   */
  readonly busArn?: string | undefined;
}

/**
 * Lifecycle events: a bus, made here or given, and a pipe that puts every new event item of the table on it.
 *
 * At least once and in order per connection. A record that cannot be delivered is given up after an hour with an alarm;
 * its item stays in the table, from where it can be sent again, so there is no dead-letter queue.
 */
export class LifecycleEvents extends Construct {
  /** The bus itself, for the gateway's own rules. */
  readonly bus: NonNullable<RuleProps['eventBus']>;
  /** Name of the bus, for rules. */
  readonly busName: string;
  /** ARN of the bus, for rules that live elsewhere. */
  readonly busArn: string;
  /** Fires when the pipe fails to deliver. */
  readonly failedDeliveriesAlarm: Alarm;

  constructor(scope: Construct, id: string, props: LifecycleEventsProps) {
    super(scope, id);
    const bus =
      props.busArn === undefined
        ? new EventBus(this, 'Bus', { description: 'Lifecycle events of the integration gateway' })
        : EventBus.fromEventBusArn(this, 'Bus', props.busArn);
    const role = new Role(this, 'PipeRole', {
      assumedBy: new ServicePrincipal('pipes.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    props.table.grantStreamRead(role);
    role.addToPolicy(
      new PolicyStatement({ sid: 'PutEvents', actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    );
    const pipe = new CfnPipe(this, 'Pipe', {
      description: 'Event items of the table to the lifecycle event bus',
      roleArn: role.roleArn,
      source: props.table.streamArn,
      sourceParameters: {
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: BATCH_SIZE,
          maximumRetryAttempts: RETRY_ATTEMPTS,
          maximumRecordAgeInSeconds: RECORD_AGE_SEC,
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
        },
        filterCriteria: { filters: [{ pattern: JSON.stringify(EVENT_ITEM_PATTERN) }] },
      },
      target: bus.eventBusArn,
      targetParameters: {
        inputTemplate: detailTemplate(),
        eventBridgeEventBusParameters: {
          source: EVENT_SOURCE,
          detailType: stringAttribute(EVENT_TYPE_ATTRIBUTE),
          time: stringAttribute(EVENT_DETAIL_ATTRIBUTES.time),
        },
      },
    });
    // The pipe reads its source while it is created, so the policy must be there before it.
    pipe.node.addDependency(role);
    this.bus = bus;
    this.busName = bus.eventBusName;
    this.busArn = bus.eventBusArn;
    const failures = FAILURE_METRICS.map(
      (metricName) =>
        new Metric({
          namespace: 'AWS/EventBridge/Pipes',
          metricName,
          dimensionsMap: { PipeName: pipe.ref },
          period: Duration.minutes(5),
          statistic: 'Sum',
        }),
    );
    this.failedDeliveriesAlarm = sumOf('failures', 'Failing deliveries', failures).createAlarm(
      this,
      'FailedDeliveries',
      {
        alarmDescription: alarmText('failed-deliveries'),
        threshold: 1,
        evaluationPeriods: 2,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      },
    );
  }
}

const EVENT_ITEM_PATTERN = {
  eventName: ['INSERT'],
  dynamodb: { NewImage: { type: { S: [EVENT_ITEM_TYPE] } } },
};

/** JSON path of a string attribute in a stream record. */
function stringAttribute(name: string): string {
  return `$.dynamodb.NewImage.${name}.S`;
}

/** The event's detail: member names as JSON, values as paths, which the pipe replaces with JSON strings. */
function detailTemplate(): string {
  const members = Object.entries(EVENT_DETAIL_ATTRIBUTES).map(
    ([member, attribute]) => `${JSON.stringify(member)}: <${stringAttribute(attribute)}>`,
  );
  return `{${members.join(', ')}}`;
}
