import type { FeedChange, Meaning } from '../../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { type FolderWorld, ROOT, type Shown } from './folder-world.ts';

/** What a feed may remember of a thing: as it was shown once, and whether it had gone since; `nothing`: it does not. */
type Memory = 'nothing' | { readonly shown: Partial<Shown>; readonly isGone: boolean };

/** What the feed may know of one thing. More than one where a process was killed, or overtaken, and may have stored what it was shown. */
interface Known {
  readonly memories: readonly Memory[];
  /** Whether it lies below the folder, as far as the feed knows. */
  readonly isBelow: readonly boolean[];
}

/** What an entry of a log has shown, at a time that no other entry has. */
interface Entry {
  readonly time: string;
  readonly shown: Shown | undefined;
}

const OUTSIDE: Known = { memories: ['nothing'], isBelow: [false] };

/**
 * Compares the words of each change of a folder's feed with the last change reported for the same file, by the states that answers have
 * shown. The content of a folder that enters is reported with it, without words: it is known as a list has shown it. Of the feed's
 * stored rows it reads only whether a file is remembered, and whether it counts as below the folder.
 */
export class FolderOracle {
  readonly #world: FolderWorld;
  readonly #known = new Map<string, Known>();
  /** Files as lists have shown them since they were last reported. */
  readonly #listed = new Map<string, Shown>();
  /** Entries that were shown since their thing was last reported: a folder that enters is reported later than it was shown. */
  readonly #entering = new Map<string, Entry[]>();
  readonly words = new Map<string, number>();
  /** Since when the feed remembers, before and after what is looked at. */
  #since: readonly (number | undefined)[] = [undefined];
  #done = 0;
  #lists = 0;
  #entries = 0;
  /** Two processes may have been at work at once: the last answer need not be the one that counts. */
  isAlone = true;

  constructor(world: FolderWorld) {
    this.#world = world;
  }

  /** Looks at what answers have shown and at the batches that are new. @throws Error for a meaning that is wrong, reported twice or missing */
  async check(): Promise<void> {
    const { entries, batches, feed } = this.#world;
    const shownNow = new Set<string>();
    for (const [time, { id, shown }] of [...entries].slice(this.#entries)) {
      this.#entering.set(id, [...(this.#entering.get(id) ?? []), { time, shown }]);
      // The first of two entries of one turn may have shown it outside, so that it was forgotten without a word.
      if (shownNow.has(id)) this.#widen(id, ['nothing'], [false]);
      shownNow.add(id);
    }
    this.#entries = entries.size;
    this.#since = [...new Set([this.#since.at(-1), feed.statesSinceMs])];
    if (this.#since.length > 1) this.#forget();
    for (const { sequence, kind, changes } of batches) {
      if (sequence <= this.#done) continue;
      this.#done = sequence;
      this.#takeLists(sequence);
      if (kind === 'gap') this.#forget();
      for (const change of changes) this.#checkChange(sequence, change);
    }
    this.#takeLists(Number.POSITIVE_INFINITY);
    await this.#settle();
  }

  /** The ids among `ids` whose present state was neither reported nor listed. */
  unreported(ids: readonly string[]): string[] {
    return ids.filter((id) => {
      const now = this.#world.shown(id);
      const isTold = (memory: Memory) =>
        memory !== 'nothing' && differences(memory, now).length === 0 && stampOf(memory.shown) === stampOf(now);
      return !this.#of(id).memories.some(isTold);
    });
  }

  /** Takes what lists have shown in front of a batch. */
  #takeLists(sequence: number): void {
    for (const one of this.#world.listed.slice(this.#lists)) {
      if (one.sequence >= sequence) return;
      this.#lists += 1;
      const { shown } = one;
      this.#listed.set(shown.id, shown);
      this.#widen(shown.id, [this.#after('nothing', shown)], [true]);
    }
  }

  /** What the feed has stored says which of several possibilities it is. */
  async #settle(): Promise<void> {
    const rows = await this.#world.rows(this.#known.keys());
    for (const [id, { isBelow, isKept }] of rows) {
      const { memories, isBelow: before } = this.#of(id);
      if (!this.#world.isListed) {
        // A file that enters is stored before it is reported. One that left with its folder is forgotten without a report.
        this.#known.set(id, { memories: isKept ? memories : ['nothing'], isBelow: [...new Set([...before, isBelow])] });
        continue;
      }
      const kept = memories.filter((memory) => (memory !== 'nothing') === isKept);
      if (kept.length === 0 && isKept) {
        if (this.isAlone) throw new Error(`${id} is remembered, and was neither reported nor listed`);
        kept.push(...this.#shownOf(id));
      }
      this.#known.set(id, { memories: isKept ? kept : ['nothing'], isBelow: [isBelow] });
    }
    if (!this.isAlone || !this.#world.isListed) return;
    for (const [id, shown] of this.#listed) {
      if (rows.get(id)?.isKept === true) {
        this.#known.set(id, { ...this.#of(id), memories: [this.#after('nothing', shown)] });
      }
    }
    this.#listed.clear();
  }

  #checkChange(sequence: number, change: FeedChange): void {
    const { id, time, what = [] } = change;
    for (const word of what) this.words.set(word, (this.words.get(word) ?? 0) + 1);
    // The folder itself comes and goes without more words.
    if (id === ROOT) {
      const told = what.join();
      if (told !== (change.removed ? 'left' : 'entered')) throw new Error(`The folder in batch ${sequence}: ${told}`);
      for (const one of this.#known.keys()) this.#widen(one, [], [false]);
      return;
    }
    const entering = this.#entering.get(id) ?? [];
    const seen = time === undefined ? entering : [{ time, shown: this.#world.entries.get(time)?.shown }];
    const known = this.#of(id);
    const wanted = new Set<string>();
    const after: Memory[] = [];
    const reported: Entry[] = [];
    for (const memory of known.memories) {
      for (const entry of seen) {
        const { shown } = entry;
        for (const wasBelow of known.isBelow) {
          for (const since of this.#since) {
            const words = this.#words(memory, wasBelow, shown, { isRemoved: change.removed, since });
            if (words.join() === what.join()) {
              after.push(this.#after(memory, shown));
              reported.push(entry);
            }
            wanted.add(words.join());
          }
        }
      }
    }
    if (after.length === 0) {
      throw new Error(`${id} in batch ${sequence}: told ${what.join()}, was ${[...wanted].join(' or ')}`);
    }
    this.#known.set(id, { memories: distinct(after), isBelow: [!change.removed] });
    // What the same read has shown of it later may be reported, too.
    const first = entering.findIndex((entry) => reported.some(({ time: at }) => at === entry.time));
    this.#entering.set(id, first === -1 ? [] : entering.slice(first + 1));
    this.#listed.delete(id);
    // What lies in a folder leaves and enters with it.
    if (change.subtree === true)
      for (const one of this.#known.keys()) if (one !== id) this.#widen(one, [], [true, false]);
  }

  #words(
    memory: Memory,
    wasBelow: boolean,
    shown: Shown | undefined,
    {
      isRemoved,
      since = Number.POSITIVE_INFINITY,
    }: { readonly isRemoved: boolean; readonly since: number | undefined },
  ): Meaning[] {
    if (isRemoved) {
      // A file that was never reported is not reported to have left.
      if (!wasBelow) return [];
      return ['left', shown === undefined ? 'removed' : shown.isTrashed ? 'trashed' : 'moved'];
    }
    if (shown === undefined) return [];
    const entered: Meaning[] = wasBelow ? [] : ['entered'];
    if (memory === 'nothing') {
      if (wasBelow) return ['unknown'];
      return shown.madeAtMs >= since ? [...entered, 'created'] : entered;
    }
    const told = differences(memory, shown);
    if (told.length > 0) return [...entered, ...told];
    const isTouched = stampOf(memory.shown) !== stampOf(shown);
    return isTouched ? [...entered, 'updated'] : wasBelow ? ['seen'] : entered;
  }

  #after(memory: Memory, shown: Shown | undefined): Memory {
    const before: Partial<Shown> = memory === 'nothing' ? {} : memory.shown;
    if (shown === undefined) return { shown: before, isGone: true };
    // Permissions are not shown of what lies in a shared drive.
    const shared = shown.top === 'own' ? shown.parts.shared : (before.parts?.shared ?? Number.NaN);
    return { shown: { ...shown, parts: { ...shown.parts, shared } }, isGone: false };
  }

  /** Everything that entries have ever shown of a thing. */
  #shownOf(id: string): Memory[] {
    const all = [...this.#world.entries.values()].filter((one) => one.id === id);
    return distinct(all.map(({ shown }) => this.#after('nothing', shown)));
  }

  /** Nothing is certain any more: the feed begins again, or has lost its memory. */
  #forget(): void {
    for (const id of this.#known.keys()) this.#widen(id, ['nothing'], [true, false]);
  }

  #of(id: string): Known {
    return this.#known.get(id) ?? OUTSIDE;
  }

  #widen(id: string, memories: readonly Memory[], isBelow: readonly boolean[]): void {
    const known = this.#of(id);
    this.#known.set(id, {
      memories: distinct([...known.memories, ...memories]),
      isBelow: [...new Set([...known.isBelow, ...isBelow])],
    });
  }
}

function differences({ shown: before, isGone }: Exclude<Memory, 'nothing'>, now: Shown): Meaning[] {
  const told: Meaning[] = [];
  const { parts } = before;
  if (parts !== undefined) {
    if (!now.isFolder && parts.content !== now.parts.content) told.push('content');
    if (parts.name !== now.parts.name) told.push('renamed');
    if (before.parent !== now.parent || before.top !== now.top) told.push('moved');
    const isShown = now.top === 'own' && !Number.isNaN(parts.shared);
    if (isShown && parts.shared !== now.parts.shared) told.push('shared');
  }
  if (isGone || before.isTrashed === true) told.push('restored');
  return told;
}

/** When it was changed last, as Google says it. */
function stampOf({ madeAtMs = 0, parts }: Partial<Shown>): number {
  return madeAtMs + (parts === undefined ? 0 : parts.content + parts.name + parts.touched);
}

function distinct(memories: readonly Memory[]): Memory[] {
  return [...new Map(memories.map((memory) => [JSON.stringify(memory), memory])).values()];
}
