import { REFUSALS_TO_REPORT, REFUSED_SEC_TO_REPORT } from '../core/limits.ts';

/** The provider's answers to refreshes without new tokens. Cleared when new tokens are stored. */
export interface RefreshRefusal {
  /** The provider's own error code; the kind of its answer where it names none, such as `http_403`. */
  readonly error: string;
  /** When the first of consecutive refreshes was answered without tokens. */
  readonly sinceEpochSec: number;
  /** Consecutive refusals that name an error; transient answers, such as a 503, do not count. */
  readonly count: number;
  /** Epoch of the refused tokens. */
  readonly tokenEpoch: number;
  /** Set once an event has reported it: from then on it is the connection's health. */
  readonly toldAtEpochSec?: number | undefined;
}

/** An answer of the token endpoint without tokens. */
export interface RefusedAnswer {
  readonly error: string;
  /** Whether the provider names a permanent error. */
  readonly isRefusal: boolean;
}

/** Adds one more answer without tokens. @param tokenEpoch of the tokens that were to be renewed */
export function refusedOnceMore(
  before: RefreshRefusal | undefined,
  { error, isRefusal }: RefusedAnswer,
  tokenEpoch: number,
  nowEpochSec: number,
): RefreshRefusal {
  const known = before?.tokenEpoch === tokenEpoch ? before : undefined;
  if (known === undefined) return { error, sinceEpochSec: nowEpochSec, count: isRefusal ? 1 : 0, tokenEpoch };
  // A transient answer does not remove the error that the provider named before.
  return isRefusal || known.count === 0 ? { ...known, error, count: known.count + (isRefusal ? 1 : 0) } : known;
}

/** Whether to report it now, once: after three consecutive refusals, or after a day of any answers. */
export function isReportDue({ count, sinceEpochSec, toldAtEpochSec }: RefreshRefusal, nowEpochSec: number): boolean {
  if (toldAtEpochSec !== undefined) return false;
  return count >= REFUSALS_TO_REPORT || nowEpochSec - sinceEpochSec >= REFUSED_SEC_TO_REPORT;
}

/** Whether callers get the refusal as the error instead of a transient one. */
export function isNamed({ count, toldAtEpochSec }: RefreshRefusal): boolean {
  return count > 0 || toldAtEpochSec !== undefined;
}
