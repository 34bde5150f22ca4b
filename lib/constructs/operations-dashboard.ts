import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE, METRICS } from '../../lambdas/shared/contract.ts';
import type { GatewayFunction } from './function.ts';
import {
  errorsOf,
  ownMetric,
  type StageName,
  serverErrorPercentage,
  stageMetric,
  tableThrottles,
  throttlesOf,
} from './gateway-metrics.ts';

/** A row of the dashboard is 24 units wide. */
const WIDTH = 24;

/** What is shown. */
export interface OperationsDashboardProps {
  readonly stage: StageName;
  readonly functions: readonly GatewayFunction[];
  readonly tableName: string;
  readonly alarms: readonly Alarm[];
}

/** One CloudWatch dashboard: alarms first, then the front door, then tokens, then what everything stands on. */
export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, { stage, functions, tableName, alarms }: OperationsDashboardProps) {
    super(scope, id);
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
          graph('Refreshes by outcome', [bySearch('refresh', ['outcome', 'cause'])]),
          graph('Deaths by cause', [bySearch('refresh', ['outcome', 'cause'], 'outcome="dead"')]),
          graph('Age of the oldest due entry (s)', [ownMetric('oldestDueAgeSec', {}, 'Maximum')]),
        ),
        row(
          graph('Authorizations by outcome', [bySearch('authorization', ['outcome'])]),
          graph('Calls that waited for a refresh', [bySearch('callerWaitedForRefresh', ['recentlyUsed'])]),
          graph('Tokens kept aside', [ownMetric('tokensEscrowed'), ownMetric('escrowAdopted')]),
        ),
        row(
          graph('Functions', [errorsOf(functions), throttlesOf(functions)]),
          graph('Table', [tableThrottles(tableName)]),
          graph('Storage', [ownMetric('storageUnavailable'), ownMetric('storedValueUnreadable')]),
        ),
      ],
    });
  }
}

function row(...widgets: GraphWidget[]): GraphWidget[] {
  return widgets;
}

function graph(title: string, left: readonly IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: [...left], width: WIDTH / 3, height: 6 });
}

/** One line for each combination of values that a metric's dimensions have had. */
function bySearch(name: keyof typeof METRICS, dimensions: readonly string[], filter = ''): MathExpression {
  const schema = [METRIC_NAMESPACE, ...dimensions].join(',');
  return new MathExpression({
    label: '',
    expression: `SEARCH('{${schema}} MetricName="${METRICS[name]}" ${filter}', 'Sum', 300)`,
    period: Duration.minutes(5),
  });
}
