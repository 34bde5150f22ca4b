import type { LimitsJudge } from '../gateway/calls/judge-limits.ts';
import type { OpenJudge } from '../gateway/calls/limited-keys.ts';

/** Reads what judges limited keys from beside the bundle. */
export const openJudge: OpenJudge = async (deps) => {
  const read: { LimitsJudge: typeof LimitsJudge } = await import(new URL('./judge-limits.mjs', import.meta.url).href);
  return new read.LimitsJudge(deps);
};
