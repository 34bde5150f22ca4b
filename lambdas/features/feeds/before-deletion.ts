import type { BeforeDeletion } from '../../gateway/feature-dependencies.ts';
import { type EndFeedDependencies, endFeedsOf } from './end-feed.ts';

/** Ends the feeds of a connection while its grant works, because a channel can only be stopped with its token (CF-29). */
export function beforeDeletion({ feeds }: { readonly feeds: EndFeedDependencies }): BeforeDeletion {
  return (...of) => endFeedsOf(feeds, ...of);
}
