import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { Gate } from '../../gateway/core/gate.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { type Feed, knowsOfDeath } from './feed.rules.ts';
import { FEED_FOLLOWS_AT_ONCE } from './limits.rules.ts';
import type { FeedDirectory, FeedMarks } from './ports.ts';
import { type FeedWorkDependencies, workOnFeed } from './work-on-feed.ts';

export interface FollowConnectionDependencies extends FeedWorkDependencies {
  readonly feeds: FeedWorkDependencies['feeds'] & Pick<FeedDirectory, 'ofConnection'> & FeedMarks;
}

/** A change of a connection that its feeds have to follow. */
export interface ConnectionChange {
  readonly connection: ConnectionRef;
  /** Names the change, such as the id of its event. */
  readonly id: string;
}

/**
 * Makes the feeds of a connection follow its death, return or change of account at once (CF-28). The connection is read
 * again, so the order of events does not matter. Each feed is marked before it is worked on: where the process dies,
 * or another one has the feed's lease, the next turn or the next sweep continues.
 *
 * @returns how many feeds were behind their connection, or may have been
 */
export async function followConnection(
  deps: FollowConnectionDependencies,
  change: ConnectionChange,
  request: { readonly requestId: string; readonly deadlineMs: number },
): Promise<number> {
  const refs = await deps.feeds.ofConnection(change.connection);
  if (refs.length === 0) return 0;
  const connection = await deps.connections.read(change.connection);
  const feeds = await Promise.all(refs.map((ref) => deps.feeds.read(ref)));
  const nowMs = deps.clock.nowMs();
  // A process at work on a feed may have read the connection before the change and be about to write the old state.
  const isAtWork = ({ lease }: Feed) => lease !== undefined && lease.expiresAtMs > nowMs;
  const behind = feeds
    .filter((feed) => feed !== undefined)
    .filter((feed) => isBehind(feed, connection) || isAtWork(feed));
  await Promise.all(behind.map((feed) => deps.feeds.markChange(feed, change.id, epochSecNow(deps.clock))));
  const gate = new Gate(FEED_FOLLOWS_AT_ONCE);
  const turns = behind.map((feed) => gate.run(() => workOnFeed(deps, feed, request)));
  const failed = (await Promise.allSettled(turns)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return behind.length;
}

/** Whether a feed's state contradicts its connection's row. */
export function isBehind(feed: Feed, connection: Connection | undefined): boolean {
  if (connection === undefined || connection.status === 'deleted') return true;
  if ((connection.status === 'active') === knowsOfDeath(feed)) return true;
  const subject = connection.providerAccount?.subject;
  return (
    connection.status === 'active' && feed.subject !== undefined && subject !== undefined && feed.subject !== subject
  );
}
