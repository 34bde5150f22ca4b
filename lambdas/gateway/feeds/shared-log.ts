import type { Gate } from '../core/gate.ts';
import { ulid } from '../core/identifiers.ts';
import { FEED_LEND_MARGIN_SEC } from '../core/limits.ts';
import type { Clock, Random } from '../core/ports.ts';
import { type Feed, type FeedMark, type LentChannel, ownChannel } from './feed.rules.ts';
import type { FeedCall, FeedResource } from './feed-resource.rules.ts';
import { folderFields } from './folder.rules.ts';
import { meaningFields } from './meaning.rules.ts';
import type { FeedAnswer } from './ports.ts';

/**
 * Feeds of one connection that follow the same log of Drive: `drive`, the user's own part of `drives`, and each `folder:<id>` in My Drive;
 * or the folders of one shared drive. Fifty of them cost the calls of one (CH-24):
 *
 *   channel   one of them has it; the others know until when, and open their own where nobody has one
 *   message   marks its feed; that feed's turn marks the others before it clears its own mark
 *   pages     what one asks for is the answer for all, as long as their places in the log are equal
 *
 * Each feed keeps its own place, lease and numbers: whatever dies on the way, each continues by itself.
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
 * The channel that a feed may use instead of one of its own. One that is about to be replaced is lent to nobody new. A feed that has a
 * channel gives it up for that of a feed whose id is lower, so that of several one is left.
 */
export function channelToBorrow(feed: Feed, others: readonly Feed[], nowEpochSec: number): LentChannel | undefined {
  const own = ownChannel(feed, nowEpochSec);
  const needsOne = own === undefined || own.renewAtEpochSec <= nowEpochSec;
  const lenders = onSameLog(feed, others).filter(({ feedId }) => needsOne || feedId < feed.feedId);
  return longest(lenders, nowEpochSec).find(
    ({ renewAtEpochSec }) => renewAtEpochSec > nowEpochSec + FEED_LEND_MARGIN_SEC,
  );
}

/** The channel that serves a feed which has borrowed one; undefined where nobody has one any more. */
export function servingChannel(feed: Feed, others: readonly Feed[], nowEpochSec: number): LentChannel | undefined {
  return longest(onSameLog(feed, others), nowEpochSec)[0];
}

/** Open channels of feeds that have borrowed none, those first that are open for longest. */
function longest(feeds: readonly Feed[], nowEpochSec: number): LentChannel[] {
  const lenders = feeds.filter(({ lentChannel }) => lentChannel === undefined);
  const open = lenders.map((lender) => ownChannel(lender, nowEpochSec)).filter((channel) => channel !== undefined);
  return open.sort((one, other) => other.renewAtEpochSec - one.renewAtEpochSec);
}

/**
 * A channel as a borrower remembers it: looked at again when its owner should have replaced it, and not by all borrowers at once.
 *
 * @param random01 uniform in [0, 1)
 */
export function asLent({ endsAtEpochSec, renewAtEpochSec }: LentChannel, random01: number): LentChannel {
  const spare = Math.max(0, endsAtEpochSec - renewAtEpochSec);
  return { endsAtEpochSec, renewAtEpochSec: renewAtEpochSec + Math.floor((spare / 2) * (0.5 + random01 / 2)) };
}

/** Names one time that a message is passed on: anyone who clears a mark sees whether another one came since it was read. */
export function passName({ clock, random }: { readonly clock: Clock; readonly random: Pick<Random, 'bytes'> }): string {
  return ulid(clock.nowMs(), random.bytes(10));
}

/** Of two feeds of a log the one that is told when a third gives its channel up. */
export function heirOf(feed: Feed, others: readonly Feed[]): Feed | undefined {
  return onSameLog(feed, others).find(({ state }) => state === 'watching' || state === 'polling');
}

/**
 * Feeds that are pulled along with one whose time has come: those whose own time comes within half of their interval. Otherwise each of
 * them asks for the same pages soon.
 */
export function pulledAlong(feed: Feed, others: readonly Feed[], nowEpochSec: number): Feed[] {
  return onSameLog(feed, others).filter(({ pullAtEpochSec, notBeforeEpochSec, state, ...other }) => {
    const intervalSec = state === 'watching' ? other.safetyIntervalSec : other.pollIntervalSec;
    const isPulled = state === 'watching' || state === 'polling';
    return isPulled && notBeforeEpochSec <= nowEpochSec && pullAtEpochSec - nowEpochSec < intervalSec / 2;
  });
}

/** Members of a changed file that the lists of some feeds of a log have to show between them; undefined for its type alone. */
export function membersFor(feeds: readonly Pick<Feed, 'resource' | 'meaning'>[]): string | undefined {
  const log: Pick<FeedResource, 'kind'> = { kind: 'drives' };
  const members = feeds.some(({ meaning }) => meaning) ? meaningFields(log) : undefined;
  return feeds.some(({ resource }) => resource.kind === 'folder') ? folderFields(members) : members;
}

/**
 * Answers to lists that were asked for in one run. What is in here was asked for after the marks of all who read it were read, so that it
 * answers whatever those marks stand for.
 */
export class SharedAnswers {
  readonly #answers = new Map<string, Promise<FeedAnswer>>();

  has({ path }: FeedCall): boolean {
    return this.#answers.has(path);
  }

  /** The answer to a list, which is asked for once. */
  of(call: FeedCall, ask: () => Promise<FeedAnswer>): Promise<FeedAnswer> {
    const known = this.#answers.get(call.path);
    if (known !== undefined) return known;
    const asked = ask();
    this.#answers.set(call.path, asked);
    return asked;
  }
}

/** Feeds of one log that are worked on in one run. */
export interface FeedsTogether {
  /** Marks of those that follow, as they were before anything was asked, by id. */
  readonly marks: ReadonlyMap<string, FeedMark>;
  /** Rows by id, as the run has left them. */
  readonly rows: Map<string, Feed>;
  readonly answers: SharedAnswers;
  /** Lets one feed at a time see to its channel. */
  readonly watching: Gate;
  /** What lists show, so that the answer for one is that for all. */
  readonly members: string | undefined;
}
