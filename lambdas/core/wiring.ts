import { CORE_DOORS } from '../features/core-doors.ts';
import { included } from '../gateway/core/features.ts';
import { makeFullRefresher, openSharedDependencies } from '../gateway/wiring.ts';

/** What this function does, by the alias under which another one may ask for it. @throws Error naming every wrong setting */
export function openDoors() {
  const shared = openSharedDependencies('core');
  const deps = { ...shared, refresher: makeFullRefresher(shared) };
  const doors = included(CORE_DOORS, shared.config.without).map((open) => open(deps));
  return { logger: shared.logger, doors };
}
