/** Built beside the bundle as `judge-limits.mjs`: read with the first call of a limited key. */
export { LimitsJudge } from '../gateway/calls/judge-limits.ts';
