/**
 * Works through items, so many at a time, in their order. Takes no new one once the signal is given; what is under way ends.
 *
 * @throws the first error that `work` throws, after what is under way has ended
 */
export async function inParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<void>,
  stop?: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for await (const item of items) {
    if (stop?.aborted === true || failure !== undefined) break;
    const one: Promise<void> = work(item)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= atATime) await Promise.race(running);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
