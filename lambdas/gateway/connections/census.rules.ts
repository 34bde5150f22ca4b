import { CENSUS_REST_SEC } from '../core/limits.ts';

/** Connections by what has become of them; deleted ones are in no list. */
export interface Tally {
  readonly active: number;
  /** Those that need a new authorization, by cause. */
  readonly causes: Readonly<Record<string, number>>;
}

/** A finished count of an account's connections. */
export interface CountedConnections extends Tally {
  /** When the last page was read. Pages of one count are minutes apart in a large account, so it is no snapshot. */
  readonly countedAtEpochSec: number;
}

/** A count that goes on from tick to tick. */
export interface Census {
  readonly accountId: string;
  /** Raised by every write: of two ticks side by side only one is taken. */
  readonly version: number;
  /** Where the list was left; undefined = from its beginning. */
  readonly position: string | undefined;
  /** Counted so far. */
  readonly sofar: Tally;
  /** The last finished count. */
  readonly counted: CountedConnections | undefined;
}

export const NOTHING_COUNTED: Tally = { active: 0, causes: {} };

/** The census of an account that was never counted. */
export function newCensus(accountId: string): Census {
  return { accountId, version: 0, position: undefined, sofar: NOTHING_COUNTED, counted: undefined };
}

/** Whether there is something to count: a count under way, or one that is due. */
export function isDueToCount({ position, counted }: Census, nowEpochSec: number): boolean {
  if (position !== undefined || counted === undefined) return true;
  // A finished count from the future was dated by a clock that was wrong.
  return nowEpochSec - counted.countedAtEpochSec >= CENSUS_REST_SEC || counted.countedAtEpochSec > nowEpochSec;
}

/** Connections that need a new authorization. */
export function deadOf({ causes }: Tally): number {
  return Object.values(causes).reduce((sum, count) => sum + count, 0);
}

export function addTallies(a: Tally, b: Tally): Tally {
  const causes: Record<string, number> = { ...a.causes };
  for (const [cause, count] of Object.entries(b.causes)) causes[cause] = (causes[cause] ?? 0) + count;
  return { active: a.active + b.active, causes };
}
