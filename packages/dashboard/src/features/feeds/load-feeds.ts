import type { ConnectionRef, Feed, FeedBatch, GatewayClient } from '../../gateway/library.ts';

/** The current state of a feed, with its newest batches, newest first. */
export interface WatchedFeed {
  readonly feed: Feed;
  readonly newest: readonly FeedBatch[];
}

/** Batches that are shown of each feed. */
const SHOWN_BATCHES = 3;
/** The consumers' progress, which the list lacks, is loaded every so many refreshes. */
const WHOLE_EVERY = 5;

/**
 * Looks at the feeds of a connection again and again. One look is one call, and two more for each feed that has changed
 * since the last one.
 */
export function feedWatcher(gateway: Pick<GatewayClient, 'feeds'>, ref: ConnectionRef) {
  const known = new Map<string, WatchedFeed & { readonly summary: string }>();
  let looks = 0;
  return async (signal: AbortSignal): Promise<readonly WatchedFeed[]> => {
    const isWhole = looks++ % WHOLE_EVERY === 0;
    const feeds = await gateway.feeds.list(ref, { signal });
    return Promise.all(
      feeds.map(async (listed) => {
        const before = known.get(listed.id);
        const summary = JSON.stringify(listed);
        if (before !== undefined && before.summary === summary && !isWhole) return before;
        const feed = await gateway.feeds.get(listed.id, { signal });
        const isNew = before === undefined || before.feed.lastSequence !== feed.lastSequence;
        const newest = isNew ? await newestBatches(gateway, feed, signal) : before.newest;
        const watched = { feed, newest, summary };
        known.set(listed.id, watched);
        return watched;
      }),
    );
  };
}

async function newestBatches(
  gateway: Pick<GatewayClient, 'feeds'>,
  { id, lastSequence }: Feed,
  signal: AbortSignal,
): Promise<readonly FeedBatch[]> {
  const after = Math.max(0, lastSequence - SHOWN_BATCHES);
  const newest: FeedBatch[] = [];
  for await (const batch of gateway.feeds.changes(id, { after, follow: false, signal })) newest.unshift(batch);
  return newest;
}
