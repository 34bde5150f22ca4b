import type { Clock } from '../../../lambdas/shared/ports.ts';
import { CallAdmission } from '../../../lambdas/shared/use-cases/limits/call-admission.ts';
import { memoryCallTotals } from './memory-call-totals.ts';

/** Lets every call through. */
export function unlimitedCalls(clock: Clock): CallAdmission {
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const deps = { totals: memoryCallTotals(), clock, logger, metrics: { count: () => {} } };
  return new CallAdmission(deps, { perKey: 0, perConnection: 0, perAddress: 0 });
}
