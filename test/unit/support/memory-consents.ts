import type { ConsentLog } from '../../../lambdas/gateway/tokens/ports.ts';

/** Consents in memory. */
export function memoryConsents() {
  const times = new Map<string, number[]>();
  const keyOf = (clientId: string, subject: string) => `${clientId} ${subject}`;
  const log: ConsentLog = {
    async note(clientId, subject, atEpochSec) {
      const key = keyOf(clientId, subject);
      times.set(key, [...(times.get(key) ?? []), atEpochSec]);
    },
    times: async (clientId, subject) => times.get(keyOf(clientId, subject)) ?? [],
    async forget(clientId, subject) {
      times.delete(keyOf(clientId, subject));
    },
  };
  return { log, times };
}
