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

/** A new stack has no measurements for some minutes, during which every alarm that treats missing data as a failure is on. */
const QUIET = Duration.minutes(20);

/** Share of the account's concurrency in percent from which the next burst may be throttled. */
const NEARLY_ALL = 80;

/** Alarms on missing measurements of scheduled work. */
export interface SilenceProps {
  readonly listening: readonly Alarm[];
}

/**
 * One alarm that reports any lasting silence: the alarms on missing data are on while nothing was measured, which is normal for a new
 * or changed stack for some minutes. Where the account's concurrency is used up, that is reported instead of the silence it causes.
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
