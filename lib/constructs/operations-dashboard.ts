import { Duration } from 'aws-cdk-lib';
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { FEATURES } from '../../lambdas/features/index.ts';
import { METRICS } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayFunction } from './function.ts';
import {
  errorsOf,
  OwnMetrics,
  type StageName,
  serverErrorPercentage,
  stageMetric,
  throttlesOf,
} from './gateway-metrics.ts';

/** A row of the dashboard is 24 units wide. */
const WIDTH = 24;

/** What is shown. */
export interface OperationsDashboardProps {
  readonly stage: StageName;
  readonly functions: readonly GatewayFunction[];
  readonly alarms: readonly Alarm[];
  /** Ids of features that are left out. */
  readonly without: readonly string[];
}

/** One CloudWatch dashboard: alarms first, then the front door, then tokens, then the services below. */
export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, { stage, functions, alarms, without }: OperationsDashboardProps) {
    super(scope, id);
    const own = new OwnMetrics(this);
    const features = FEATURES.filter(({ id, graphs }) => graphs.length > 0 && !without.includes(id));
    new Dashboard(this, 'Dashboard', {
      defaultInterval: Duration.days(1),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WIDTH, height: 4 })],
        row(
          graph('Requests', [stageMetric(stage, 'Count', 'Sum')]),
          graph('Failing requests', [
            stageMetric(stage, '4XXError', 'Sum'),
            stageMetric(stage, '5XXError', 'Sum'),
            serverErrorPercentage(stage, 1),
          ]),
          graph('Time to the answer (ms)', [
            stageMetric(stage, 'IntegrationLatency', 'p50'),
            stageMetric(stage, 'IntegrationLatency', 'p99'),
          ]),
        ),
        row(
          graph('Refreshes by outcome', [own.bySearch('refresh', ['outcome', 'cause'])]),
          graph('Deaths by cause', [own.bySearch('refresh', ['outcome', 'cause'], 'outcome="dead"')]),
          graph('Age of the oldest due entry (s)', [own.metric('oldestDueAgeSec', {}, 'Maximum')]),
        ),
        row(
          graph('Authorizations by outcome', [own.bySearch('authorization', ['outcome'])]),
          graph('Calls that waited for a refresh', [own.bySearch('callerWaitedForRefresh', ['recentlyUsed'])]),
          graph('Tokens kept aside', [own.metric('tokensEscrowed'), own.metric('escrowAdopted')]),
        ),
        row(
          graph('Connections by status', [own.gaugeBySearch('connections', 'status')]),
          graph('Calls refused for their number', [own.bySearch('rateLimited', ['limit'])]),
          graph('Calls to the provider: repeated, not repeated, of unknown end', [
            own.metric('upstreamRetry'),
            own.metric('retryBudgetSpent'),
            own.metric('upstreamLengthUnverified'),
          ]),
        ),
        ...features.map(({ graphs }) => row(...graphs.map((one) => graph(one.title, [metricOf(own, one)])))),
        row(
          graph('Functions', [errorsOf(functions), throttlesOf(functions)]),
          graph('Table: requests refused for their number', [own.metric('tableThrottled')]),
          graph('Storage', [
            own.metric('storageUnavailable'),
            own.metric('dataKeyFailed'),
            own.metric('storedValueUnreadable'),
          ]),
        ),
      ],
    });
  }
}

function metricOf(
  own: OwnMetrics,
  { metric, by }: { readonly metric: string; readonly by?: readonly string[] },
): IMetric {
  if (!isMetric(metric)) throw new Error(`There is no metric ${metric}.`);
  return by === undefined ? own.metric(metric, {}, 'Maximum') : own.bySearch(metric, by);
}

function isMetric(name: string): name is keyof typeof METRICS {
  return Object.hasOwn(METRICS, name);
}

function row(...widgets: GraphWidget[]): GraphWidget[] {
  return widgets;
}

function graph(title: string, left: readonly IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: [...left], width: WIDTH / 3, height: 6 });
}
