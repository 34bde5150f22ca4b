import { encodedBytes, LEVEL_MS, type Page, type PageEntry, PageFold, shardOf } from '../gateway/calls/page.rules.ts';
import type { PageHead, PageStore } from '../gateway/calls/ports.ts';
import { PAGE_ITEM_BYTES, ROLL_UP_RESERVE_MS } from '../gateway/core/limits.ts';
import type { Clock } from '../gateway/core/ports.ts';
import type { Fold } from './windows.rules.ts';

export interface FoldPagesDependencies {
  readonly pages: PageStore;
  readonly clock: Clock;
  /** Stores when the keys of a day were last used, before the day's page exists. */
  readonly noteLastUses: (accountId: string, day: Page) => Promise<void>;
}

/** The parts of a page, except sums of connections in items of their own. */
interface Parts {
  readonly lines: number;
  /** Sums by integration, key and project. */
  readonly sums: PageFold;
  /** Sums of connections of single-item pages. */
  readonly loose: readonly PageEntry[];
  /** Pages whose connections are in items of their own. */
  readonly divided: readonly PageHead[];
}

/** Quarters of an hour or day, so that no query returns all of its pages at once. */
const HEADS_READ_IN = 4;
/** A page whose largest part has one item of connections is built in memory: at most sixty items of 40 KB. */
const WHOLE_MAX_SHARDS = 1;
/** Larger items are divided again, because DynamoDB accepts 400 KB. */
const SHARD_MAX_BYTES = 4 * PAGE_ITEM_BYTES;

/**
 * Builds the page of an hour from the pages of its minutes, and that of a day from its hours, wherever it has fewer lines than they
 * have. A large page is built in groups of connections that share a hash, so that only one group is in memory, and a fold that runs out
 * of time continues with the next group.
 */
export class PageFolder {
  /** Pages written. */
  written = 0;
  readonly #deps: FoldPagesDependencies;

  constructor(deps: FoldPagesDependencies) {
    this.#deps = deps;
  }

  /**
   * Works on a fold until it is done or the time is up.
   *
   * @param deadlineMs by the process clock
   * @returns the remaining fold; undefined once the page has all lines
   */
  async fold(fold: Fold, deadlineMs: number): Promise<Fold | undefined> {
    const { account, level, startMs } = fold;
    const parts = await this.#partsOf(fold);
    const [whole] = await this.#deps.pages.heads(account, level, startMs, startMs + LEVEL_MS[level]);
    if (parts.lines === 0 || (whole?.lines ?? 0) >= parts.lines) return undefined;
    const largest = Math.max(0, ...parts.divided.map(({ connectionShards }) => connectionShards));
    if (largest > WHOLE_MAX_SHARDS) return this.#foldGroups(fold, parts, largest, deadlineMs);
    const page = parts.sums;
    page.addEntries(parts.loose);
    for (const head of parts.divided) page.addEntries(await this.#deps.pages.connections(account, below(level), head));
    const made = page.page();
    if (level === 'day') await this.#deps.noteLastUses(account, made);
    await this.#deps.pages.write(account, { level, startMs }, made);
    this.written += 1;
    return undefined;
  }

  async #partsOf({ account, level, startMs }: Fold): Promise<Parts> {
    const sums = new PageFold();
    const loose: PageEntry[] = [];
    const divided: PageHead[] = [];
    const step = LEVEL_MS[level] / HEADS_READ_IN;
    for (let fromMs = startMs; fromMs < startMs + LEVEL_MS[level]; fromMs += step) {
      for (const head of await this.#deps.pages.heads(account, below(level), fromMs, fromMs + step)) {
        sums.addPage({ lines: head.lines, entries: head.entries.filter(({ kind }) => kind !== 'connection') });
        loose.push(...head.entries.filter(({ kind }) => kind === 'connection'));
        if (head.connectionShards > 0) divided.push(head);
      }
    }
    return { lines: sums.lines, sums, loose, divided };
  }

  async #foldGroups(fold: Fold, parts: Parts, groups: number, deadlineMs: number): Promise<Fold | undefined> {
    const { pages, clock, noteLastUses } = this.#deps;
    const { account, level, startMs } = fold;
    const { lines } = parts;
    // Late lines make another page: its groups are written again from the first one.
    const begun = fold.begun?.lines === lines && fold.begun.groups === groups ? fold.begun : undefined;
    let shards = begun?.shards;
    const read = this.#groupReader(fold, parts, groups);
    for (let done = begun?.done ?? 0; done < groups; done += 1) {
      if (clock.nowMs() > deadlineMs - ROLL_UP_RESERVE_MS) {
        return { ...fold, begun: shards === undefined ? undefined : { lines, groups, shards, done } };
      }
      const group = reversedBits(done, groups);
      const entries = await read(group);
      shards ??= groups * powerOfTwo(encodedBytes(entries) / PAGE_ITEM_BYTES);
      const each = Map.groupBy(entries, ({ ids }) => shardOf(ids, shards ?? groups));
      if ([...each.values()].some((own) => encodedBytes(own) > SHARD_MAX_BYTES)) {
        return { ...fold, begun: { lines, groups, shards: shards * 2, done: 0 } };
      }
      for (const [shard, own] of each) {
        const isWritten = await pages.writeShard(account, { level, startMs }, { shards, shard, lines, entries: own });
        if (!isWritten) return { ...fold, begun: undefined };
      }
    }
    const page = parts.sums.page();
    if (level === 'day') await noteLastUses(account, page);
    const isWritten = await pages.writeHead(account, { level, startMs }, page, shards ?? groups);
    if (isWritten) this.written += 1;
    return isWritten ? undefined : { ...fold, begun: undefined };
  }

  /** Reads the sums of the connections of one group of all parts. */
  #groupReader({ account, level }: Fold, { loose, divided }: Parts, groups: number) {
    // The last item read of each part: in the order of groups, the items of small parts serve several groups in a row.
    const held = new Map<PageHead, { readonly shard: number; readonly entries: readonly PageEntry[] }>();
    return async (group: number): Promise<readonly PageEntry[]> => {
      const isOfGroup = ({ ids }: PageEntry): boolean => shardOf(ids, groups) === group;
      const fold = new PageFold();
      fold.addEntries(loose.filter(isOfGroup));
      for (const head of divided) {
        const shard = group % head.connectionShards;
        const known = held.get(head);
        const entries =
          known?.shard === shard ? known.entries : await this.#deps.pages.shard(account, below(level), head, shard);
        const isWhole = head.connectionShards === groups;
        if (!isWhole) held.set(head, { shard, entries });
        fold.addEntries(isWhole ? entries : entries.filter(isOfGroup));
      }
      return fold.page().entries;
    };
  }
}

function below(level: 'hour' | 'day'): 'minute' | 'hour' {
  return level === 'hour' ? 'minute' : 'hour';
}

/** The smallest power of two that is at least this value. */
function powerOfTwo(value: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(value)));
}

/** Reverses the bits of a number below a power of two, so that neighbours end alike. */
function reversedBits(value: number, below: number): number {
  let reversed = 0;
  for (let bit = 1; bit < below; bit *= 2) reversed = reversed * 2 + (Math.floor(value / bit) % 2);
  return reversed;
}
