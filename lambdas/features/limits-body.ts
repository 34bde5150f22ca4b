/** Written by `npm run generate` from the folders of the features. */
import { limitsBody as undo } from './undo/limits-body.ts';

/** Limits of keys as a body has them. */
export const FEATURE_LIMITS_BODY = { ...undo };
