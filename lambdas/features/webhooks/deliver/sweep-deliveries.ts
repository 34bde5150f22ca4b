import { epochSecNow } from '../../../gateway/core/clock.ts';
import { Gate } from '../../../gateway/core/gate.ts';
import { SWEEP_PAGE_SIZE, SWEEP_RESERVE_MS } from '../../../gateway/core/limits.ts';
import type { SliceRun } from '../../../gateway/ticks/sweep-run.ts';
import { type DeliverDependencies, tryDelivery } from '../deliver.ts';
import { type Delivery, type DeliveryRef, succeeded } from '../delivery.rules.ts';
import {
  DELIVERY_CONCURRENCY,
  DELIVERY_CONCURRENCY_PER_ENDPOINT,
  WEBHOOK_CLAIM_SEC,
  WEBHOOK_REST_AFTER_FAILURES,
} from '../limits.rules.ts';
import type { DuePlace } from '../ports.ts';
import type { Webhook, WebhookRef } from '../webhook.rules.ts';

/** Outcome of one sweep. */
export interface DeliveryReport {
  readonly delivered: number;
  readonly failed: number;
  /** Not attempted: their endpoint rests, is disabled or deleted, or another process had them. */
  readonly passedOver: number;
}

/** One endpoint in one sweep. */
interface Lane {
  /** An endpoint that failed repeatedly gets one attempt at a time, because one answer applies to all. */
  readonly gate: Promise<Gate>;
  webhook: Promise<Webhook | undefined>;
}

/**
 * Attempts due deliveries. Each endpoint has a lane of its own: a few attempts at a time, and once it rests its other deliveries are
 * postponed until then without an attempt, so that a dead endpoint delays no other (WH-13).
 *
 * @param deadlineMs wall-clock end of the function
 */
export async function sweepDeliveries(
  deps: DeliverDependencies,
  { shards, isHeld }: SliceRun,
  deadlineMs: number,
  requestId: string,
): Promise<DeliveryReport> {
  const { clock, webhooks, deliveries, metrics, logger } = deps;
  const gate = new Gate(DELIVERY_CONCURRENCY);
  const lanes = new Map<string, Lane>();
  const counts = { delivered: 0, failed: 0, passedOver: 0 };
  let oldestAgeSec = 0;
  const nowEpochSec = () => epochSecNow(clock);
  const mayGoOn = () => clock.nowMs() < deadlineMs - SWEEP_RESERVE_MS && isHeld();

  const laneOf = (ref: WebhookRef): Lane => {
    const key = `${ref.accountId}#${ref.webhookId}`;
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const webhook = webhooks.get({ accountId: ref.accountId, webhookId: ref.webhookId });
    const gate = webhook.then(
      (found) =>
        new Gate((found?.failuresInARow ?? 0) < WEBHOOK_REST_AFTER_FAILURES ? DELIVERY_CONCURRENCY_PER_ENDPOINT : 1),
      // Each of its deliveries gets the failure.
      () => new Gate(1),
    );
    const lane = { gate, webhook };
    lanes.set(key, lane);
    return lane;
  };

  /** The row decides, because the index may still show finished work. */
  async function one(ref: DeliveryRef, lane: Lane): Promise<void> {
    const delivery = await deliveries.get(ref);
    const now = nowEpochSec();
    if (delivery?.dueAtEpochSec === undefined || delivery.dueAtEpochSec > now) {
      counts.passedOver++;
      return;
    }
    const webhook = await lane.webhook;
    const later = webhook === undefined ? undefined : restOf(webhook, now);
    if (webhook?.status !== 'enabled' || later !== undefined) {
      counts.passedOver++;
      await deliveries.move(delivery, later === undefined ? 'waiting' : 'pending', later);
      return;
    }
    const claimUntil = now + WEBHOOK_CLAIM_SEC;
    if (!(await deliveries.claim(delivery, claimUntil))) {
      counts.passedOver++;
      return;
    }
    oldestAgeSec = Math.max(oldestAgeSec, now - delivery.dueAtEpochSec);
    const claimed: Delivery = { ...delivery, dueAtEpochSec: claimUntil };
    const attempt = await tryDelivery(deps, webhook, claimed, requestId);
    if (attempt !== undefined && succeeded(attempt)) {
      counts.delivered++;
      return;
    }
    counts.failed++;
    // It may rest by now.
    lane.webhook = webhooks.get(webhook);
    lane.webhook.catch(() => {});
  }

  async function sweepShard(shard: number): Promise<void> {
    try {
      const until = nowEpochSec();
      let place: DuePlace | undefined;
      do {
        const page = await deliveries.duePage(shard, until, SWEEP_PAGE_SIZE, place);
        await Promise.all(
          page.refs.map(async (ref) => {
            const lane = laneOf(ref);
            // First the lane, then the common gate, so that waiting for one endpoint occupies no place of another.
            return (await lane.gate).run(() =>
              gate.run(async () => {
                if (!mayGoOn()) return;
                try {
                  await one(ref, lane);
                } catch (error) {
                  metrics.count('WebhookWorkFailed');
                  logger.error('a due delivery could not be worked on', { requestId }, error);
                }
              }),
            );
          }),
        );
        place = page.next;
      } while (place !== undefined && mayGoOn());
    } catch (error) {
      metrics.count('WebhookWorkFailed');
      logger.error('due deliveries could not be read', { requestId }, error);
    }
  }

  await Promise.all(shards.map(sweepShard));
  // Published only while something is due: a stack without webhooks pays for no metric.
  if (oldestAgeSec > 0) metrics.count('OldestDueDeliveryAgeSec', {}, oldestAgeSec);
  return counts;
}

/** When an endpoint's rest ends; undefined when it does not rest. */
function restOf(webhook: Webhook, now: number): number | undefined {
  const until = webhook.restUntilEpochSec ?? 0;
  return webhook.status === 'enabled' && until > now ? until : undefined;
}
