/** Written by `npm run generate` from the folders of the features. */
import type { EntryCounts } from '../model/feature-slots.ts';
import { entryCounts as approvals } from './approvals/entry-counts.ts';

/** Counts behind entries of the navigation. */
export const ENTRY_COUNTS: Readonly<Record<string, EntryCounts>> = { approvals };
