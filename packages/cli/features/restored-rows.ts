/** Written by `npm run generate` from the folders of the features. */
import { restoredRows as webhooks } from './webhooks/restored-rows.ts';

/** Rows of features that a restore brings back, by their type. */
export const RESTORED_ROWS = { ...webhooks };
