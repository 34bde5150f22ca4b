import { Duration } from 'aws-cdk-lib';
import { type Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { type AlarmName, alarmText } from './alarm-catalog.ts';
import type { GatewayFunction } from './function.ts';
import {
  errorsOf,
  OwnMetrics,
  type StageName,
  serverErrorPercentage,
  stageMetric,
  sumOf,
  tableThrottles,
  throttlesOf,
} from './gateway-metrics.ts';
import type { TokenKey } from './token-key.ts';

/** Below this many requests in five minutes a share of failures says nothing. */
const FEWEST_REQUESTS = 20;

/** Refusals in five minutes: a caller who keeps to Retry-After meets a limit a handful of times, a loop some thousands. */
const MANY_REFUSALS = 100;

/** Sweeps renew tokens twelve minutes ahead, less jitter: a wait of ten is the last that nobody notices. */
const LONGEST_DUE_SEC = 600;

/** Gaps in five minutes: one feed has one an hour at most, so more are of many feeds at once. */
const FEW_GAPS = 10;

/** Causes of death by who can mend them; what end users do themselves, and what was asked for, is no alarm. */
export const DEATHS = {
  setup: ['testing_mode_expired', 'refresh_token_limit', 'credentials_changed'],
  policy: ['admin_restricted', 'session_length_over'],
  lost: ['rotation_lost'],
} as const;

/** What is watched. */
export interface GatewayAlarmsProps {
  readonly stage: StageName;
  /** Functions that answer requests. */
  readonly answering: readonly GatewayFunction[];
  /** Functions that schedules and rules call. */
  readonly background: readonly GatewayFunction[];
  readonly tableName: string;
  readonly tokenKey: TokenKey;
}

/** Alarms of everything but the sweep's schedule and the event pipe, which bring their own. */
export class GatewayAlarms extends Construct {
  /** Every alarm made here. */
  readonly all: Alarm[] = [];

  constructor(scope: Construct, id: string, props: GatewayAlarmsProps) {
    super(scope, id);
    const own = new OwnMetrics(this);
    this.#watch('front-door-errors', serverErrorPercentage(props.stage, FEWEST_REQUESTS), { above: 5, of: 3 });
    this.#watch('slow-answers', stageMetric(props.stage, 'IntegrationLatency', 'p99'), { above: 10_000, of: 3 });
    this.#watch('function-errors', errorsOf(props.answering), { above: 0, of: 3 });
    this.#watch('function-throttles', throttlesOf([...props.answering, ...props.background]), { above: 0, of: 3 });
    this.#watch('overdue-refreshes', own.metric('oldestDueAgeSec', {}, 'Maximum'), { above: LONGEST_DUE_SEC, of: 2 });
    this.#watch('braked-sweeps', own.metric('sweepBraked'), { above: 0, of: 2 });
    this.#watch(
      'failing-items',
      sumOf('failing', 'Failing work', [own.metric('sweepItemFailed'), own.metric('sweepShardFailed')]),
      { above: 0, of: 3 },
    );
    this.#watch('overdue-feeds', own.metric('oldestFeedDueAgeSec', {}, 'Maximum'), { above: LONGEST_DUE_SEC, of: 2 });
    this.#watch(
      'failing-feeds',
      sumOf('failing', 'Failing feeds', [
        own.metric('feedSweepFailed'),
        own.metric('feedWakeFailed'),
        own.metric('feedSweepBraked'),
      ]),
      { above: 0, of: 3 },
    );
    this.#watch('feed-gaps', own.overAllValues('feedGap', 'reason'), { above: FEW_GAPS, of: 1 });
    this.#watch('client-rejected', own.overAllValues('integrationRejected', 'error'));
    this.#watch('refused-callers', own.overAllValues('rateLimited', 'limit'), { above: MANY_REFUSALS, of: 3 });
    this.#watch('many-deaths', own.metric('grantDeathIncident'));
    this.#watch('deaths-by-setup', own.deathsOf(DEATHS.setup));
    this.#watch('deaths-by-policy', own.deathsOf(DEATHS.policy));
    this.#watch('lost-rotations', own.deathsOf(DEATHS.lost));
    this.#watch(
      'unstored-tokens',
      sumOf('unstored', 'Tokens not stored', [own.metric('tokenWriteFailed'), own.metric('rotatedTokenLost')]),
    );
    this.#watch('storage-unavailable', own.metric('storageUnavailable'), { above: 0, of: 2 });
    this.#watch('data-keys-failing', own.metric('dataKeyFailed'), { above: 0, of: 2 });
    this.#watch('unreadable-values', own.metric('storedValueUnreadable'));
    this.#watch('table-throttles', tableThrottles(props.tableName), { above: 0, of: 3 });
    this.#watch('overdue-webhooks', own.metric('oldestDueDeliveryAgeSec', {}, 'Maximum'), {
      above: LONGEST_DUE_SEC,
      of: 2,
    });
    this.#watch('failing-webhooks', own.metric('webhookWorkFailed'), { above: 0, of: 3 });
    this.#watch('webhook-disabled', own.overAllValues('webhookDisabled', 'because'));
    this.#watch('key-in-danger', this.#keyChanges(props.tokenKey));
  }

  /** Fires when two of the last `of` periods of five minutes are above; the first one does where `of` is 1. */
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

  /** Counts calls that take the key away. CloudTrail tells EventBridge about them, so the account needs a trail. */
  #keyChanges(tokenKey: TokenKey): Metric {
    const rule = new Rule(this, 'KeyChanges', {
      description: 'The key of the integration gateway is disabled or scheduled for deletion',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: { eventName: ['DisableKey', 'ScheduleKeyDeletion'], resources: { ARN: [tokenKey.key.keyArn] } },
      },
    });
    return new Metric({
      namespace: 'AWS/Events',
      metricName: 'MatchedEvents',
      dimensionsMap: { RuleName: rule.ruleName },
      period: Duration.minutes(5),
      statistic: 'Sum',
    });
  }
}

/** `front-door-errors` as `FrontDoorErrors`. */
function constructId(name: AlarmName): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
