import type { CallTotals } from '../../../lambdas/gateway/calls/ports.ts';
import type { CallSubject } from '../../../lambdas/gateway/core/identifiers.ts';

/** Calls per subject and window, in memory, with every telling in order. */
export function memoryCallTotals() {
  const totals = new Map<string, number>();
  const reports: { readonly subject: CallSubject; readonly window: number; readonly calls: number }[] = [];
  const store: CallTotals = {
    async add(subject, window, calls) {
      reports.push({ subject, window, calls });
      const key = JSON.stringify([subject, window]);
      const total = (totals.get(key) ?? 0) + calls;
      totals.set(key, total);
      return total;
    },
  };
  return { ...store, reports };
}
