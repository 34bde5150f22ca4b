import { DAY_THRESHOLDS_PERCENT } from '../core/limits.ts';

/** A share of a day's budget or quota, in percent, that is reported once it is used. */
export type Threshold = (typeof DAY_THRESHOLDS_PERCENT)[number];

/** The shares that a use has reached, the smallest first. */
export function reachedThresholds(used: number, most: number): readonly Threshold[] {
  return DAY_THRESHOLDS_PERCENT.filter((percent) => used * 100 >= most * percent);
}

/** Identifies one report: a share of one budget or quota on one day. */
export interface ThresholdMark {
  readonly accountId: string;
  /** Injective text of the budget or quota. */
  readonly what: string;
  /** The day, as its counter writes it. */
  readonly day: string;
  readonly percent: Threshold;
  /** Epoch seconds after which the mark is needed no more. */
  readonly goneAfterEpochSec: number;
}

/** What the sort keys of marks begin with, alongside other items of their account. */
export const THRESHOLD_MARKS = 'THRESHOLD#';

/** Sort key of a mark. */
export function thresholdMark({ what, day, percent }: Pick<ThresholdMark, 'what' | 'day' | 'percent'>): string {
  return `${THRESHOLD_MARKS}${encodeURIComponent(what)}#${day}#${percent}`;
}

/** The subject of a mark about a Cloud project's quota of an API. */
export function markedQuota(provider: string, cloudProject: string, quota: 'units' | 'bytes_out'): string {
  return JSON.stringify(['quota', provider, cloudProject, quota]);
}
