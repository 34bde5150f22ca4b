import { REFUSALS_TO_TELL, REFUSED_SEC_TO_TELL } from '../core/limits.ts';

/**
 * The provider answers and gives no new tokens: what is known of that. It belongs to the tokens it was given for, so that any new
 * ones end it, no matter who stores them.
 */
export interface RefreshRefusal {
  /** The provider's own error code; the kind of its answer where it names none, such as `http_403`. */
  readonly error: string;
  /** When the first refresh in a row was answered without tokens. */
  readonly sinceEpochSec: number;
  /** Refusals in a row that name an error; answers that promise to pass, such as a 503, do not count. */
  readonly count: number;
  /** Epoch of the tokens that it is about. */
  readonly tokenEpoch: number;
  /** Set once an event has said so: from then on it is the connection's health. */
  readonly toldAtEpochSec?: number | undefined;
}

/** An answer of the token endpoint without tokens. */
export interface RefusedAnswer {
  readonly error: string;
  /** The provider names an error that does not pass by itself. */
  readonly isRefusal: boolean;
}

/** One more answer without tokens. @param tokenEpoch of the tokens that were to be renewed */
export function refusedOnceMore(
  before: RefreshRefusal | undefined,
  { error, isRefusal }: RefusedAnswer,
  tokenEpoch: number,
  nowEpochSec: number,
): RefreshRefusal {
  const known = before?.tokenEpoch === tokenEpoch ? before : undefined;
  if (known === undefined) return { error, sinceEpochSec: nowEpochSec, count: isRefusal ? 1 : 0, tokenEpoch };
  // A provider that is busy once says nothing against the error it has named before.
  return isRefusal || known.count === 0 ? { ...known, error, count: known.count + (isRefusal ? 1 : 0) } : known;
}

/** Whether it has gone on for long enough to be told, and was not told yet: three refusals in a row, or a day whatever the answers were. */
export function isToBeTold({ count, sinceEpochSec, toldAtEpochSec }: RefreshRefusal, nowEpochSec: number): boolean {
  if (toldAtEpochSec !== undefined) return false;
  return count >= REFUSALS_TO_TELL || nowEpochSec - sinceEpochSec >= REFUSED_SEC_TO_TELL;
}

/** Whether callers learn of the refusal rather than of a trouble that passes. */
export function isNamed({ count, toldAtEpochSec }: RefreshRefusal): boolean {
  return count > 0 || toldAtEpochSec !== undefined;
}
