/** Written by `npm run generate` from the folders of the features. */
import type { DueWork, DueWorkDependencies } from '../gateway/feature-dependencies.ts';
import { dueWork as securityEvents } from './security-events/due-work.ts';

/** Work of features in the refresh function. */
export const DUE_WORKS: Readonly<Record<string, (deps: DueWorkDependencies) => DueWork>> = {
  'security-events': securityEvents,
};
