/** Written by `npm run generate` from the folders of the features. */
import type { ReadinessNote } from '../model/feature-slots.ts';
import { readinessNote as securityEvents } from './security-events/readiness-note.tsx';

/** Notes about going live. */
export const READINESS_NOTES: Readonly<Record<string, ReadinessNote>> = { 'security-events': securityEvents };
