/** Counts AWS calls by service, operation and calling function, for tests that bound them. */

/** How often one function called one operation. `functionName` is `operator` for calls from outside the functions. */
export interface AwsCallCount {
  service: string;
  operation: string;
  functionName: string;
  count: number;
}

export interface CallCounter {
  record(service: string, operation: string, functionName: string): void;
  counts(): AwsCallCount[];
}

/** A counter in memory. */
export function callCounter(): CallCounter {
  const counts = new Map<string, AwsCallCount>();
  return {
    record(service, operation, functionName) {
      const key = JSON.stringify([service, operation, functionName]);
      const known = counts.get(key) ?? { service, operation, functionName, count: 0 };
      known.count += 1;
      counts.set(key, known);
    },
    counts: () => [...counts.values()].map((one) => ({ ...one })),
  };
}
