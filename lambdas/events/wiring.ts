import { setTimeout as wait } from 'node:timers/promises';
import { readEventsConfig } from '../gateway/config.ts';
import { openAwsService } from '../gateway/platform/aws-service.ts';
import { systemClock, systemRandom } from '../gateway/platform/clock.ts';
import { embeddedMetrics, jsonLogger } from '../gateway/platform/telemetry.ts';
import type { ForwardDependencies, PutResult } from './forward-events.ts';

/** Opens everything once per cold start. @throws Error naming every missing setting */
export function openForwarding(): ForwardDependencies {
  const { busArn, busEndpoint, deadLettersUrl, metricNamespace } = readEventsConfig();
  const bus = openAwsService('events', busEndpoint, 'AWSEvents', '1.1');
  const queue = openAwsService('sqs', new URL(deadLettersUrl).origin, 'AmazonSQS', '1.0');
  return {
    clock: systemClock,
    random: systemRandom,
    logger: jsonLogger('events'),
    metrics: embeddedMetrics(metricNamespace),
    async put(entries) {
      const answer = await bus.call('PutEvents', {
        Entries: entries.map(({ source, detailType, time, detail }) => ({
          EventBusName: busArn,
          Source: source,
          DetailType: detailType,
          Time: Date.parse(time) / 1000,
          Detail: detail,
        })),
      });
      return resultsOf(answer);
    },
    async keepRefused(refused) {
      await queue.call('SendMessage', { QueueUrl: deadLettersUrl, MessageBody: JSON.stringify(refused) });
    },
    async wait(ms) {
      await wait(ms);
    },
  };
}

/** `PutEventsResultEntry`: an id where the bus took the event, else a code. */
function resultsOf(answer: unknown): PutResult[] {
  const entries: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'Entries') : undefined;
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown) => {
    const read = (name: string): unknown =>
      typeof entry === 'object' && entry !== null ? Reflect.get(entry, name) : undefined;
    const code = read('ErrorCode');
    if (typeof code === 'string' && code !== '') return { code };
    return { code: typeof read('EventId') === 'string' ? undefined : 'NoResult' };
  });
}
