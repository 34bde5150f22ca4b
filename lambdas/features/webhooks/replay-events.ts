import { ulid } from '../../gateway/core/identifiers.ts';
import { EVENT_RETENTION_SEC } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { newDelivery } from './deliver.ts';
import { REPLAY_EVENTS_MAX } from './limits.rules.ts';
import type { DeliveryStore, EventHistory } from './ports.ts';
import { type Webhook, wants } from './webhook.rules.ts';

export interface ReplayDependencies {
  readonly deliveries: DeliveryStore;
  readonly eventHistory: EventHistory;
  readonly clock: Clock;
}

/** Deliveries queued at the same time. */
const QUEUED_AT_ONCE = 25;

/** Outcome of one call of a replay. */
export interface ReplayReport {
  readonly queued: number;
  /** Where the next call continues; undefined at the end. */
  readonly nextFromMs: number | undefined;
}

/**
 * Queues stored events for an endpoint again, oldest first, as many as one call may; the next sweep sends them. Their ids stay, so a
 * receiver that stores ids recognizes duplicates.
 *
 * @param fromMs milliseconds since the epoch, included
 * @param toMs milliseconds since the epoch, included
 */
export async function replayEvents(
  deps: ReplayDependencies,
  webhook: Webhook,
  fromMs: number,
  toMs: number,
): Promise<ReplayReport> {
  const nowMs = deps.clock.nowMs();
  const oldestMs = Math.max(fromMs, nowMs - EVENT_RETENTION_SEC * 1000, 0);
  const first = ulid(oldestMs, new Uint8Array(10));
  const last = ulid(Math.min(toMs, nowMs), new Uint8Array(10).fill(0xff));
  if (first > last) return { queued: 0, nextFromMs: undefined };
  const { events, next } = await deps.eventHistory.page(webhook.accountId, first, last, REPLAY_EVENTS_MAX);
  const wanted = events.filter((event) => wants(webhook, event));
  const nowEpochSec = Math.floor(nowMs / 1000);
  let queued = 0;
  for (let start = 0; start < wanted.length; start += QUEUED_AT_ONCE) {
    const results = await Promise.all(
      wanted
        .slice(start, start + QUEUED_AT_ONCE)
        .map((event) => deps.deliveries.requeue(newDelivery(webhook, event, nowEpochSec, nowEpochSec))),
    );
    queued += results.filter(Boolean).length;
  }
  return { queued, nextFromMs: next === undefined ? undefined : timeOfUlid(next) };
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The moment of a ULID in milliseconds: its first ten characters (github.com/ulid/spec). */
function timeOfUlid(id: string): number {
  return [...id.slice(0, 10)].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0);
}
