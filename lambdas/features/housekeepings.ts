/** Written by `npm run generate` from the folders of the features. */
import type { FeatureDependencies, Housekeeping } from '../gateway/feature-dependencies.ts';
import { housekeeping as approvals } from './approvals/housekeeping.ts';
import { housekeeping as webhooks } from './webhooks/housekeeping.ts';

/** Work of features in ticks of the refresh function. */
export const HOUSEKEEPINGS: Readonly<Record<string, (deps: FeatureDependencies) => Housekeeping>> = {
  approvals,
  webhooks,
};
