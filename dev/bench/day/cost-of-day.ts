import { DATA_KEY_CACHE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { millionRefreshes, monthOfTicks, type Parts, STORED_KB } from '../../../packages/cli/costs/cost-model.ts';
import { ASSUMPTIONS as A, PRICES as P } from '../../../packages/cli/costs/prices.ts';
import { type DayCounts, sumOf } from './day-counts.ts';

const MILLION = 1_000_000;
const KB_PER_GB = 1_000_000;
const DAY_MS = 86_400_000;
const TICKS = 1_440;
const DAYS_A_MONTH = A.monthSec / 86_400;
/** The data key of this week and of the last: an older one does not outlive the keep-alive of its connections by much. */
const DATA_KEYS = 2;

/** What a day asks of DynamoDB, in units. */
export interface DayUnits {
  readonly write: number;
  readonly read: number;
}

/** Units of refreshes, notes of use and the ticks' own queries; sizes as `packages/cli/costs/prices.ts` states them. */
export function unitsOfDay(counts: DayCounts): DayUnits {
  const refreshes = refreshesOf(counts);
  return {
    write: refreshes * A.refreshWriteUnits + counts.notes * A.useNoteWriteUnits,
    read: refreshes * A.refreshReadUnits + TICKS * A.idleSweepReadUnits,
  };
}

/** Dollars of a day of keeping connections, the calls themselves not counted. */
export function costOfDay(counts: DayCounts, connections: number, slices: number): Parts {
  const millions = refreshesOf(counts) / MILLION;
  const { 'Lambda time': lambdaTime = 0, Logs: logs = 0 } = millionRefreshes();
  const kmsCalls = slices * DATA_KEYS * (DAY_MS / DATA_KEY_CACHE_MS);
  const gigabytes = (connections * STORED_KB) / KB_PER_GB;
  return {
    Writes: unitsOfDay(counts).write * P.writeUnit,
    Reads: millions * A.refreshReadUnits * P.readUnit * MILLION,
    'Lambda and logs': millions * (lambdaTime + logs),
    Ticks: monthOfTicks(slices) / DAYS_A_MONTH,
    KMS: kmsCalls * P.kmsRequest,
    Storage: (gigabytes * (P.tableGbMonth + P.recoveryGbMonth)) / DAYS_A_MONTH,
  };
}

function refreshesOf({ scheduled, onUse }: DayCounts): number {
  return sumOf(scheduled) + sumOf(onUse);
}
