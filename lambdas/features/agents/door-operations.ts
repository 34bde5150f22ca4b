import { type Door, type DoorDependencies, lazyDoor } from '../../gateway/forwarding/door-operations.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';
import { AGENT_OPERATIONS } from './question.rules.ts';

/** What the function of assistants asks of the proxy. */
export function doorOperations(deps: SharedDependencies & DoorDependencies): Door {
  return lazyDoor('mcp', AGENT_OPERATIONS, async () => {
    const loaded = await deps.later<typeof import('./agents.lazy.ts')>('agents');
    return loaded.openAgentOperations(deps);
  });
}
