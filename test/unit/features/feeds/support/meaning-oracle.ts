import type { FeedChange, Meaning } from '../../../../../lambdas/features/feeds/feed-resource.rules.ts';
import type { World } from './world.ts';

const GONE_RETENTION_MS = 60 * 24 * 3600 * 1000;

/** What a world says of a thing at one change. */
export interface Facets {
  readonly madeAtMs: number;
}

/** The last state of a file or event that a consumer received. */
interface Told<F> {
  readonly goneAtMs: number | undefined;
  /** When it went, as the provider says it. */
  readonly wentAt: string | undefined;
  /** Of the last time at which it was there. */
  readonly facets: F | undefined;
}

/**
 * Compares the words of each change with the state that was last reported. The gateway itself has only hashes of these states.
 */
export class MeaningOracle<F extends Facets> {
  readonly #world: World;
  readonly #facetsAt: (change: FeedChange) => F | undefined;
  readonly #differences: (before: F | undefined, now: F, isBack: boolean) => Meaning[];
  readonly #gone: Meaning;
  readonly #known: (before: F | undefined, now: F) => F;
  readonly #told = new Map<string, Told<F>>();
  readonly words = new Map<string, number>();
  #done = 0;

  constructor(
    world: World,
    gone: Meaning,
    facetsAt: (change: FeedChange) => F | undefined,
    differences: (before: F | undefined, now: F, isBack: boolean) => Meaning[],
    known: (before: F | undefined, now: F) => F = (_, now) => now,
  ) {
    this.#known = known;
    this.#world = world;
    this.#gone = gone;
    this.#facetsAt = facetsAt;
    this.#differences = differences;
  }

  /** Looks at the batches that are new. @throws Error for a meaning that is wrong, reported twice or missing */
  check(): void {
    for (const { sequence, kind, reason, changes, storedAt } of this.#world.batches) {
      if (sequence <= this.#done) continue;
      this.#done = sequence;
      if (kind === 'gap' && reason === 'account_changed') this.#told.clear();
      for (const change of changes) {
        if (change.kind === 'drive') continue;
        const { id, time = '', what = [] } = change;
        const atMs = Date.parse(storedAt);
        const facets = this.#facetsAt(change);
        const wanted = this.#wanted(id, facets, atMs, time);
        if (wanted.join() !== what.join()) {
          throw new Error(`${id} in batch ${sequence}: told ${what.join()}, was ${wanted.join()}`);
        }
        for (const word of what) this.words.set(word, (this.words.get(word) ?? 0) + 1);
        const before = this.#told.get(id);
        this.#told.set(id, {
          goneAtMs: facets === undefined ? atMs : undefined,
          wentAt: facets === undefined ? time : undefined,
          facets: facets === undefined ? before?.facets : this.#known(before?.facets, facets),
        });
      }
    }
  }

  #wanted(id: string, facets: F | undefined, atMs: number, time: string): Meaning[] {
    const known = this.#told.get(id);
    const isForgotten = known?.goneAtMs !== undefined && known.goneAtMs + GONE_RETENTION_MS <= atMs;
    const before = isForgotten ? undefined : known;
    if (facets === undefined) return before?.wentAt === time ? [] : [this.#gone];
    if (before === undefined) {
      const since = this.#world.feed.statesSinceMs ?? 0;
      const isNew = facets.madeAtMs >= since;
      return isNew ? ['created', ...this.#differences(undefined, facets, false)] : ['unknown'];
    }
    return this.#differences(before.facets, facets, before.goneAtMs !== undefined);
  }
}
