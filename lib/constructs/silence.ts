import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { alarmText } from './alarm-catalog.ts';
import { concurrencyPercentage } from './gateway-metrics.ts';

/** A new stack has no measurements for some minutes, in which every alarm that treats none as trouble is on. */
const QUIET = Duration.minutes(20);

/** Share of the account's executions in percent from which the next burst may be refused. */
const NEARLY_ALL = 80;

/** Alarms that listen to what works by itself all the time. */
export interface SilenceProps {
  readonly listening: readonly Alarm[];
}

/**
 * One alarm that reports any silence, once it has lasted: the alarms that listen are on while nothing was measured, which a new or
 * changed stack is for some minutes. Where the account's executions are used up, that is what is told, not the silence it makes.
 */
export class Silence extends Construct {
  /** Fires when something has been silent for twenty minutes after its own alarm was on. */
  readonly alarm: CompositeAlarm;
  /** Fires when the account's executions are nearly used up. */
  readonly concurrencyAlarm: Alarm;

  constructor(scope: Construct, id: string, { listening }: SilenceProps) {
    super(scope, id);
    this.concurrencyAlarm = concurrencyPercentage().createAlarm(this, 'Concurrency', {
      alarmDescription: alarmText('function-throttles'),
      threshold: NEARLY_ALL,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.alarm = new CompositeAlarm(this, 'Alarm', {
      alarmDescription: alarmText('silence'),
      alarmRule: AlarmRule.anyOf(...listening),
      actionsSuppressor: this.concurrencyAlarm,
      actionsSuppressorWaitPeriod: QUIET,
      actionsSuppressorExtensionPeriod: QUIET,
    });
  }
}
