import {
  addTallies,
  type Census,
  type CountedFrom,
  changesBeyond,
  dayOf,
  deadOf,
  isDueToCount,
  NOTHING_COUNTED,
  newCensus,
  tallyOf,
} from '../gateway/connections/census.rules.ts';
import { type ChangeRow, movedBy } from '../gateway/connections/change-counts.rules.ts';
import type { CensusStore, ChangeCountReader } from '../gateway/connections/ports.ts';
import { CENSUS_PAGES_PER_TICK, CENSUS_SMALL } from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../gateway/core/ports.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';
import { nowEpochSec } from '../gateway/tokens/lease.ts';

export interface CountConnectionsDependencies {
  readonly census: CensusStore;
  readonly changeCounts: ChangeCountReader;
  readonly integrations: Pick<IntegrationStore, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Goes on with the count of an account's connections by a few pages, and publishes the last finished one. Nothing of the
 * refresh depends on it, so a failure ends it until the next tick and no more.
 */
export async function countConnections(
  deps: CountConnectionsDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  try {
    const known = (await deps.census.read(accountId)) ?? newCensus(accountId);
    // Read before the list: what is counted meanwhile is counted again, and so shows as changed at the next tick.
    const changes = await deps.changeCounts.ofDay(accountId, dayOf(nowEpochSec(deps.clock)));
    const { counted } = isDueToCount(known, isSmallAndChanged(known, changes), nowEpochSec(deps.clock))
      ? await goOn(deps, known, changes)
      : known;
    // A stack that nobody uses pays for no metric.
    if (counted === undefined || counted.active + deadOf(counted) === 0) return;
    deps.metrics.count('Connections', { status: 'active' }, counted.active);
    deps.metrics.count('Connections', { status: 'reauthorization_required' }, deadOf(counted));
  } catch (error) {
    deps.logger.error('connections could not be counted', { requestId }, error);
  }
}

/** Few connections are counted as soon as some were made, died, came back or went. */
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
  const today = dayOf(nowEpochSec(clock));
  const begun: CountedFrom = {
    day: today,
    changes: Object.fromEntries(changes.map(({ integrationId, counts }) => [integrationId, counts])),
  };
  const from = known.position === undefined ? begun : (known.from ?? begun);
  let { position, sofar } = known;
  for (let page = 0; page < CENSUS_PAGES_PER_TICK; page++) {
    const { rows, next } = await census.page(known.accountId, position);
    sofar = addTallies(sofar, tallyOf(rows, byId, nowEpochSec(clock)));
    position = next;
    if (position === undefined) break;
  }
  const finished = position === undefined;
  // Nothing is written, and no rest begins, before there is a first connection.
  if (finished && known.counted === undefined && sofar.active + deadOf(sofar) === 0) return known;
  const next: Census = {
    ...known,
    position,
    sofar: finished ? NOTHING_COUNTED : sofar,
    from: finished ? undefined : from,
    counted: finished ? { ...sofar, from, countedAtEpochSec: nowEpochSec(clock) } : known.counted,
    changesSince: known.changesSince ?? today,
  };
  // A tick side by side that was faster has counted the same pages.
  return (await census.save(next)) ? next : known;
}
