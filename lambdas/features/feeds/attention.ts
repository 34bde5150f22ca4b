import { reaches } from '../../management/authenticate.ts';
import { type Attention, counted, type Looked } from '../../management/overview/attention-row.ts';
import { explainFeed, type Feed, OVERDUE, overdueSince } from './feed.rules.ts';
import { feedStore } from './feed.store.ts';
import { ATTENTION_FEEDS_MAX } from './limits.rules.ts';

/** Rows about feeds that stand still. */
export const attention = {
  async feed({ reads, caller, nowEpochSec }: Looked): Promise<readonly Attention[]> {
    const feeds = feedStore(reads.forFeatures.table);
    const refs = await feeds.ofAccount(caller.accountId);
    if (refs.length === 0) return [];
    const read = await feeds.readMany(refs.slice(-ATTENTION_FEEDS_MAX));
    return stoppedFeeds(
      read.filter(({ connection }) => reaches(caller, connection.integrationId)),
      nowEpochSec,
    );
  },
};

/** Feeds that the provider refuses, by integration and reason; and overdue ones. Paused ones are covered by their connections. */
function stoppedFeeds(feeds: readonly Feed[], nowEpochSec: number): Attention[] {
  const stopped = feeds.flatMap((feed) => {
    const reason = stopOf(feed, nowEpochSec);
    return reason === undefined ? [] : [{ feed, reason, integrationId: feed.connection.integrationId }];
  });
  const groups = Map.groupBy(stopped, ({ integrationId, reason }) => JSON.stringify([integrationId, reason]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { reason, integrationId } = first;
    const since = group.map(({ feed }) =>
      reason === OVERDUE
        ? (overdueSince(feed, nowEpochSec) ?? nowEpochSec)
        : (feed.refusedSinceEpochSec ?? nowEpochSec),
    );
    return [
      {
        kind: 'feed' as const,
        severity: 'error' as const,
        who: 'developer' as const,
        ...(reason === OVERDUE ? overdueTexts(group.length) : refusedTexts(group.length, reason)),
        sinceEpochSec: Math.min(...since),
        count: group.length,
        integrationId,
        reason,
        id: group.length === 1 ? first.feed.feedId : undefined,
      },
    ];
  });
}

/** Why a feed is stopped; undefined for one that is not. */
function stopOf(feed: Feed, nowEpochSec: number): string | undefined {
  if (feed.state === 'failing') return feed.reason ?? 'failing';
  return overdueSince(feed, nowEpochSec) === undefined ? undefined : OVERDUE;
}

type FeedTexts = Pick<Attention, 'title' | 'explanation' | 'steps'>;

function overdueTexts(count: number): FeedTexts {
  return {
    title: `${counted(count, 'feed')} ${count === 1 ? 'is' : 'are'} behind`,
    explanation: explainFeed(OVERDUE)?.explanation ?? '',
    steps: ['Follow docs/runbook.md, failing-feeds: whether feed sweeps run, and why reads or saves fail.'],
  };
}

function refusedTexts(count: number, reason: string): FeedTexts {
  const explained = explainFeed(reason);
  return {
    title: `${counted(count, 'feed')} ${count === 1 ? 'fails' : 'fail'}`,
    explanation: explained?.explanation ?? 'Google refuses the resource.',
    steps: [explained?.remedy ?? 'Give the account access again, or delete the feed.'],
  };
}
