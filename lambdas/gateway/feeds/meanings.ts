import { FEED_GONE_STATE_RETENTION_SEC } from '../core/limits.ts';
import type { Feed } from './feed.rules.ts';
import type { FeedChange } from './feed-resource.rules.ts';
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

/** What a turn needs to say what changes were. */
export interface MeaningsOf {
  readonly feed: Pick<Feed, 'accountId' | 'feedId' | 'seen'>;
  /** The feed's own, for hashes. */
  readonly key: Uint8Array;
  /** Since when the feed remembers: what was made later is new. */
  readonly sinceMs: number;
}

/** A shared drive is to be listed, or has gone: nothing of it is remembered. */
export function driveChangeWithMeaning(change: FeedChange): FeedChange {
  return { ...change, what: [change.removed ? 'removed' : 'unknown'] };
}

/**
 * Says what changes were, from what the feed remembers of each thing. What it remembers from then on is to be written in the
 * transaction that stores the changes: a turn that is killed before is repeated from the same memory, and one that is killed after has
 * told what it remembers. So each difference is told once, wherever a process dies (CH-22).
 *
 * @returns the changes that are to be told, and what changed of the memory
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
  const told = changes.flatMap((change): FeedChange[] => {
    if (change.kind === 'drive') return [driveChangeWithMeaning(change)];
    const name = stateName(key, change);
    const stored = known.get(name);
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
    const what = meaningsOf(kind, before, now, { isNew, isUnanswered: sight?.isUnanswered === true });
    const isTold = what.length > 0 && (feed.seen || what[0] !== 'seen');
    return isTold ? [{ ...change, what }] : [];
  });
  return { changes: told, states };
}
