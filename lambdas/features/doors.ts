/** Written by `npm run generate` from the folders of the features. */
import type { Door, DoorDependencies } from '../gateway/forwarding/door-operations.ts';
import type { SharedDependencies } from '../gateway/wiring.ts';
import { doorOperations as agents } from './agents/door-operations.ts';
import { doorOperations as approvals } from './approvals/door-operations.ts';

/** What other functions ask of the proxy by its inner door. */
export const DOORS: Readonly<Record<string, (deps: SharedDependencies & DoorDependencies) => Door>> = {
  approvals,
  agents,
};
