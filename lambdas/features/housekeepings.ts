/** Written by `npm run generate` from the folders of the features. */
import type { Housekeeping, UpkeepDependencies } from '../gateway/feature-dependencies.ts';
import { housekeeping as approvals } from './approvals/housekeeping.ts';

/** Work of features in ticks whose refreshes are done. */
export const HOUSEKEEPINGS: Readonly<Record<string, (deps: UpkeepDependencies) => Housekeeping>> = { approvals };
