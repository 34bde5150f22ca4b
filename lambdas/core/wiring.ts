import { answerCalls } from '../features/feeds/answer-calls.ts';
import { feedPlaces } from '../features/feeds/feed-places.store.ts';
import { feedSeals } from '../features/feeds/feed-seals.store.ts';
import { sealAgain } from '../features/feeds/seal-again.ts';
import type { DoorAlias } from '../gateway/core/contract.ts';
import type { DoorOperations } from '../gateway/core/door.ts';
import { makeFeedCaller, makeFullRefresher, openSharedDependencies } from '../gateway/wiring.ts';

/** What this function does, by the alias under which another one may ask for it. @throws Error naming every wrong setting */
export function openDoors() {
  const shared = openSharedDependencies('core');
  const refresher = makeFullRefresher(shared);
  const feeds = {
    calls: answerCalls({
      ...shared,
      places: feedPlaces(shared.table),
      callerFor: (counted) => makeFeedCaller(shared, refresher, counted),
    }),
    seal: sealAgain({ ...shared, seals: feedSeals(shared.table) }),
  };
  const doors: Readonly<Partial<Record<DoorAlias, DoorOperations>>> = { feeds };
  return { logger: shared.logger, doors };
}
