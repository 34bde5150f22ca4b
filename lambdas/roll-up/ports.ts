import type { CallSums } from '../gateway/calls/page.rules.ts';
import type { ComparedHour, Gap, LastUses } from '../gateway/calls/ports.ts';
import type { Progress } from './windows.rules.ts';

/** A part of the log that a question is about. */
export interface LogWindow {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

/** What has come of a question: how many rows its answer has, once it is done. */
export type Answer =
  | { readonly kind: 'running' }
  /** Ask again: it failed, was cancelled, or nobody knows of it. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'done'; readonly rows: number };

/** What has come of asking. */
export type Asked =
  | { readonly kind: 'asked'; readonly queryId: string }
  /** Too many questions are under way. */
  | { readonly kind: 'busy' }
  /** The log cannot be asked about this window: it was made later, or keeps its lines for a shorter time. */
  | { readonly kind: 'refused' };

/** Questions to the log of the proxy. */
export interface CallLog {
  /** Asks for the sums of a window's calls: of slice `slice` where connections are divided into `slices`. */
  askSums(window: LogWindow, slices: number, slice: number): Promise<Asked>;
  /** @param take gets each row as it comes: an answer may be too large to be held, and may break off */
  sums(queryId: string, take: (row: CallSums) => void): Promise<Answer>;
  /** Asks how many calls began in a window. */
  askBegun(window: LogWindow): Promise<Asked>;
  /** @param take gets the number, where there were any */
  begun(queryId: string, take: (calls: number) => void): Promise<Answer>;
}

/** Lambda's own count of the proxy's invocations. */
export interface InvocationCount {
  /** By hour: start of the hour -> invocations; an hour without any may be missing. */
  byHour(fromMs: number, toMs: number): Promise<ReadonlyMap<number, number>>;
}

/** What the roll-up knows from one tick to the next. */
export interface ProgressStore {
  read(): Promise<Progress | undefined>;
  /** Before this no call was made, in milliseconds; undefined where none can have been made yet. Asked before the first progress only. */
  callsSince(): Promise<number | undefined>;
  /**
   * Writes what follows a version, and what readers are told: until when calls are counted, and from when they read short pages.
   * @returns false when another tick has written since that version
   */
  write(
    progress: Progress,
    told: { readonly countedUntilMs: number; readonly foldedUntilMs: number } | undefined,
    afterVersion: number,
  ): Promise<boolean>;
  /** Adds hours to those of their days. @returns those that were not among them, as where two processes compare the same */
  noteCompared(hours: readonly ComparedHour[]): Promise<readonly ComparedHour[]>;
  noteGap(gap: Gap): Promise<void>;
  lastUses(accountId: string): Promise<LastUses>;
  writeLastUses(accountId: string, uses: LastUses): Promise<void>;
}
