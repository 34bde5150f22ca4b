import type { Alarm, AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventField, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
  /** Ids of features that are left out. */
  readonly without: readonly string[];
}

/** Alarms for every known failure, saved log queries and, optionally, a CloudWatch dashboard. What to do is in docs/runbook.md. */
export class Monitoring extends Construct {
  /** The alarms made here. */
  readonly alarms: readonly Alarm[];
  readonly #alarms: GatewayAlarms;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const functions = [...props.answering, ...props.background];
    this.#alarms = new GatewayAlarms(this, 'Alarms', props);
    this.alarms = this.#alarms.all;
    if (props.operationsDashboard) {
      new OperationsDashboard(this, 'Operations', {
        stage: props.stage,
        functions,
        alarms: [...this.alarms, ...props.otherAlarms],
        without: props.without,
      });
    }
    new LogQueries(this, 'LogQueries', { functions });
  }

  /** Publishes to a topic who disabled the key or scheduled its deletion, minutes before the alarm, which says only that somebody did. */
  reportKeyChanges(id: string, topic: ITopic): void {
    const detail = (path: string) => EventField.fromPath(`$.detail.${path}`);
    const message = RuleTargetInput.fromText(
      `${detail('eventName')} of the key that encrypts all tokens, by ${detail('userIdentity.arn')} from ${detail('sourceIPAddress')} at ${detail('eventTime')}. What to do: docs/runbook.md#key-in-danger`,
    );
    const { keyChanges } = this.#alarms;
    // A target of the CDK would let the rules of every account publish, and be numbered by its order.
    keyChanges.addTarget({ bind: () => ({ id, arn: topic.topicArn, input: message }) });
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'LetKeyChangesReport',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { ArnEquals: { 'aws:SourceArn': keyChanges.ruleArn } },
      }),
    );
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
