import { type Door, type DoorDependencies, lazyDoor } from '../../gateway/forwarding/door-operations.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';

/** What the function of pages asks of the proxy: what a page shows and does, and runs of what was approved. */
export function doorOperations(deps: SharedDependencies & DoorDependencies): Door {
  return lazyDoor('approvals', ['page', 'run'], async () => {
    const loaded = await deps.later<typeof import('./decisions.lazy.ts')>('decisions');
    return loaded.openDecisions(deps);
  });
}
