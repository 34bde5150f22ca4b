import type { Gate } from '../../gateway/core/gate.ts';
import { ulid } from '../../gateway/core/identifiers.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { type Feed, type FeedMark, type LentChannel, ownChannel } from './feed.rules.ts';
import type { WishedMembers } from './feed-wish.rules.ts';
import { FEED_LEND_MARGIN_SEC } from './limits.rules.ts';
import type { FeedAnswer } from './ports.ts';

/**
 * Feeds of one connection that follow the same log of Drive: `drive`, the user's own part of `drives`, and each `folder:<id>` in My
 * Drive; or the folders of one shared drive. Fifty of them make the calls of one (CH-24):
 *
 *   channel   one of them has it; the others store its end, and open their own where none has one.
 *   message   marks its feed; that feed's turn marks the others before it clears its own mark.
 *   pages     one feed's request answers all, as long as their places in the log are equal.
 *
 * Each feed has its own place, lease and numbers, so each continues alone after a failure.
 */

/** The log that a feed shares with others: id of a shared drive, or empty for the user's own; undefined where it shares none. */
export function sharedLogOf({ resource, followedLog }: Pick<Feed, 'resource' | 'followedLog'>): string | undefined {
  switch (resource.kind) {
    case 'drive':
    case 'drives':
      return '';
    case 'folder':
      return followedLog;
    default:
      return undefined;
  }
}

/** Those of a connection's feeds that follow the same log for the same account. */
export function onSameLog(feed: Feed, others: readonly Feed[]): Feed[] {
  const log = sharedLogOf(feed);
  if (log === undefined) return [];
  return others.filter((other) => sharedLogOf(other) === log && other.subject === feed.subject);
}

/**
 * The channel that a feed may use instead of one of its own. A channel that is about to be replaced gets no new borrowers. A feed with
 * a channel gives it up for that of a feed with a lower id, so that one of several remains.
 */
export function channelToBorrow(feed: Feed, others: readonly Feed[], nowEpochSec: number): LentChannel | undefined {
  const own = ownChannel(feed, nowEpochSec);
  const needsOne = own === undefined || own.renewAtEpochSec <= nowEpochSec;
  const lenders = onSameLog(feed, others).filter(({ feedId }) => needsOne || feedId < feed.feedId);
  return longest(lenders, nowEpochSec).find(
    ({ renewAtEpochSec }) => renewAtEpochSec > nowEpochSec + FEED_LEND_MARGIN_SEC,
  );
}

/** The channel that serves a feed which has borrowed one; undefined where none exists any more. */
export function servingChannel(feed: Feed, others: readonly Feed[], nowEpochSec: number): LentChannel | undefined {
  return longest(onSameLog(feed, others), nowEpochSec)[0];
}

/** Open channels of feeds that borrow none, those with the latest end first. */
function longest(feeds: readonly Feed[], nowEpochSec: number): LentChannel[] {
  const lenders = feeds.filter(({ lentChannel }) => lentChannel === undefined);
  const open = lenders.map((lender) => ownChannel(lender, nowEpochSec)).filter((channel) => channel !== undefined);
  return open.sort((one, other) => other.renewAtEpochSec - one.renewAtEpochSec);
}

/**
 * A channel as a borrower stores it: checked again when its owner should have replaced it, at a random time for each borrower.
 *
 * @param random01 uniform in [0, 1)
 */
export function asLent({ endsAtEpochSec, renewAtEpochSec }: LentChannel, random01: number): LentChannel {
  const spare = Math.max(0, endsAtEpochSec - renewAtEpochSec);
  return { endsAtEpochSec, renewAtEpochSec: renewAtEpochSec + Math.floor((spare / 2) * (0.5 + random01 / 2)) };
}

/** A unique id of a passed-on message: a process that clears a mark compares it to see whether another message came since it was read. */
export function passName({ clock, random }: { readonly clock: Clock; readonly random: Pick<Random, 'bytes'> }): string {
  return ulid(clock.nowMs(), random.bytes(10));
}

/** The feed of a log that takes over when another one gives its channel up. */
export function heirOf(feed: Feed, others: readonly Feed[]): Feed | undefined {
  return onSameLog(feed, others).find(({ state }) => state === 'watching' || state === 'polling');
}

/**
 * Feeds to pull along with a due one: those that are due within half of their interval. Otherwise each of them would soon request the
 * same pages.
 */
export function pulledAlong(feed: Feed, others: readonly Feed[], nowEpochSec: number): Feed[] {
  return onSameLog(feed, others).filter(({ pullAtEpochSec, notBeforeEpochSec, state, ...other }) => {
    const intervalSec = state === 'watching' ? other.safetyIntervalSec : other.pollIntervalSec;
    const isPulled = state === 'watching' || state === 'polling';
    return isPulled && notBeforeEpochSec <= nowEpochSec && pullAtEpochSec - nowEpochSec < intervalSec / 2;
  });
}

/** Members of a changed file that some feeds of a log need between them; undefined for its type only. */
export function membersFor(feeds: readonly Pick<Feed, 'resource' | 'meaning'>[]): WishedMembers | undefined {
  if (feeds.some(({ meaning }) => meaning)) return 'meaning';
  return feeds.some(({ resource }) => resource.kind === 'folder') ? 'place' : undefined;
}

/**
 * Answers to lists that were requested in one run. Each was requested after the marks of all its readers were read, so it answers those
 * marks.
 */
export class SharedAnswers {
  readonly #answers = new Map<string, Promise<FeedAnswer>>();

  /** @param name of the list: its log and position */
  has(name: string): boolean {
    return this.#answers.has(name);
  }

  /** The answer to a list, which is requested once. */
  of(name: string, ask: () => Promise<FeedAnswer>): Promise<FeedAnswer> {
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const asked = ask();
    this.#answers.set(name, asked);
    return asked;
  }
}

/** Feeds of one log that are worked on in one run. */
export interface FeedsTogether {
  /** Marks of the following feeds, as read before any request, by id. */
  readonly marks: ReadonlyMap<string, FeedMark>;
  /** Rows by id, as the run has left them. */
  readonly rows: Map<string, Feed>;
  readonly answers: SharedAnswers;
  /** Lets only one feed at a time open its channel. */
  readonly watching: Gate;
  /** The members that all lists request, so that one answer serves all. */
  readonly members: WishedMembers | undefined;
}
