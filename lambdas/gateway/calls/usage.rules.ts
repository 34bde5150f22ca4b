import { PAGE_COUNTERS } from './page.rules.ts';

/** What is counted of calls. Milliseconds and bytes are sums. */
export const USAGE_COUNTERS = ['calls', ...PAGE_COUNTERS] as const;
export type UsageCounter = (typeof USAGE_COUNTERS)[number];

/** Sums of a day, by counter; one that is missing is 0. */
export type UsageCounts = Readonly<Partial<Record<UsageCounter, number>>>;

/** Whose calls are counted. */
export type UsageSubject =
  | { readonly kind: 'integration'; readonly integrationId: string }
  | { readonly kind: 'connection'; readonly integrationId: string; readonly connectionId: string }
  | { readonly kind: 'key'; readonly keyId: string };

/** Sums two counts. */
export function addCounts(a: UsageCounts, b: UsageCounts): UsageCounts {
  const sum: Partial<Record<UsageCounter, number>> = {};
  for (const name of USAGE_COUNTERS) {
    const value = (a[name] ?? 0) + (b[name] ?? 0);
    if (value !== 0) sum[name] = value;
  }
  return sum;
}

/** The day of a moment, UTC: `2026-03-01`. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Every day from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += 24 * 3600 * 1000) days.push(dayOf(ms));
  return days;
}
