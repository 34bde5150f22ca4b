/** Written by `npm run generate` from the folders of the features. */
import type { RisksOf } from '../management/integrations/readiness-subject.ts';
import { risks as agents } from './agents/risks.ts';
import { risks as feeds } from './feeds/risks.ts';

/** Risks of integrations that features know. */
export const RISKS: Readonly<Record<string, RisksOf>> = { agents, feeds };
