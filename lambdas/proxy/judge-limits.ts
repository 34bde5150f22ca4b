/** Built alongside the bundle as `judge-limits.mjs`: read with the first call that has limits or a budget. */
export { LimitsJudge } from '../gateway/calls/judge-limits.ts';
export { thresholdReporter } from '../gateway/calls/report-threshold.ts';
export { CHANGES } from '../gateway/providers/changes.ts';
