/** Built as `judge-limits.mjs` next to the bundle and loaded by the first call with limits or a budget. */
export { LimitsJudge } from '../gateway/calls/judge-limits.ts';
export { thresholdReporter } from '../gateway/calls/report-threshold.ts';
export { CHANGES } from '../gateway/providers/changes.ts';
