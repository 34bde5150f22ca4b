import type { CallSums } from '../gateway/calls/page.rules.ts';
import type { ComparedHour, Gap, LastUses } from '../gateway/calls/ports.ts';
import type { Progress } from './windows.rules.ts';

/** A part of the log that a query covers. */
export interface LogWindow {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

/** The result of a query: once done, the number of its answer's rows. */
export type Answer =
  | { readonly kind: 'running' }
  /** Ask again: it failed, was cancelled, or nobody knows of it. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'done'; readonly rows: number };

/** The result of starting a query. */
export type Asked =
  | { readonly kind: 'asked'; readonly queryId: string }
  /** Too many questions are under way. */
  | { readonly kind: 'busy' }
  /** The log cannot be queried for this window: it was created later, or has a shorter retention. */
  | { readonly kind: 'refused' };

/** Questions to the log of the proxy. */
export interface CallLog {
  /** Queries the sums of a window's calls: of slice `slice` where connections are divided into `slices`. */
  askSums(window: LogWindow, slices: number, slice: number): Promise<Asked>;
  /** @param take receives each row as it arrives: an answer may be too large for memory, and may break off */
  sums(queryId: string, take: (row: CallSums) => void): Promise<Answer>;
  /** Queries how many calls began in a window. */
  askBegun(window: LogWindow): Promise<Asked>;
  /** @param take receives the number, unless there were none */
  begun(queryId: string, take: (calls: number) => void): Promise<Answer>;
}

/** Lambda's own count of the proxy's invocations. */
export interface InvocationCount {
  /** By hour: start of the hour -> invocations; an hour without any may be missing. */
  byHour(fromMs: number, toMs: number): Promise<ReadonlyMap<number, number>>;
}

/** State of the roll-up between ticks. */
export interface ProgressStore {
  read(): Promise<Progress | undefined>;
  /** The earliest possible call, in epoch milliseconds; undefined where there can have been none. Used before the first progress only. */
  callsSince(): Promise<number | undefined>;
  /**
   * Writes the progress after a version, and the members for readers: until when calls are counted, and from when they read short
   * pages.
   * @returns false when another tick has written since that version
   */
  write(
    progress: Progress,
    forReaders: { readonly countedUntilMs: number; readonly foldedUntilMs: number } | undefined,
    afterVersion: number,
  ): Promise<boolean>;
  /** Adds hours to those of their days. @returns hours that are new: another process may have compared the same ones */
  noteCompared(hours: readonly ComparedHour[]): Promise<readonly ComparedHour[]>;
  noteGap(gap: Gap): Promise<void>;
  lastUses(accountId: string): Promise<LastUses>;
  writeLastUses(accountId: string, uses: LastUses): Promise<void>;
}
