import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { GatewayAlarms, type GatewayAlarmsProps } from './gateway-alarms.ts';
import { LogQueries } from './log-queries.ts';
import { OperationsDashboard } from './operations-dashboard.ts';

/** What is watched. */
export interface MonitoringProps extends GatewayAlarmsProps {
  /** Alarms that other constructs brought, to be shown and told about as well. */
  readonly otherAlarms: readonly Alarm[];
}

/** Alarms for every known way to fail, a CloudWatch dashboard and saved log queries. docs/runbook.md says what to do. */
export class Monitoring extends Construct {
  /** Every alarm of the gateway. */
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const functions = [...props.answering, ...props.background];
    this.alarms = [...new GatewayAlarms(this, 'Alarms', props).all, ...props.otherAlarms];
    new OperationsDashboard(this, 'Operations', {
      stage: props.stage,
      functions,
      tableName: props.tableName,
      alarms: this.alarms,
    });
    new LogQueries(this, 'LogQueries', { functions });
  }
}

/** Tells a topic when an alarm fires and when it is over. */
export function notifyTopic(scope: Construct, alarms: readonly Alarm[], topicArn: string): void {
  const action = new SnsAction(Topic.fromTopicArn(scope, 'AlarmTopic', topicArn));
  for (const alarm of alarms) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
