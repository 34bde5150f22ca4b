/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { describedLimits as undo } from './undo/described-limits.ts';

/** Limits of keys as an answer has them. */
export const DESCRIBED_LIMITS = documented(() => ({ ...undo() }));
