import type { Clock, Random } from '../../gateway/core/ports.ts';
import {
  type EventFacts,
  type LifecycleEvent,
  type LifecycleEventType,
  newEvent,
} from '../../gateway/events/lifecycle-event.rules.ts';
import type { Feed } from './feed.rules.ts';
import { feedResourceText } from './feed-resource.rules.ts';

/** The request that creates or deletes a feed, for the audit trail. */
export interface Asking {
  readonly requestId: string;
  readonly actor: string;
}

/** A new event about a feed, to be written in the transaction of the change it reports. */
export function newFeedEvent(
  { clock, random }: { readonly clock: Clock; readonly random: Pick<Random, 'bytes'> },
  eventType: LifecycleEventType,
  feed: Pick<Feed, 'connection' | 'sequence' | 'endUserId' | 'feedId' | 'resource'>,
  facts: Pick<EventFacts, 'says' | 'remedy' | 'requestId' | 'actor'>,
): LifecycleEvent {
  return newEvent(clock, random, eventType, {
    subject: feed.connection,
    sequence: feed.sequence,
    endUserId: feed.endUserId,
    about: { feed_id: feed.feedId, resource: feedResourceText(feed.resource) },
    ...facts,
  });
}
