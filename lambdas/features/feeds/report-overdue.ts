import { epochSecNow } from '../../gateway/core/clock.ts';
import type { Clock, Logger, Metrics, Random } from '../../gateway/core/ports.ts';
import { explainFeed, type FeedRef, OVERDUE } from './feed.rules.ts';
import { newFeedEvent } from './feed-event.ts';
import { FEED_OVERDUE_SEC } from './limits.rules.ts';
import type { FeedStore } from './ports.ts';

export interface ReportOverdueDependencies {
  readonly feeds: Pick<FeedStore, 'read' | 'noteOverdue'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Reports a due feed that the gateway itself could not read or save, once it has been due for eight minutes or will be by its next try:
 * one event, a member of the row that the API shows, and a metric with every sweep. A failure here fails nothing else; the next sweep
 * looks again.
 *
 * @param dueAtEpochSec since when the feed or its mark has been in the due index
 */
export async function reportOverdue(
  deps: ReportOverdueDependencies,
  ref: FeedRef,
  dueAtEpochSec: number,
  requestId: string,
): Promise<void> {
  const { clock, feeds, logger, metrics, random } = deps;
  try {
    const feed = await feeds.read(ref);
    // Other states already give the reason why the feed is not pulled.
    if (feed === undefined || feed.state === 'paused' || feed.state === 'failing') return;
    const now = epochSecNow(clock);
    const sinceEpochSec = Math.min(dueAtEpochSec, feed.pullAtEpochSec);
    if (Math.max(now, feed.notBeforeEpochSec) - sinceEpochSec < FEED_OVERDUE_SEC) return;
    if (feed.lastPullAtMs >= (now - FEED_OVERDUE_SEC) * 1000 && feed.failureCount === 0) return;
    metrics.count('FeedOverdue');
    if (feed.overdueSinceEpochSec !== undefined) return;
    const event = newFeedEvent({ clock, random }, 'FeedFailing', feed, {
      says: { reason: OVERDUE },
      remedy: explainFeed(OVERDUE)?.remedy,
      requestId,
    });
    await feeds.noteOverdue(feed, sinceEpochSec, event);
  } catch (error) {
    logger.error('an overdue feed could not be reported', { requestId }, error);
  }
}
