/** Built alongside the bundle as `judge-limits.mjs`: read with the first call that has limits or a budget. */
export { LimitsJudge } from '../gateway/calls/judge-limits.ts';
export { thresholdTeller } from '../gateway/calls/tell-once.ts';
export { CHANGES } from '../gateway/providers/changes.ts';
