import type { OpenJudge } from '../gateway/calls/limited-keys.ts';

/** Reads what judges limits and budgets from beside the bundle. */
export const openJudge: OpenJudge = async (deps) => {
  const read: typeof import('./judge-limits.ts') = await import(new URL('./judge-limits.mjs', import.meta.url).href);
  return new read.LimitsJudge({ ...deps, thresholds: read.thresholdTeller(deps.newItems) });
};
