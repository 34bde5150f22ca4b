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
 * Goes on with the walk that gives a search entry to connections without one, a part each tick, and begins a new walk after
 * a week's rest. Nothing of the refresh depends on it, so a failure ends it until the next tick and no more.
 */
export async function keepSearchComplete(
  { upkeep, clock, logger }: KeepSearchCompleteDependencies,
  accountId: string,
  requestId: string,
): Promise<void> {
  try {
    const now = nowEpochSec(clock);
    const walk = await upkeep.read(accountId);
    const isResting =
      walk !== undefined &&
      walk.position === undefined &&
      // A walk from the future was dated by a clock that was wrong.
      walk.walkedAtEpochSec <= now &&
      now - walk.walkedAtEpochSec < SEARCH_CHECK_REST_SEC;
    if (isResting) return;
    const { added } = await upkeep.goOn(accountId, walk?.position, now);
    if (added > 0) logger.info('connections added to the search index', { requestId, count: added });
  } catch (error) {
    logger.error('connections could not be added to the search index', { requestId }, error);
  }
}
