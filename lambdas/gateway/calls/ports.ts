/** Pages of calls, and what the roll-up has noted of its own progress. */
import type { Page, PageEntry, PageLevel, PageTime } from './page.rules.ts';

/** A page's sums without those of its connections, which a reader of all integrations or keys has no use for. */
export interface PageHead {
  readonly startMs: number;
  readonly lines: number;
  readonly entries: readonly PageEntry[];
  /** Items that hold the sums of connections; 0: they are in the head. */
  readonly connectionShards: number;
}

export interface PageReader {
  /** Heads of the pages of a level whose times begin in a range, by time. */
  heads(accountId: string, level: PageLevel, fromMs: number, toMs: number): Promise<readonly PageHead[]>;
  /** Sums of connections of a page: of all, or of one. */
  connections(
    accountId: string,
    level: PageLevel,
    head: PageHead,
    one?: { readonly integrationId: string; readonly connectionId: string },
  ): Promise<readonly PageEntry[]>;
}

export interface PageStore extends PageReader {
  /**
   * Writes a page whole, its head last, no faster than a partition takes it. A page of more lines is never replaced by one of fewer,
   * and one of as many is left alone.
   *
   * @returns how many lines the page had before; 0 where there was none
   */
  write(accountId: string, time: PageTime, page: Page): Promise<number>;
}

/** When keys were last used for a proxied call: start of the key's digest -> epoch seconds. */
export type LastUses = ReadonlyMap<string, number>;

/** What is known of the count itself. */
export interface BookState {
  /** All calls that ended before are on pages, but for those that later looks find; undefined before the first tick. */
  readonly countedUntilMs: number | undefined;
}

/** One hour of the proxy by two counts. */
export interface ComparedHour {
  readonly startMs: number;
  /** Lambda's own count of calls that began. */
  readonly invocations: number;
  /** Lines of calls that began. */
  readonly lines: number;
}

/** Times whose lines were gone from the log before they could be read. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface BookReader {
  state(): Promise<BookState>;
  /** Hours that were compared, of days from the first to the last. */
  compared(firstDay: string, lastDay: string): Promise<readonly ComparedHour[]>;
  gaps(): Promise<readonly Gap[]>;
  /** Last uses of keys before yesterday; later ones are on pages. */
  lastUses(accountId: string): Promise<LastUses>;
}
