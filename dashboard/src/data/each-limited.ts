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
  const results: (R | undefined)[] = new Array(items.length);
  const done: boolean[] = new Array(items.length).fill(false);
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      try {
        results[index] = await task(item);
        done[index] = true;
      } catch {
        // Counted below: the caller says how many it could not read.
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const kept = results.filter((result, index): result is R => done[index] === true);
  return { results: kept, failures: items.length - kept.length };
}
