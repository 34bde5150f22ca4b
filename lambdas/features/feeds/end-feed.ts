import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { Gate } from '../../gateway/core/gate.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Clock, Logger, Random } from '../../gateway/core/ports.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { Feed, FeedRef } from './feed.rules.ts';
import { type Asking, newFeedEvent } from './feed-event.ts';
import { FEED_CALL_TIMEOUT_MS, FEED_LEASE_MS, FEED_STOPS_AT_ONCE, FEED_STOPS_BUDGET_MS } from './limits.rules.ts';
import type { FeedCaller, FeedDirectory, FeedStore } from './ports.ts';
import { heirOf, passName, sharedLogOf } from './shared-log.ts';

export interface EndFeedDependencies {
  readonly feeds: FeedStore & Pick<FeedDirectory, 'ofConnection'>;
  readonly caller: FeedCaller;
  readonly clock: Clock;
  readonly random: Pick<Random, 'bytes'>;
  readonly logger: Logger;
  readonly owner: string;
}

const ATTEMPTS = 3;

/**
 * Ends a feed: stops each of its channels once, then deletes its rows. A channel that cannot be stopped ends by itself, and its
 * messages are ignored (CF-29). A turn under way is fenced by the epoch.
 *
 * @param endsAll the other feeds of its connection end, too
 */
export async function endFeed(
  deps: EndFeedDependencies,
  ref: FeedRef,
  grant: { readonly connection: Connection; readonly integration: Integration } | undefined,
  asking: Asking,
  endsAll = false,
): Promise<boolean> {
  const stopped = new Set<string>();
  const stopUntilMs = deps.clock.nowMs() + FEED_STOPS_BUDGET_MS;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await deps.feeds.read(ref);
    if (known === undefined) return attempt > 0;
    const nowMs = deps.clock.nowMs();
    // Another holder's lease is not awaited: deleting raises the epoch as every taker does.
    const free = { ...known, lease: undefined };
    const feed = await deps.feeds.takeLease(free, { owner: deps.owner, expiresAtMs: nowMs + FEED_LEASE_MS }, nowMs);
    const current = feed ?? known;
    if (grant !== undefined && grant.connection.status === 'active') {
      const logs = current.resource.kind === 'drives' ? await deps.feeds.logs(current) : [];
      for (const channel of [...current.channels, ...logs.flatMap(({ channels }) => channels)]) {
        if (stopped.has(channel.id) || deps.clock.nowMs() >= stopUntilMs) continue;
        stopped.add(channel.id);
        const { id, resourceId } = channel;
        const endByMs = deps.clock.nowMs() + FEED_CALL_TIMEOUT_MS;
        const called = { feed: current, ...grant, requestId: asking.requestId, endByMs };
        const answer = await deps.caller.call(called, { kind: 'stop', id, resourceId });
        if (answer.kind !== 'ok')
          deps.logger.info('a channel was left to end by itself', { requestId: asking.requestId });
      }
    }
    if (!endsAll && feed !== undefined && !(await bequeath(deps, feed))) continue;
    const says = endsAll ? { reason: 'connection_deleted' } : undefined;
    const event = newFeedEvent(deps, 'FeedDeleted', current, { says, ...asking });
    if (await deps.feeds.remove(current, epochSecNow(deps.clock), event)) return true;
  }
  return false;
}

/**
 * Makes another feed of the same log open a channel where this one's served both (CH-24). This feed's channels are removed from its row
 * first, so that no other feed borrows one before the feed is deleted.
 *
 * @returns false where another process has taken the feed
 */
async function bequeath(deps: EndFeedDependencies, feed: Feed): Promise<boolean> {
  if (feed.lentChannel !== undefined || sharedLogOf(feed) === undefined) return true;
  const heir = heirOf(feed, await deps.feeds.siblings(feed));
  if (heir === undefined) return true;
  const forgotten = feed.channels.map(({ id }) => id);
  if (!(await deps.feeds.save({ ...feed, channels: [], watchAtEpochSec: 0 }, { forgotten }))) return false;
  await deps.feeds.passOn(heir, passName(deps), epochSecNow(deps.clock));
  return true;
}

/**
 * Ends all feeds of a connection that is about to be deleted, before its grant may be revoked. When Google takes long, the remaining
 * channels end by themselves, so that the request never ends between the feeds and the connection.
 */
export async function endFeedsOf(
  deps: EndFeedDependencies,
  connection: Connection,
  integration: Integration,
  asking: Asking,
): Promise<void> {
  const ref: ConnectionRef = {
    accountId: connection.accountId,
    integrationId: connection.integrationId,
    connectionId: connection.connectionId,
  };
  const stopUntilMs = deps.clock.nowMs() + FEED_STOPS_BUDGET_MS;
  const gate = new Gate(FEED_STOPS_AT_ONCE);
  const end = async (feed: FeedRef): Promise<void> => {
    const grant = deps.clock.nowMs() < stopUntilMs ? { connection, integration } : undefined;
    await endFeed(deps, feed, grant, asking, true);
  };
  const feeds = await deps.feeds.ofConnection(ref);
  await Promise.all(feeds.map((feed) => gate.run(() => end(feed))));
}
