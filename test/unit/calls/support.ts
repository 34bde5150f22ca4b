import { CallCounter } from '../../../lambdas/gateway/calls/admission.ts';
import type { CallTotals, ThresholdReporter } from '../../../lambdas/gateway/calls/ports.ts';
import type { Random } from '../../../lambdas/gateway/core/ports.ts';
import type { LifecycleEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
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
      /** A call, and all that is done alongside it. */
      async settled(id: string): Promise<boolean> {
        const admitted = call(id);
        await counter.pending();
        return admitted;
      },
    };
  };
  return { process, totals, clock, logged };
}

/** Thresholds in memory, with the events that were reported, and a source of random values. */
export function memoryThresholds() {
  const marks = new Set<string>();
  const told: LifecycleEvent[] = [];
  let made = 0;
  const thresholds: ThresholdReporter = {
    async report({ goneAfterEpochSec: _, ...mark }, event) {
      const id = JSON.stringify(mark);
      if (marks.has(id)) return false;
      marks.add(id);
      told.push(event);
      return true;
    },
  };
  const random: Random = { bytes: (length) => new Uint8Array(length).fill(made++ % 256), number: () => 0.5 };
  return { thresholds, random, told };
}
