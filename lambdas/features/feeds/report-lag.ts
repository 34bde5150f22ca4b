import { epochSecNow } from '../../gateway/core/clock.ts';
import type { Clock, Logger, Random } from '../../gateway/core/ports.ts';
import { batchesAfter, type Feed, type FeedBatch } from './feed.rules.ts';
import { newFeedEvent } from './feed-event.ts';
import { FEED_BATCHES_KEPT, FEED_LAG_MAX_SEC } from './limits.rules.ts';
import type { FeedCursorName, FeedStore } from './ports.ts';

/** Reason of the event that reports a consumer that has fallen behind. */
const CONSUMER_BEHIND = 'consumer_behind';

export interface ReportLagDependencies {
  readonly feeds: Pick<FeedStore, 'batches' | 'cursors' | 'noteBehind'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * Reports each consumer that is more than 10,000 batches or seven days behind, once, and again only after it has caught up. The feed
 * itself is healthy: its state stays. A failure here does not fail the pull; the next one checks again.
 */
export async function reportLag(deps: ReportLagDependencies, feed: Feed, requestId: string): Promise<void> {
  if (feed.sequence === 0) return;
  try {
    for (const cursor of await deps.feeds.cursors(feed)) {
      if (cursor.behindSince === undefined && (await isBehind(deps, feed, cursor)))
        await report(deps, feed, cursor, requestId);
    }
  } catch (error) {
    deps.logger.error('the lag of consumers could not be reported', { requestId }, error);
  }
}

async function isBehind({ feeds, clock }: ReportLagDependencies, feed: Feed, cursor: FeedCursorName): Promise<boolean> {
  const lag = batchesAfter(feed, cursor.sequence);
  if (lag <= 0) return false;
  if (lag > FEED_BATCHES_KEPT) return true;
  const latestMs = clock.nowMs() - FEED_LAG_MAX_SEC * 1000;
  // A consumer that moved since then had processed all older batches.
  if (Date.parse(cursor.movedAt) > latestMs) return false;
  const [next] = await feeds.batches(feed, cursor.sequence, 1, epochSecNow(clock));
  return next === undefined || isSkip(next, cursor) || Date.parse(next.storedAt) <= latestMs;
}

/** Whether batches are missing before this one that it does not report as a gap. */
function isSkip(next: FeedBatch, cursor: FeedCursorName): boolean {
  return next.kind !== 'gap' && next.sequence > cursor.sequence + 1;
}

async function report(
  { feeds, clock, random }: ReportLagDependencies,
  feed: Feed,
  cursor: FeedCursorName,
  requestId: string,
): Promise<void> {
  const lag = batchesAfter(feed, cursor.sequence);
  const event = newFeedEvent({ clock, random }, 'FeedFailing', feed, {
    says: { reason: CONSUMER_BEHIND },
    remedy: `The consumer with the cursor ${cursor.name} is ${lag} batches behind and will soon miss batches: they are kept for 14 days, at most 10,000. Start it again, or delete the cursor if nothing reads under this name any longer.`,
    requestId,
  });
  await feeds.noteBehind(feed, { ...cursor, behindSince: event.occurredAt }, event);
}
