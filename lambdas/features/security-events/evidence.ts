import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import type { EndEvidence } from '../../gateway/tokens/ports.ts';
import { evidenceOf } from './evidence.rules.ts';
import { evidenceReader } from './evidence.store.ts';

/** Google's statements about an account or a token, kept for thirty days, explain the end of a grant. */
export function evidence({ table }: Pick<FeatureDependencies, 'table'>): EndEvidence {
  const reader = evidenceReader(table);
  return {
    async statedEnd({ cloudProject, subject, tokenPrints, ...grant }) {
      return evidenceOf(await reader.facts(cloudProject, subject, tokenPrints), grant);
    },
  };
}
