import type { Context } from 'aws-lambda';
import { sweepSlice } from '../../../gateway/ticks/sweep-run.ts';
import { makeSliceDependencies, makeTickWatch, openCommonDependencies } from '../../../gateway/wiring.ts';
import type { FeedRef } from '../feed.rules.ts';
import { type ConnectionChange, followConnection } from '../follow-connection.ts';
import { FEED_WAKE_BUDGET_MS } from '../limits.rules.ts';
import { type FeedTurn, workOnFeed } from '../work-on-feed.ts';
import { FEED_SHARDS, type FeedSweepReport, REMINDER_SHARDS, sweepFeeds } from './sweep-feeds.ts';
import { makeAskingFeedWork } from './wiring.ts';

const shared = openCommonDependencies('feeds');
const work = makeAskingFeedWork(shared);
const dependencies = { ...work, index: work.feeds };
const ticks = makeTickWatch(shared);
const sliceDependencies = makeSliceDependencies(shared);
/** One tick sweeps all feeds. */
const WHOLE = { sweeper: 'feeds', index: 0, count: 1, shards: FEED_SHARDS, partitionsOf: (shard: number) => [shard] };
/** The partitions of all reminders, swept under a lease of their own. */
const REMINDERS = { ...WHOLE, sweeper: 'reminders', shards: REMINDER_SHARDS };

/**
 * One feed that a message woke (`{"wake": {"accountId", "feedId"}}`), an event of the bus about a connection whose feeds follow it, or a
 * tick of the schedule for all that are due.
 */
export async function handler(
  event: unknown,
  context: Context,
): Promise<FeedSweepReport | { readonly turn: FeedTurn['kind'] } | { readonly followed: number }> {
  const { awsRequestId: requestId } = context;
  const remainingMs = context.getRemainingTimeInMillis();
  const change = readChange(event);
  if (change !== undefined) {
    const deadlineMs = shared.clock.nowMs() + Math.min(remainingMs - 5_000, FEED_WAKE_BUDGET_MS);
    return { followed: await followConnection(work, change, { requestId, deadlineMs }) };
  }
  const woken = readWake(event);
  if (woken === undefined) {
    const deadlineMs = shared.clock.nowMs() + remainingMs;
    // In parallel: a reminder waits for the questions under way at most, not for a crowd of pulls.
    const [report, reminded] = await Promise.all([
      sweepSlice(sliceDependencies, WHOLE, requestId, (run) => sweepFeeds(dependencies, run, deadlineMs, requestId)),
      sweepSlice(sliceDependencies, REMINDERS, requestId, (run) =>
        sweepFeeds(dependencies, run, deadlineMs, requestId, true),
      ),
    ]);
    if (reminded !== undefined && reminded.failed > 0) {
      shared.logger.warn('some reminders could not be reported', { requestId, count: reminded.failed });
    }
    if (report === undefined) return { turns: {}, failed: 0, finished: false };
    await ticks.ended({ sweep: 'feeds' }, requestId);
    const count = Object.values(report.turns).reduce((sum, turns) => sum + turns, 0) + report.failed;
    if (count > 0) {
      const outcome = report.finished ? 'finished' : 'cut short';
      shared.logger.info('feed sweep done', { requestId, count, outcome });
    }
    return report;
  }
  const deadlineMs = shared.clock.nowMs() + Math.min(remainingMs - 5_000, FEED_WAKE_BUDGET_MS);
  return { turn: (await workOnFeed(dependencies, woken, { requestId, deadlineMs })).kind };
}

/** Other events of the same form concern no feeds. */
function readChange(event: unknown): ConnectionChange | undefined {
  const detail = member(event, 'detail');
  const [accountId, integrationId, connectionId, id] = [
    'account_id',
    'integration_id',
    'connection_id',
    'event_id',
  ].map((name) => member(detail, name));
  if (typeof accountId !== 'string' || typeof integrationId !== 'string') return undefined;
  if (typeof connectionId !== 'string' || typeof id !== 'string') return undefined;
  return { connection: { accountId, integrationId, connectionId }, id };
}

function readWake(event: unknown): FeedRef | undefined {
  const wake = member(event, 'wake');
  const accountId = member(wake, 'accountId');
  const feedId = member(wake, 'feedId');
  return typeof accountId === 'string' && typeof feedId === 'string' ? { accountId, feedId } : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
