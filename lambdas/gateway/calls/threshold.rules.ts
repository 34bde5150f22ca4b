import { DAY_THRESHOLDS_PERCENT } from '../core/limits.ts';

/** A share of what a day has, in percent, that is reported once it is used. */
export type Threshold = (typeof DAY_THRESHOLDS_PERCENT)[number];

/** The shares that a use has reached, the smallest first. */
export function reachedThresholds(used: number, most: number): readonly Threshold[] {
  return DAY_THRESHOLDS_PERCENT.filter((percent) => used * 100 >= most * percent);
}

/** What is reported once: that a day of something has come to a share of what it has. */
export interface ThresholdMark {
  readonly accountId: string;
  /** Injective text of what is used up. */
  readonly what: string;
  /** The day, as its counter writes it. */
  readonly day: string;
  readonly percent: Threshold;
  /** Nobody asks for the day any more after this, epoch seconds. */
  readonly goneAfterEpochSec: number;
}

/** What the sort keys of marks begin with, alongside other items of their account. */
export const THRESHOLD_MARKS = 'THRESHOLD#';

/** Sort key of a mark. */
export function thresholdMark({ what, day, percent }: Pick<ThresholdMark, 'what' | 'day' | 'percent'>): string {
  return `${THRESHOLD_MARKS}${encodeURIComponent(what)}#${day}#${percent}`;
}

/** What a mark of a Cloud project's quota of an API is of. */
export function markedQuota(provider: string, cloudProject: string, quota: 'units' | 'bytes_out'): string {
  return JSON.stringify(['quota', provider, cloudProject, quota]);
}
