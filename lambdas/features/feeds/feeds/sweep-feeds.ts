import { isUnreadableRow } from '../../../gateway/connections/find-connection.ts';
import type { DuePosition } from '../../../gateway/connections/ports.ts';
import { epochSecNow } from '../../../gateway/core/clock.ts';
import { DUE_PARTITIONS, DUE_SHARDS } from '../../../gateway/core/contract.ts';
import { Gate } from '../../../gateway/core/gate.ts';
import {
  SWEEP_BRAKE_AFTER_FAILURES,
  SWEEP_CONCURRENCY,
  SWEEP_PAGE_SIZE,
  SWEEP_RESERVE_MS,
  UNREADABLE_ROW_RETRY_SEC,
} from '../../../gateway/core/limits.ts';
import type { SliceRun } from '../../../gateway/ticks/sweep-run.ts';
import type { FeedRef } from '../feed.rules.ts';
import {
  FEED_CALL_TIMEOUT_MS,
  FEED_SWEEP_STAY_MS,
  REMINDER_BUSY_PAUSE_MS,
  REMINDER_BUSY_TRIES,
} from '../limits.rules.ts';
import type { DueFeeds, FeedIndex } from '../ports.ts';
import { reportOverdue } from '../report-overdue.ts';
import { type FeedTurn, type FeedWorkDependencies, type FeedWorkRequest, workOnFeed } from '../work-on-feed.ts';

export interface SweepFeedsDependencies extends FeedWorkDependencies {
  readonly index: FeedIndex;
}

/** Outcome of one run: turns by how they ended. */
export interface FeedSweepReport {
  readonly turns: Readonly<Partial<Record<FeedTurn['kind'], number>>>;
  readonly failed: number;
  /** False when time ran out, the provider was rested, or another run had the feeds: the next tick continues. */
  readonly finished: boolean;
}

/** Every partition of the due index that holds feeds. */
export const FEED_SHARDS: readonly number[] = Array.from({ length: DUE_SHARDS }, (_, i) => DUE_PARTITIONS.feeds + i);

/** Every partition that holds reminders. */
export const REMINDER_SHARDS: readonly number[] = Array.from(
  { length: DUE_SHARDS },
  (_, i) => DUE_PARTITIONS.reminders + i,
);

/** Partitions that are read at the same time. */
const SHARDS_AT_ONCE = 8;

/**
 * Does the due work in the partitions of feeds: pulls requested by messages or time, renewals, and what a lost wake-up
 * left behind. The index is the queue, as for tokens; a provider that fails repeatedly is rested until the next tick.
 *
 * @param deadlineMs wall-clock end of the function
 * @param starts the partitions are those of reminders
 */
export async function sweepFeeds(
  deps: SweepFeedsDependencies,
  { shards, isHeld }: SliceRun,
  deadlineMs: number,
  requestId: string,
  starts = false,
): Promise<FeedSweepReport> {
  const turns: Partial<Record<FeedTurn['kind'], number>> = {};
  const gate = new Gate(SWEEP_CONCURRENCY);
  let failed = 0;
  let failuresInARow = 0;
  let oldestSec = 0;
  let isCutShort = false;

  const mayGoOn = (): boolean => {
    const inTime = deps.clock.nowMs() < deadlineMs - SWEEP_RESERVE_MS - FEED_CALL_TIMEOUT_MS;
    const goesOn = inTime && failuresInARow < SWEEP_BRAKE_AFTER_FAILURES && isHeld();
    if (!goesOn) isCutShort = true;
    return goesOn;
  };

  const one = async ({ dueAtEpochSec, ...ref }: DueFeeds['refs'][number]): Promise<void> => {
    if (!mayGoOn()) return;
    try {
      const latestMs = Math.min(deadlineMs - SWEEP_RESERVE_MS, deps.clock.nowMs() + FEED_SWEEP_STAY_MS);
      const turn = await workTogether(deps, ref, { requestId, deadlineMs: latestMs, starts });
      turns[turn.kind] = (turns[turn.kind] ?? 0) + 1;
      if (turn.kind === 'put_off' && turn.failed) failuresInARow++;
      else if (turn.kind !== 'idle' && turn.kind !== 'busy') failuresInARow = 0;
      // A read that another process has just begun or ended is no standstill; one that has been due for minutes is.
      if (turn.kind === 'busy') await reportOverdue(deps, ref, dueAtEpochSec, requestId);
    } catch (error) {
      failed++;
      deps.metrics.count('FeedSweepFailed');
      deps.logger.error('a feed could not be worked on', { requestId }, error);
      // A failed turn has rescheduled itself. A turn whose read or write the table refused is due again at the next tick.
      if (isUnreadableRow(error)) await postpone(deps, ref, requestId);
      else await reportOverdue(deps, ref, dueAtEpochSec, requestId);
    }
  };

  const sweepShard = async (shard: number): Promise<void> => {
    try {
      const nowEpochSec = epochSecNow(deps.clock);
      let after: DuePosition | undefined;
      do {
        const page = await deps.index.due(shard, nowEpochSec, SWEEP_PAGE_SIZE, after);
        oldestSec = Math.max(oldestSec, nowEpochSec - (page.oldestEpochSec ?? nowEpochSec));
        await Promise.all(page.refs.map((ref) => gate.run(() => one(ref))));
        after = page.next;
      } while (after !== undefined && mayGoOn());
    } catch (error) {
      isCutShort = true;
      failed++;
      deps.metrics.count('FeedSweepFailed');
      deps.logger.error('a partition of the due index could not be swept', { requestId }, error);
    }
  };

  // A random first shard, so that a crowded one does not always come first.
  const offset = Math.floor(deps.random.number() * shards.length);
  const order = [...shards.slice(offset), ...shards.slice(0, offset)];
  await Promise.all(
    Array.from({ length: SHARDS_AT_ONCE }, async () => {
      for (let shard = order.shift(); shard !== undefined && mayGoOn(); shard = order.shift()) await sweepShard(shard);
    }),
  );
  // Published only while something is due, so that a stack without feeds pays for no metric.
  if (oldestSec > 0) deps.metrics.count('OldestFeedDueAgeSec', {}, oldestSec);
  if (failuresInARow >= SWEEP_BRAKE_AFTER_FAILURES) deps.metrics.count('FeedSweepBraked');
  return { turns, failed, finished: !isCutShort };
}

/** Works on a feed. A reminder does not wait for the next tick because another process holds the feed. */
async function workTogether(
  deps: SweepFeedsDependencies,
  ref: FeedRef,
  request: FeedWorkRequest & { readonly starts: boolean },
): Promise<FeedTurn> {
  for (let tries = 1; ; tries++) {
    const turn = await workOnFeed(deps, ref, request);
    const isLate = deps.clock.nowMs() + REMINDER_BUSY_PAUSE_MS >= request.deadlineMs;
    if (turn.kind !== 'busy' || !request.starts || tries === REMINDER_BUSY_TRIES || isLate) return turn;
    await deps.pause(REMINDER_BUSY_PAUSE_MS);
  }
}

/** Postpones a row that this version cannot read, so that it never blocks its page. */
async function postpone(deps: SweepFeedsDependencies, ref: FeedRef, requestId: string): Promise<void> {
  try {
    await deps.index.postpone(ref, epochSecNow(deps.clock) + UNREADABLE_ROW_RETRY_SEC);
  } catch (error) {
    deps.logger.error('a failing feed could not be put off', { requestId }, error);
  }
}
