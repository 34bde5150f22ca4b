import type { GrantDependencies } from '../../gateway/wiring.ts';
import { feedPlaces } from './feed-places.store.ts';
import { grantedCaller } from './granted-caller.ts';
import { makeFeedCaller, makeFeedWork } from './wiring.ts';

/** Work on feeds in the function of grants, which makes their calls itself: each only where the place of its feed grants it. */
export function grantPart(deps: GrantDependencies): ReturnType<typeof makeFeedWork> {
  const places = feedPlaces(deps.table);
  return makeFeedWork(deps, (counted) => grantedCaller(makeFeedCaller(deps, counted), places));
}
