import { MINUTES } from './population.ts';

/** What happened on a simulated day. */
export interface DayCounts {
  /** Token calls that brought a token, by minute: by the schedule, and for calls that found their token ending or ended. */
  readonly scheduled: Int32Array;
  readonly onUse: Int32Array;
  /** Token calls that failed. */
  readonly failed: Int32Array;
  /** Calls through the gateway, and how many of them were noted, by minute. */
  readonly calls: Int32Array;
  /** Calls that found an expired token while the token endpoint was down. */
  readonly refused: Int32Array;
  notes: number;
  /** Calls that found an expired token and waited for a refresh: of connections that the gateway promises to keep fresh, and of others. */
  waitedInUse: number;
  waitedIdle: number;
  /** Longest time that something due waited for the schedule, seconds. */
  oldestDueSec: number;
  /** Minute in which the schedule was last behind by more than a tick; -1 for never. */
  lastBehindMinute: number;
}

/** A day on which nothing has happened yet. */
export function noCounts(): DayCounts {
  return {
    scheduled: new Int32Array(MINUTES),
    onUse: new Int32Array(MINUTES),
    failed: new Int32Array(MINUTES),
    calls: new Int32Array(MINUTES),
    refused: new Int32Array(MINUTES),
    notes: 0,
    waitedInUse: 0,
    waitedIdle: 0,
    oldestDueSec: 0,
    lastBehindMinute: -1,
  };
}

/** A day of so many times the connections; what is a time stays. */
export function multiplied(counts: DayCounts, factor: number): DayCounts {
  const times = (minutes: Int32Array) => minutes.map((count) => count * factor);
  return {
    ...counts,
    scheduled: times(counts.scheduled),
    onUse: times(counts.onUse),
    failed: times(counts.failed),
    calls: times(counts.calls),
    refused: times(counts.refused),
    notes: counts.notes * factor,
    waitedInUse: counts.waitedInUse * factor,
    waitedIdle: counts.waitedIdle * factor,
  };
}

/** Sum of a day. */
export function sumOf(minutes: Int32Array): number {
  return minutes.reduce((sum, count) => sum + count, 0);
}

/** The busiest minute of the sum of some counts: how many, and when. */
export function peakOf(...counts: readonly Int32Array[]): { readonly count: number; readonly minute: number } {
  let peak = { count: 0, minute: 0 };
  for (let minute = 0; minute < MINUTES; minute++) {
    const count = counts.reduce((sum, list) => sum + (list[minute] ?? 0), 0);
    if (count > peak.count) peak = { count, minute };
  }
  return peak;
}
