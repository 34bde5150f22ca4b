/** CloudWatch as far as the gateway asks it: Lambda's count of a function's calls, by hour. */
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../tools/json.ts';
import type { Measurements } from '../measurements.ts';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './server.ts';

/** Makes the service. */
export function cloudWatchService(measurements: Pick<Measurements, 'all'>): AwsService {
  return {
    access: (operation) => [{ action: `cloudwatch:${operation}`, resource: '*' }],
    call(operation, input): JsonObject {
      if (operation !== 'GetMetricData') {
        throw new AwsError('NotEmulated', `CloudWatch ${operation} is not emulated locally.`, 501);
      }
      const fromMs = asNumber(input.StartTime, 'StartTime') * 1000;
      const toMs = asNumber(input.EndTime, 'EndTime') * 1000;
      const results = asArray(input.MetricDataQueries, 'MetricDataQueries').map((one) => {
        const query = asObject(one, 'MetricDataQueries');
        const stat = asObject(query.MetricStat, 'MetricStat');
        const metric = asObject(stat.Metric, 'Metric');
        if (stat.Stat !== 'Sum') throw new AwsError('NotEmulated', 'Only sums are emulated locally.', 501);
        const periodMs = asNumber(stat.Period, 'Period') * 1000;
        const dimensions = asArray(metric.Dimensions, 'Dimensions').map((dimension) => {
          const { Name, Value } = asObject(dimension, 'Dimensions');
          return [asString(Name, 'Name'), asString(Value, 'Value')] as const;
        });
        const sums = new Map<number, number>();
        for (const measured of measurements.all()) {
          const isAsked =
            measured.namespace === metric.Namespace &&
            measured.metricName === metric.MetricName &&
            dimensions.every(([name, value]) => measured.dimensions[name] === value) &&
            measured.atMs >= fromMs &&
            measured.atMs < toMs;
          if (!isAsked) continue;
          const start = Math.floor(measured.atMs / periodMs) * periodMs;
          sums.set(start, (sums.get(start) ?? 0) + measured.value);
        }
        return {
          Id: asString(query.Id, 'Id'),
          StatusCode: 'Complete',
          Timestamps: [...sums.keys()].map((ms) => ms / 1000),
          Values: [...sums.values()],
        };
      });
      return { MetricDataResults: results };
    },
  };
}
