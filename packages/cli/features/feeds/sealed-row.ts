import type { Feed } from '../../../../lambdas/features/feeds/feed.rules.ts';
import { feedFromItem } from '../../../../lambdas/features/feeds/feed.store.ts';
import { feedItemKey } from '../../../../lambdas/features/feeds/feed-keys.store.ts';
import { cursorContext, statesKeyContext } from '../../../../lambdas/features/feeds/sealed-places.rules.ts';
import { readable } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { OpenPlaces } from '../../data-keys/feature-slots.ts';
import { scanTable } from '../../table/scan.ts';

/** The positions of feeds, and the keys of what they remember. */
export const sealedRow: OpenPlaces = async (table, accountId) => {
  const feeds = new Map<unknown, Feed>();
  for await (const item of scanTable(table, { types: ['feed'], equal: { accountId } })) {
    for (const feed of readable([item], feedFromItem, () => {})) feeds.set(feedItemKey(feed).pk, feed);
  }
  return (item) => {
    const feed = feeds.get(item.pk);
    if (feed === undefined) return undefined;
    return item.type === 'feed_states_key' ? statesKeyContext(feed) : cursorContext(feed);
  };
};
