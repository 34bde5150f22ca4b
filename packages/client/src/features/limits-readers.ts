/** Written by `npm run generate` from the folders of the features. */
import type { LimitsReader } from '../management/feature-slots.ts';
import { limitsReader as undo } from './undo/limits-reader.ts';

/** Read the limits of keys that features add. */
export const LIMITS_READERS: Readonly<Record<string, LimitsReader>> = { undo };
