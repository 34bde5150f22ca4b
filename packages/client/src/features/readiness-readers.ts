/** Written by `npm run generate` from the folders of the features. */
import type { ReadinessReader } from '../management/feature-slots.ts';
import { readinessReader as securityEvents } from './security-events/readiness-reader.ts';

/** Read what features add to an integration's readiness. */
export const READINESS_READERS: Readonly<Record<string, ReadinessReader>> = { 'security-events': securityEvents };
