import { Duration } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { SIGNAL_METRICS, SIGNAL_POINTS, type SignalMetric } from '../../lambdas/gateway/core/contract.ts';
import { type AlarmName, alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';
import { errorsOf, OwnMetrics, type StageName, serverErrorPercentage, stageMetric } from './gateway-metrics.ts';
import type { TokenKey } from './token-key.ts';

/** Below this many requests in five minutes a share of failures is meaningless. */
const FEWEST_REQUESTS = 20;

/** The alarm of each counter of signals. */
export const SIGNAL_ALARMS = {
  Page: 'page',
  PageLasting: 'page-lasting',
  Ticket: 'ticket',
  TicketLasting: 'ticket-lasting',
} as const satisfies Record<SignalMetric, AlarmName>;

/** The monitored resources. */
export interface GatewayAlarmsProps {
  readonly stage: StageName;
  /** Functions that answer requests. */
  readonly answering: readonly GatewayFunction[];
  /**
   * The function with a URL of its own.
   * @default - none
   */
  readonly byUrl?: GatewayFunction | undefined;
  readonly tokenKey: TokenKey;
}

/** All alarms except those of scheduled work, whose constructs have their own, combined in `Silence`. */
export class GatewayAlarms extends Construct {
  /** Every alarm made here. */
  readonly all: Alarm[] = [];
  /** Matches API calls that disable or delete the key. They reach EventBridge by CloudTrail, so the account needs a trail. */
  readonly keyChanges: Rule;

  constructor(scope: Construct, id: string, props: GatewayAlarmsProps) {
    super(scope, id);
    const own = new OwnMetrics(this);
    this.#watch('front-door-errors', serverErrorPercentage(props.stage, FEWEST_REQUESTS, props.byUrl), {
      above: 5,
      of: 3,
    });
    this.#watch('slow-answers', stageMetric(props.stage, 'IntegrationLatency', 'p99'), { above: 10_000, of: 3 });
    this.#watch('function-errors', errorsOf(props.answering), { above: 0, of: 3 });
    for (const name of SIGNAL_METRICS) {
      // One period is enough for immediate signals; lasting ones need two of three.
      const when = { above: SIGNAL_POINTS - 1, of: name.endsWith('Lasting') ? 3 : 1 };
      this.#watch(SIGNAL_ALARMS[name], own.signal(name), when);
    }
    this.keyChanges = new Rule(this, 'KeyChanges', {
      description: 'The key of the integration gateway is disabled or scheduled for deletion',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: { eventName: ['DisableKey', 'ScheduleKeyDeletion'], resources: { ARN: [props.tokenKey.key.keyArn] } },
      },
    });
    const matched = new Metric({
      namespace: 'AWS/Events',
      metricName: 'MatchedEvents',
      dimensionsMap: { RuleName: this.keyChanges.ruleName },
      period: Duration.minutes(5),
      statistic: 'Sum',
    });
    this.#watch('key-in-danger', matched);
  }

  /** Fires when two of the last `of` periods of five minutes are above the threshold; with `of` 1 the first one. */
  #watch(name: AlarmName, metric: IMetric & Pick<Metric, 'createAlarm'>, when = { above: 0, of: 1 }): void {
    const alarm = metric.createAlarm(this, constructId(name), {
      alarmDescription: alarmText(name),
      threshold: when.above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: when.of,
      datapointsToAlarm: Math.min(2, when.of),
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.all.push(alarm);
  }
}

/** `front-door-errors` as `FrontDoorErrors`. */
function constructId(name: AlarmName): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
