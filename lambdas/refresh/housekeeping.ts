/**
 * Work of a tick in addition to refreshing: it counts connections, deletes what deleted connections leave behind, and keeps the search index,
 * lists and the audit trail complete. Each part does a bounded amount per tick. No refresh depends on it, so a failure only ends it
 * until the next tick.
 */

import type { CallLogClearing } from '../gateway/calls/ports.ts';
import {
  addTallies,
  type Census,
  changesBeyond,
  countedFrom,
  dayOf,
  daysAround,
  deadOf,
  isDueToCount,
  NOTHING_COUNTED,
  newCensus,
  tallyOf,
} from '../gateway/connections/census.rules.ts';
import { type ChangeRow, movedBy } from '../gateway/connections/change-counts.rules.ts';
import type {
  CensusStore,
  ChangeCountReader,
  ConnectionStore,
  RowClearing,
  SearchUpkeep,
} from '../gateway/connections/ports.ts';
import { epochSecNow } from '../gateway/core/clock.ts';
import {
  CALL_LOG_CLEARING_DELAY_SEC,
  CALL_LOG_CLEARING_ROUNDS,
  CENSUS_PAGES_PER_TICK,
  CENSUS_SMALL,
  SEARCH_CHECK_REST_SEC,
} from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../gateway/core/ports.ts';
import type { AuditUpkeep } from '../gateway/events/ports.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';

export interface CountConnectionsDependencies {
  readonly census: CensusStore;
  readonly changeCounts: ChangeCountReader;
  readonly integrations: Pick<IntegrationStore, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Continues the count of an account's connections by a few pages, and publishes the last finished one. */
export async function countConnections(
  deps: CountConnectionsDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  try {
    const known = (await deps.census.read(accountId)) ?? newCensus(accountId);
    // Read before the list, so that a change during the count shows as one at the next tick.
    const days = daysAround(epochSecNow(deps.clock)).map((day) => deps.changeCounts.ofDay(accountId, day));
    const changes = (await Promise.all(days)).flat();
    const { counted } = isDueToCount(known, isSmallAndChanged(known, changes), epochSecNow(deps.clock))
      ? await goOn(deps, known, changes)
      : known;
    // An unused stack pays for no metric.
    if (counted === undefined || counted.active + deadOf(counted) === 0) return;
    deps.metrics.count('Connections', { status: 'active' }, counted.active);
    deps.metrics.count('Connections', { status: 'reauthorization_required' }, deadOf(counted));
  } catch (error) {
    deps.logger.error('connections could not be counted', { requestId }, error);
  }
}

/** Small accounts are counted as soon as some connections were created, died, recovered or were deleted. */
function isSmallAndChanged({ counted }: Census, changes: readonly ChangeRow[]): boolean {
  if (counted === undefined || counted.active + deadOf(counted) > CENSUS_SMALL) return false;
  return changes.some(({ integrationId }) => {
    const { active, causes } = movedBy(changesBeyond(counted.from, changes, integrationId));
    return active !== 0 || Object.values(causes).some((count) => count !== 0);
  });
}

async function goOn(
  { census, integrations, clock }: CountConnectionsDependencies,
  known: Census,
  changes: readonly ChangeRow[],
): Promise<Census> {
  const byId = new Map((await integrations.list(known.accountId)).map((one) => [one.integrationId, one]));
  const today = dayOf(epochSecNow(clock));
  // A count begun under a wrong clock is started again.
  const begun = known.from !== undefined && known.from.day <= today ? known.from : undefined;
  const from = begun ?? countedFrom(changes, epochSecNow(clock));
  let { position, sofar } = begun === undefined ? { position: undefined, sofar: NOTHING_COUNTED } : known;
  for (let page = 0; page < CENSUS_PAGES_PER_TICK; page++) {
    const { rows, next } = await census.page(known.accountId, position);
    sofar = addTallies(sofar, tallyOf(rows, byId, epochSecNow(clock)));
    position = next;
    if (position === undefined) break;
  }
  const finished = position === undefined;
  // Before the first connection nothing is written, and no rest begins.
  if (finished && known.counted === undefined && sofar.active + deadOf(sofar) === 0) return known;
  const next: Census = {
    ...known,
    position,
    sofar: finished ? NOTHING_COUNTED : sofar,
    from: finished ? undefined : from,
    counted: finished ? { ...sofar, from, countedAtEpochSec: epochSecNow(clock) } : known.counted,
    changesSince: known.changesSince ?? today,
  };
  // A faster concurrent tick has counted the same pages.
  return (await census.save(next)) ? next : known;
}

export interface ClearCallLogDependencies {
  readonly callLog: CallLogClearing;
  /** Of features. */
  readonly clearings: readonly RowClearing[];
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes rows of the call log and of features whose connection was deleted, a bounded number a tick (CL-15, AP-15, AP-23). */
export async function clearCallLog(deps: ClearCallLogDependencies, requestId: string): Promise<void> {
  const { callLog, clearings, connections, clock, logger } = deps;
  try {
    const laterThanMs = clock.nowMs() - CALL_LOG_CLEARING_DELAY_SEC * 1000;
    let rounds = CALL_LOG_CLEARING_ROUNDS;
    for (const clearing of await callLog.pending()) {
      if (clearing.notedAtMs > laterThanMs) continue;
      const connection = await connections.read(clearing);
      const createdAtMs =
        connection === undefined || connection.status === 'deleted' ? undefined : Date.parse(connection.createdAt);
      // For a name that another connection has by now, only the rows of the former one; none where nothing was deleted.
      const beforeMs = createdAtMs ?? clock.nowMs();
      const isDeleted = createdAtMs === undefined || createdAtMs > clearing.notedAtMs;
      for (const table of isDeleted ? [callLog, ...clearings] : []) {
        while (await table.clearSome(clearing, beforeMs)) if (--rounds <= 0) return;
      }
      await callLog.done(clearing);
    }
  } catch (error) {
    logger.error('the call log could not be cleared', { requestId }, error);
  }
}

export interface KeepSearchCompleteDependencies {
  readonly upkeep: SearchUpkeep;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Continues the walk that gives connections without them a search entry and rows in lists, a part each tick, and begins a new walk
 * after a week's rest.
 */
export async function keepSearchComplete(
  { upkeep, clock, logger }: KeepSearchCompleteDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  try {
    const now = epochSecNow(clock);
    const known = await upkeep.read(accountId);
    // An earlier version wrote no list rows: its walk is started again.
    const current = known?.lists === undefined ? undefined : known;
    // A walk of a version with another folding is started again, too; its lists stay as complete as they are.
    const walk = current?.isFolded === false ? { ...current, position: undefined } : current;
    const isResting =
      walk?.isFolded === true &&
      walk.position === undefined &&
      // A walk dated in the future was written under a wrong clock.
      walk.walkedAtEpochSec <= now &&
      now - walk.walkedAtEpochSec < SEARCH_CHECK_REST_SEC;
    if (isResting) return;
    const { added } = await upkeep.goOn(accountId, walk, now);
    if (added > 0) logger.info('connections added to the search index or to lists', { requestId, count: added });
  } catch (error) {
    logger.error('connections could not be added to the search index or to lists', { requestId }, error);
  }
}

export interface KeepAuditCompleteDependencies {
  readonly upkeep: AuditUpkeep;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Continues the walk that lists events of an earlier version, a part each tick, until it has covered all of them. */
export async function keepAuditComplete(
  { upkeep, clock, logger }: KeepAuditCompleteDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  try {
    const known = await upkeep.read(accountId);
    if (known?.phase === 'complete') return;
    const { added } = await upkeep.goOn(accountId, known, clock.nowMs());
    if (added > 0) logger.info('events of an earlier version added to the audit trail', { requestId, count: added });
  } catch (error) {
    logger.error('events of an earlier version could not be added to the audit trail', { requestId }, error);
  }
}
