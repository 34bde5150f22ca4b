import type { Metrics } from '../../core/ports.ts';
import { writeLine } from './output.ts';

/**
 * Counters in CloudWatch's embedded metric format: one log line each, no call on the request's way.
 *
 * @param namespace the deployment's own, so that gateways side by side do not mix
 */
export function embeddedMetrics(namespace: string, write: (line: string) => void = writeLine): Metrics {
  return {
    count(name, dimensions = {}, value = 1) {
      write(
        JSON.stringify({
          _aws: {
            Timestamp: Date.now(),
            CloudWatchMetrics: [
              {
                Namespace: namespace,
                Dimensions: [Object.keys(dimensions)],
                Metrics: [{ Name: name, Unit: 'Count' }],
              },
            ],
          },
          ...dimensions,
          [name]: value,
        }),
      );
    },
  };
}
