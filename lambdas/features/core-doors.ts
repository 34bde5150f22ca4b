/** Written by `npm run generate` from the folders of the features. */
import type { Door } from '../gateway/forwarding/door-operations.ts';
import type { GrantDependencies } from '../gateway/wiring.ts';
import { coreOperations as feeds } from './feeds/core-operations.ts';

/** What other functions ask of the function `core` by its inner door. */
export const CORE_DOORS: Readonly<Record<string, (deps: GrantDependencies) => Door>> = { feeds };
