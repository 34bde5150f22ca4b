import { CallCounter } from '../../../lambdas/gateway/calls/admission.ts';
import type { CallTotals } from '../../../lambdas/gateway/calls/ports.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';

/** The first moment of a minute. */
export const START_MS = 1_800_000_000_000;
export const MINUTE_MS = 60_000;

/** Processes with counters of their own over one table and one clock. */
export function callCounters(most: number, store?: CallTotals) {
  const totals = memoryCallTotals();
  const clock = { ms: START_MS, nowMs: () => clock.ms };
  const logged: unknown[] = [];
  const logger = { info() {}, warn: (...line: unknown[]) => void logged.push(line), error() {} };
  const process = () => {
    const counter = new CallCounter({ totals: store ?? totals, clock, logger }, most);
    const call = (id: string) => counter.admits(id, { kind: 'key', keyHash: id }, clock.ms);
    return {
      counter,
      call,
      /** A call, and all that is done beside it. */
      async settled(id: string): Promise<boolean> {
        const admitted = call(id);
        await counter.pending();
        return admitted;
      },
    };
  };
  return { process, totals, clock, logged };
}
