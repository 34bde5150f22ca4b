/** Written by `npm run generate` from the folders of the features. */
import type { GrantDependencies } from '../gateway/wiring.ts';
import { grantPart as feeds } from './feeds/grant-part.ts';

/** What features open once in a process that uses grants. */
export const openGrantParts = (deps: GrantDependencies) => ({ feeds: feeds(deps) });
export type GrantParts = ReturnType<typeof openGrantParts>;
