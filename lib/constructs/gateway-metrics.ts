import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IConstruct } from 'constructs';
import { ENVIRONMENT, METRICS, metricNamespace, type SignalMetric } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayFunction } from './function.ts';

const PERIOD = Duration.minutes(5);

type OwnMetric = keyof typeof METRICS;

/** Metrics that the functions of one stack count themselves. */
export class OwnMetrics {
  readonly #namespace: string;

  constructor(scope: IConstruct) {
    this.#namespace = metricNamespace(Stack.of(scope).stackName);
  }

  /** Sets the namespace of a function's metrics. */
  setNamespace(fn: GatewayFunction): void {
    fn.setEnvironment(ENVIRONMENT.metricNamespace, this.#namespace);
  }

  /** One metric; without dimensions unless some are given. */
  metric(name: OwnMetric, dimensions: Readonly<Record<string, string>> = {}, statistic = 'Sum'): Metric {
    return new Metric({
      namespace: this.#namespace,
      metricName: METRICS[name],
      dimensionsMap: { ...dimensions },
      period: PERIOD,
      statistic,
    });
  }

  /** One of the four counters of signals. */
  signal(name: SignalMetric): Metric {
    return new Metric({ namespace: this.#namespace, metricName: name, period: PERIOD, statistic: 'Sum' });
  }

  /** A gauge that is published less often than every five minutes, one line for each value of its dimension; for graphs only. */
  gaugeBySearch(name: OwnMetric, dimension: string): MathExpression {
    return new MathExpression({
      label: '',
      expression: `SEARCH('{"${this.#namespace}",${dimension}} MetricName="${METRICS[name]}"', 'Maximum', 3600)`,
      period: Duration.hours(1),
    });
  }

  /** One line for each combination of values that a metric's dimensions have had; for graphs only. */
  bySearch(name: OwnMetric, dimensions: readonly string[], filter = ''): MathExpression {
    const schema = [`"${this.#namespace}"`, ...dimensions].join(',');
    return new MathExpression({
      label: '',
      expression: `SEARCH('{${schema}} MetricName="${METRICS[name]}" ${filter}', 'Sum', 300)`,
      period: PERIOD,
    });
  }
}

/**
 * Sum of metrics of which any may have no data.
 * @param id begins with a small letter and is unique in every graph that shows the sum
 */
export function sumOf(id: string, label: string, metrics: readonly IMetric[]): MathExpression {
  return new MathExpression({
    label,
    expression: metrics.map((_, index) => `FILL(${id}${index},0)`).join('+'),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric])),
    period: PERIOD,
  });
}

/** Errors of functions, crashes and timeouts, as one number. */
export function errorsOf(functions: readonly GatewayFunction[]): MathExpression {
  return sumOf(
    'errors',
    'Function errors',
    functions.map(({ invoked }) => invoked.metricErrors({ period: PERIOD, statistic: 'Sum' })),
  );
}

/** Invocations that Lambda refused for lack of concurrency. */
export function throttlesOf(functions: readonly GatewayFunction[]): MathExpression {
  return sumOf(
    'throttles',
    'Function throttles',
    functions.map(({ invoked }) => invoked.metricThrottles({ period: PERIOD, statistic: 'Sum' })),
  );
}

/** Share in percent of the executions at the same time that the account may have in its region (Visualizing your service quotas). */
export function concurrencyPercentage(): MathExpression {
  return new MathExpression({
    label: 'Concurrency %',
    expression: '100 * executions / SERVICE_QUOTA(executions)',
    usingMetrics: {
      executions: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ConcurrentExecutions',
        period: PERIOD,
        statistic: 'Maximum',
      }),
    },
    period: PERIOD,
  });
}

/** The dimensions of a stage's metrics in API Gateway. */
export interface StageName {
  readonly apiName: string;
  readonly stageName: string;
}

/** A metric of the stage: `Count`, `4XXError`, `5XXError`, `IntegrationLatency` (ms). */
export function stageMetric({ apiName, stageName }: StageName, metricName: string, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: apiName, Stage: stageName },
    period: PERIOD,
    statistic,
  });
}

/**
 * Percentage of 5xx responses; 0 while there are so few requests that one failure would look like a trend.
 *
 * @param byUrl function that also answers through a URL of its own
 */
export function serverErrorPercentage(
  stage: StageName,
  fewestRequests: number,
  byUrl?: GatewayFunction,
): MathExpression {
  const atStage = { failures: stageMetric(stage, '5XXError', 'Sum'), requests: stageMetric(stage, 'Count', 'Sum') };
  if (byUrl === undefined) {
    return new MathExpression({
      label: '5xx %',
      expression: `IF(requests >= ${fewestRequests}, 100 * failures / requests, 0)`,
      usingMetrics: atStage,
      period: PERIOD,
    });
  }
  // A front door without requests in the period has no metrics.
  const all = '(FILL(requests, 0) + FILL(urlrequests, 0))';
  return new MathExpression({
    label: '5xx %',
    expression: `IF(${all} >= ${fewestRequests}, 100 * (FILL(failures, 0) + FILL(urlfailures, 0)) / ${all}, 0)`,
    usingMetrics: {
      ...atStage,
      urlfailures: byUrl.invoked.metric('Url5xxCount', { statistic: 'Sum', period: PERIOD }),
      urlrequests: byUrl.invoked.metric('UrlRequestCount', { statistic: 'Sum', period: PERIOD }),
    },
    period: PERIOD,
  });
}
