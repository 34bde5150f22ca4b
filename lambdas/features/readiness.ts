/** Written by `npm run generate` from the folders of the features. */
import type { ReadinessSubject } from '../management/integrations/readiness-subject.ts';
import { readiness as securityEvents } from './security-events/readiness.ts';

/** What features add to an integration's readiness. */
export const readinessOfFeatures = async (...of: ReadinessSubject) => ({ ...(await securityEvents(...of)) });
