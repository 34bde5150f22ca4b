import type { SearchUpkeep } from '../gateway/connections/ports.ts';
import { SEARCH_CHECK_REST_SEC } from '../gateway/core/limits.ts';
import type { Clock, Logger } from '../gateway/core/ports.ts';
import { nowEpochSec } from '../gateway/tokens/lease.ts';

export interface KeepSearchCompleteDependencies {
  readonly upkeep: SearchUpkeep;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Goes on with the walk that gives a search entry and rows in lists to connections without them, a part each tick, and begins a new walk after
 * a week's rest. Nothing of the refresh depends on it, so a failure ends it until the next tick and no more.
 */
export async function keepSearchComplete(
  { upkeep, clock, logger }: KeepSearchCompleteDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  try {
    const now = nowEpochSec(clock);
    const known = await upkeep.read(accountId);
    // An earlier version put nothing into lists: its walk is begun anew.
    const walk = known?.lists === undefined ? undefined : known;
    const isResting =
      walk !== undefined &&
      walk.position === undefined &&
      // A walk from the future was dated by a clock that was wrong.
      walk.walkedAtEpochSec <= now &&
      now - walk.walkedAtEpochSec < SEARCH_CHECK_REST_SEC;
    if (isResting) return;
    const { added } = await upkeep.goOn(accountId, walk, now);
    if (added > 0) logger.info('connections added to the search index or to lists', { requestId, count: added });
  } catch (error) {
    logger.error('connections could not be added to the search index or to lists', { requestId }, error);
  }
}
