/** Written by `npm run generate` from the folders of the features. */
import type { RowClearing } from '../gateway/connections/ports.ts';
import type { FeatureDependencies } from '../gateway/feature-dependencies.ts';
import { clearing as approvals } from './approvals/clearing.ts';
import { clearing as undo } from './undo/clearing.ts';

/** What deletes the rows that deleted connections leave in tables of features. */
export const CLEARINGS: Readonly<Record<string, (deps: FeatureDependencies) => RowClearing>> = { approvals, undo };
