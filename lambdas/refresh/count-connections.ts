import {
  addTallies,
  type Census,
  deadOf,
  isDueToCount,
  NOTHING_COUNTED,
  newCensus,
} from '../gateway/connections/census.rules.ts';
import type { CensusStore } from '../gateway/connections/ports.ts';
import { CENSUS_PAGES_PER_TICK } from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../gateway/core/ports.ts';
import { nowEpochSec } from '../gateway/tokens/lease.ts';

export interface CountConnectionsDependencies {
  readonly census: CensusStore;
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
    const { counted } = isDueToCount(known, nowEpochSec(deps.clock)) ? await goOn(deps, known) : known;
    // A stack that nobody uses pays for no metric.
    if (counted === undefined || counted.active + deadOf(counted) === 0) return;
    deps.metrics.count('Connections', { status: 'active' }, counted.active);
    deps.metrics.count('Connections', { status: 'reauthorization_required' }, deadOf(counted));
  } catch (error) {
    deps.logger.error('connections could not be counted', { requestId }, error);
  }
}

async function goOn({ census, clock }: CountConnectionsDependencies, known: Census): Promise<Census> {
  let { position, sofar } = known;
  for (let page = 0; page < CENSUS_PAGES_PER_TICK; page++) {
    const { tally, next } = await census.countPage(known.accountId, position);
    sofar = addTallies(sofar, tally);
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
    counted: finished ? { ...sofar, countedAtEpochSec: nowEpochSec(clock) } : known.counted,
  };
  // A tick side by side that was faster has counted the same pages.
  return (await census.save(next)) ? next : known;
}
