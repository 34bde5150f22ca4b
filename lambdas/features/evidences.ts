/** Written by `npm run generate` from the folders of the features. */
import type { FeatureDependencies } from '../gateway/feature-dependencies.ts';
import type { EndEvidence } from '../gateway/tokens/ports.ts';
import { evidence as securityEvents } from './security-events/evidence.ts';

/** What features know of the ends of grants. */
export const EVIDENCES: Readonly<Record<string, (deps: Pick<FeatureDependencies, 'table'>) => EndEvidence>> = {
  'security-events': securityEvents,
};
