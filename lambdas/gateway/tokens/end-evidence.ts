import type { EndEvidence } from './ports.ts';

/** The first statement that explains an end, of those that features keep; none where all are left out. */
export function evidenceOfFeatures(evidences: readonly EndEvidence[]): EndEvidence {
  return {
    async statedEnd(grant) {
      for (const one of evidences) {
        const stated = await one.statedEnd(grant);
        if (stated !== undefined) return stated;
      }
      return undefined;
    },
  };
}
