import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import { type AlarmName, alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';

/** Invocations in five minutes: half of the ticks, and more than heartbeats of events alone cause. */
const FEWEST_CALLS = 3;

/** A function that a schedule calls each minute. */
export interface TickScheduleProps {
  readonly called: GatewayFunction;
  /** One call a minute for each. */
  readonly ticks: readonly { readonly id: string; readonly description: string; readonly event: object }[];
}

/**
 * A tick per minute. A failed one is neither retried nor stored, because the next one finds the same work. Functions with ticks record
 * when they end (`TickWatch`), so that the remaining ones report a missing one.
 */
export class TickSchedule extends Construct {
  constructor(scope: Construct, id: string, { called, ticks }: TickScheduleProps) {
    super(scope, id);
    // If retained, as by default, the group's fixed name would block the next deployment.
    const group = new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    const role = this.#invokerRole(called, group.scheduleGroupArn);
    for (const { id: scheduleId, description, event } of ticks) {
      const schedule = new Schedule(this, scheduleId, {
        description,
        scheduleGroup: group,
        schedule: ScheduleExpression.rate(Duration.minutes(1)),
        timeWindow: TimeWindow.off(),
        target: new LambdaInvoke(called.invoked, {
          // The target would widen the role to every version of the function.
          role: role.withoutPolicyUpdates(),
          input: ScheduleTargetInput.fromObject(event),
          retryAttempts: 0,
          maxEventAge: Duration.minutes(1),
        }),
      });
      // The schedule names its group as text, so CloudFormation would not see that it needs it.
      schedule.node.addDependency(group, role);
    }
  }

  #invokerRole(called: GatewayFunction, groupArn: string): Role {
    const role = new Role(this, 'InvokerRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account, 'aws:SourceArn': groupArn } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({
        sid: `Invoke${called.node.id}`,
        actions: ['lambda:InvokeFunction'],
        resources: [called.invoked.functionArn],
      }),
    );
    return role;
  }
}

/** The function to invoke, and how many slices run concurrently. */
export interface SweepScheduleProps {
  /** The function that sweeps. */
  readonly sweeper: GatewayFunction;
  /** What it sweeps, as the schedules' descriptions begin. */
  readonly title: string;
  /** Number of slices of the due index; each has its own tick. */
  readonly slices: number;
  readonly alarms: { readonly droppedTicks: AlarmName; readonly failingSweeps: AlarmName };
}

/**
 * The tick of a sweep: once a minute per slice of the due index, event `{"slice":{"index","count"}}`.
 *
 * A failed tick is neither retried nor stored: the index is the durable queue and the next tick finds the same work.
 * Two alarms report when that fails, and the sweeps watch each other (`TickWatch`).
 */
export class SweepSchedule extends TickSchedule {
  /** On after 15 minutes without ticks. It notifies nobody itself, see `Silence`. */
  readonly silenceAlarm: Alarm;
  /** Fires when sweeps keep failing. */
  readonly failingSweepsAlarm: Alarm;

  constructor(scope: Construct, id: string, props: SweepScheduleProps) {
    const { title, slices } = props;
    super(scope, id, {
      called: props.sweeper,
      ticks: Array.from({ length: slices }, (_, index) => ({
        id: `Slice${index}`,
        description: `${title} ${index + 1} of ${slices}`,
        event: { slice: { index, count: slices } },
      })),
    });
    this.silenceAlarm = props.sweeper.invoked
      .metricInvocations({ period: Duration.minutes(5), statistic: 'Sum' })
      .createAlarm(this, 'DroppedTicks', {
        alarmDescription: alarmText(props.alarms.droppedTicks),
        threshold: FEWEST_CALLS,
        evaluationPeriods: 3,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      });
    this.failingSweepsAlarm = props.sweeper.invoked
      .metricErrors({ period: Duration.minutes(5), statistic: 'Sum' })
      .createAlarm(this, 'FailingSweeps', {
        alarmDescription: alarmText(props.alarms.failingSweeps),
        threshold: 1,
        evaluationPeriods: 3,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
  }
}
