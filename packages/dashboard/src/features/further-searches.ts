/** Written by `npm run generate` from the folders of the features. */
import type { FurtherSearch } from '../model/feature-slots.ts';
import { furtherSearch as undo } from './undo/further-search.ts';

/** Searches for what is found nowhere else. */
export const FURTHER_SEARCHES: Readonly<Record<string, FurtherSearch>> = { undo };
