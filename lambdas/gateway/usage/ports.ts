/** Counters of calls by day, which all processes share. */
import type { UsageCounts, UsageSubject } from './usage.rules.ts';

export interface UsageWriter {
  /** Adds to the sums of a subject's day. */
  add(accountId: string, day: string, subject: UsageSubject, counts: UsageCounts): Promise<void>;
}

/** A subject's sums of one day. */
export interface UsageRow {
  readonly day: string;
  readonly subject: UsageSubject;
  readonly counts: UsageCounts;
}

export interface UsageReader {
  /** Sums of one day: of all integrations, all keys, one integration's connections, or one connection. */
  ofDay(accountId: string, day: string, of: UsageQuery): Promise<readonly UsageRow[]>;
}

/** Which sums of a day. */
export type UsageQuery =
  | { readonly by: 'integration' }
  | { readonly by: 'key' }
  | { readonly by: 'connection'; readonly integrationId: string; readonly connectionId: string | undefined };
