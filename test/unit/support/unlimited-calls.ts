import { CallAdmission, type CallLimits } from '../../../lambdas/gateway/calls/admission.ts';
import type { Clock } from '../../../lambdas/gateway/core/ports.ts';
import { memoryCallTotals } from './memory-call-totals.ts';

/** Lets every call through. */
export function unlimitedCalls(clock: Clock): CallAdmission {
  return callLimits(clock, { perKey: 0, perConnection: 0, perAddress: 0 });
}

/** Limits with their totals in memory. */
export function callLimits(clock: Clock, limits: CallLimits): CallAdmission {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  return new CallAdmission({ totals: memoryCallTotals(), clock, logger, metrics: { count: () => {} } }, limits);
}
