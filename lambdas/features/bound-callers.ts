/** Written by `npm run generate` from the folders of the features. */
import type { OpenBoundCallers } from '../gateway/feature-dependencies.ts';
import { boundCallers as agents } from './agents/bound-callers.ts';

/** Callers that act for one end user. */
export const BOUND_CALLERS: Readonly<Record<string, OpenBoundCallers>> = { agents };
