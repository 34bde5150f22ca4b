import type { Door } from '../../gateway/forwarding/door-operations.ts';
import type { GrantDependencies } from '../../gateway/wiring.ts';
import { answerCalls } from './answer-calls.ts';
import { feedPlaces } from './feed-places.store.ts';
import { feedSeals } from './feed-seals.store.ts';
import { sealAgain } from './seal-again.ts';
import { makeFeedCaller } from './wiring.ts';

/** What the function of feeds asks of the function `core`. */
export function coreOperations(deps: GrantDependencies): Door {
  const calls = answerCalls({
    ...deps,
    places: feedPlaces(deps.table),
    callerFor: (counted) => makeFeedCaller(deps, counted),
  });
  return { alias: 'feeds', operations: { calls, seal: sealAgain({ ...deps, seals: feedSeals(deps.table) }) } };
}
