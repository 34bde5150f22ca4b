/**
 * Runs a task per item, a few at a time, and returns what worked, in order. One failure does not end the others.
 *
 * @param atOnce tasks that run at the same time
 */
export async function eachLimited<T, R>(
  items: readonly T[],
  atOnce: number,
  task: (item: T) => Promise<R>,
): Promise<{ readonly results: readonly R[]; readonly failures: number }> {
  const slots: { readonly result: R }[][] = items.map(() => []);
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      try {
        slots[index]?.push({ result: await task(item) });
      } catch {
        // Counted below: the caller says how many it could not read.
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const results = slots.flat().map(({ result }) => result);
  return { results, failures: items.length - results.length };
}
