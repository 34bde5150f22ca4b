import { feedResourceText } from './feed-resource.rules.ts';
import type { FeedCaller, FeedPlaces } from './ports.ts';

/**
 * Makes only calls that the place of their feed grants. The row of a feed grants nothing: a function that opens no token writes it, too
 * (TB-3).
 */
export function grantedCaller(caller: FeedCaller, places: FeedPlaces): FeedCaller {
  return {
    async call(called, wish) {
      const { connection, resource, feedId } = called.feed;
      const isGranted = await places.isOf(connection, feedResourceText(resource), feedId);
      if (!isGranted) return { kind: 'unavailable', reason: 'feed_gone', retryAfterSec: undefined };
      return caller.call(called, wish);
    },
  };
}
