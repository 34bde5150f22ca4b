/** Written by `npm run generate` from the folders of the features. */
import type { HoldCall } from '../gateway/forwarding/call-hooks.ts';
import type { SharedDependencies } from '../gateway/wiring.ts';
import { hold as approvals } from './approvals/hold.ts';

/** Where calls wait that limits of keys do not let pass at once. */
export const HOLDS: Readonly<Record<string, (deps: SharedDependencies) => HoldCall>> = { approvals };
