import type { Feed } from './feed.rules.ts';
import type { FeedChange, Meaning } from './feed-resource.rules.ts';
import { FEED_GONE_STATE_RETENTION_SEC } from './limits.rules.ts';
import {
  type KnownState,
  meaningsOf,
  readState,
  type Sight,
  stateAfter,
  stateName,
  stateText,
  thingKey,
} from './meaning.rules.ts';
import type { FeedStore, ThingState } from './ports.ts';

/** Dependencies of meanings in one turn. */
export interface MeaningsOf {
  readonly feed: Pick<Feed, 'accountId' | 'feedId' | 'seen' | 'meaning'>;
  /** The feed's own, for hashes. */
  readonly key: Uint8Array;
  /** Since when the feed remembers; things created later are new. */
  readonly sinceMs: number;
}

/** The place of a thing before and now, as seen from a feed's folder. */
interface Placed {
  readonly before: { readonly isBelow: boolean; readonly state: string | undefined };
  readonly now: {
    readonly isBelow: boolean;
    /** Undefined where the feed reports only what entered and left. */
    readonly state: KnownState | undefined;
    readonly sight: Sight | undefined;
    readonly isRemoved: boolean;
  };
}

/** What a change was, in a feed of a folder; undefined where it has no words, empty where it is not reported. */
export function wordsOfPlaced(
  { feed, sinceMs }: Pick<MeaningsOf, 'sinceMs'> & { readonly feed: Pick<Feed, 'meaning'> },
  { before, now }: Placed,
): Meaning[] | undefined {
  const crossed: Meaning[] = now.isBelow === before.isBelow ? [] : [now.isBelow ? 'entered' : 'left'];
  if (!feed.meaning || now.state === undefined) return crossed.length === 0 ? undefined : crossed;
  if (!now.isBelow) {
    const how = now.isRemoved ? 'removed' : now.sight?.isTrashed === true ? 'trashed' : 'moved';
    return before.isBelow ? ['left', how] : [];
  }
  const known = before.state === undefined || before.state === '' ? undefined : readState(before.state);
  const isNew = (now.sight?.createdAtMs ?? Number.NEGATIVE_INFINITY) >= sinceMs;
  if (known === undefined) return before.isBelow ? ['unknown'] : isNew ? ['entered', 'created'] : ['entered'];
  const words = meaningsOf('file', known, now.state, { isNew, isUnanswered: false, isTimed: now.sight?.isTimed });
  return before.isBelow ? words : [...crossed, ...words.filter((word) => word !== 'seen')];
}

/** A shared drive that has to be listed, or that is gone: the feed remembers nothing of it. */
export function driveChangeWithMeaning(change: FeedChange): FeedChange {
  return { ...change, what: [change.removed ? 'removed' : 'unknown'] };
}

/**
 * Says what changes were, from the feed's memory of each thing. The new memory is written in the transaction that stores the changes: a
 * turn that dies earlier is repeated with the same memory, and one that dies later has reported what it remembers. So each difference
 * is reported once (CH-22).
 *
 * @returns the changes to report, and the changes of the memory
 */
export async function judgeChanges(
  store: Pick<FeedStore, 'states'>,
  { feed, key, sinceMs }: MeaningsOf,
  changes: readonly FeedChange[],
  sights: ReadonlyMap<string, Sight>,
  nowEpochSec: number,
): Promise<{ readonly changes: readonly FeedChange[]; readonly states: readonly ThingState[] }> {
  const things = changes.filter(({ kind }) => kind !== 'drive');
  const known = await store.states(
    feed,
    things.map((change) => stateName(key, change)),
    nowEpochSec,
  );
  const states: ThingState[] = [];
  const reported = changes.flatMap((change): FeedChange[] => {
    if (change.kind === 'drive') return [driveChangeWithMeaning(change)];
    const name = stateName(key, change);
    const stored = known.get(name)?.state;
    const before: KnownState | undefined = stored === undefined ? undefined : readState(stored);
    const sight = sights.get(thingKey(change));
    const now = stateAfter(key, change, sight, before);
    const text = stateText(now);
    if (text !== stored) {
      const expiresAtEpochSec = now.isGone ? nowEpochSec + FEED_GONE_STATE_RETENTION_SEC : undefined;
      states.push({ name, state: text, expiresAtEpochSec });
    }
    const isNew = (sight?.createdAtMs ?? Number.NEGATIVE_INFINITY) >= sinceMs;
    const kind = change.kind === 'event' ? 'event' : 'file';
    const what = meaningsOf(kind, before, now, {
      isNew,
      isUnanswered: sight?.isUnanswered === true,
      isTimed: sight?.isTimed,
    });
    const isReported = what.length > 0 && (feed.seen || what[0] !== 'seen');
    return isReported ? [{ ...change, what }] : [];
  });
  return { changes: reported, states };
}
