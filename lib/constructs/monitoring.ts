import type { Alarm, AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { GatewayFunction } from './function.ts';
import { GatewayAlarms, type GatewayAlarmsProps } from './gateway-alarms.ts';
import { LogQueries } from './log-queries.ts';
import { OperationsDashboard } from './operations-dashboard.ts';

/** The monitored resources. */
export interface MonitoringProps extends GatewayAlarmsProps {
  /** Functions that schedules, rules and streams call. */
  readonly background: readonly GatewayFunction[];
  /** Alarms of other constructs, to be shown as well. */
  readonly otherAlarms: readonly Alarm[];
  /** Whether to create a CloudWatch dashboard, which costs more than all alarms. */
  readonly operationsDashboard: boolean;
}

/** Alarms for every known failure, saved log queries and, optionally, a CloudWatch dashboard. What to do is in docs/runbook.md. */
export class Monitoring extends Construct {
  /** The alarms made here. */
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const functions = [...props.answering, ...props.background];
    this.alarms = new GatewayAlarms(this, 'Alarms', props).all;
    if (props.operationsDashboard) {
      new OperationsDashboard(this, 'Operations', {
        stage: props.stage,
        functions,
        alarms: [...this.alarms, ...props.otherAlarms],
      });
    }
    new LogQueries(this, 'LogQueries', { functions });
  }
}

/** Publishes to a topic when an alarm fires and when it is over. */
export function notifyTopic(alarms: readonly AlarmBase[], topic: ITopic): void {
  const action = new SnsAction(topic);
  for (const alarm of alarms) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
