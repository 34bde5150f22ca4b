import type { Context } from 'aws-lambda';
import { sweepSlice } from '../../../gateway/ticks/sweep-run.ts';
import { deliverNow } from '../deliver.ts';
import { wants } from '../webhook.rules.ts';
import { readInvocation } from './invocation.rules.ts';
import { type DeliveryReport, sweepDeliveries } from './sweep-deliveries.ts';
import { openDelivery } from './wiring.ts';

const { deps, slices, shards, ticks } = openDelivery();
/** One tick sweeps all deliveries. */
const WHOLE = { sweeper: 'deliver', index: 0, count: 1, shards, partitionsOf: (shard: number) => [shard] };

/** One event of the bus for every matching endpoint, or a sweep of due deliveries. */
export async function handler(event: unknown, context: Context): Promise<DeliveryReport | undefined> {
  const requestId = context.awsRequestId;
  const invocation = readInvocation(event);
  if (invocation.kind === 'sweep') {
    const deadlineMs = deps.clock.nowMs() + context.getRemainingTimeInMillis();
    const report = await sweepSlice(slices, WHOLE, requestId, (run) =>
      sweepDeliveries(deps, run, deadlineMs, requestId),
    );
    if (report === undefined) return { delivered: 0, failed: 0, passedOver: 0 };
    await ticks.ended({ sweep: 'deliver' }, requestId);
    const count = report.delivered + report.failed;
    if (count > 0) deps.logger.info('deliveries swept', { requestId, count });
    return report;
  }
  // Read again for each event, so that an endpoint that was just enabled misses none.
  const webhooks = await deps.webhooks.list(invocation.event.accountId);
  const results = await Promise.allSettled(
    webhooks
      .filter((webhook) => wants(webhook, invocation.event))
      .map((webhook) => deliverNow(deps, webhook, invocation.event, requestId)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  // Lambda delivers the event again; endpoints that have it queued are skipped then.
  if (failed !== undefined) throw failed.reason;
  return undefined;
}
