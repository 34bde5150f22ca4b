/** Written by `npm run generate` from the folders of the features. */
import type { FeatureDependencies } from '../gateway/feature-dependencies.ts';
import type { CallHooks } from '../gateway/forwarding/call-hooks.ts';
import { callHooks as undo } from './undo/call-hooks.ts';

/** What features do with calls, in the order in which they wrap them. */
export const CALL_HOOKS: Readonly<Record<string, (deps: FeatureDependencies) => CallHooks>> = { undo };
