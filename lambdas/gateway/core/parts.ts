/** Work that has ended, or reports parts before its end. */
export type Parted<Part, End> = { readonly end: End } | { readonly parts: AsyncGenerator<Part, End> };

/**
 * Runs work that may report parts of its result as they come. Work that ends without any is its end, whole. A reader that stops early ends
 * the work no sooner: what it began, such as a write, is carried through.
 *
 * @throws what the work throws before its first part; the parts throw what it throws later
 */
export async function partsOf<Part, End>(
  work: (report: (part: Part) => void) => Promise<End>,
): Promise<Parted<Part, End>> {
  const waiting: Part[] = [];
  let next = Promise.withResolvers<void>();
  const ended = work((part) => {
    waiting.push(part);
    next.resolve();
  });
  const isOver = ended.then(
    () => true,
    () => true,
  );
  const anyPart = () => next.promise.then(() => false);
  if ((await Promise.race([isOver, anyPart()])) && waiting.length === 0) return { end: await ended };
  return {
    parts: (async function* () {
      try {
        for (;;) {
          next = Promise.withResolvers<void>();
          yield* waiting.splice(0);
          if (waiting.length === 0 && (await Promise.race([isOver, anyPart()]))) return await ended;
        }
      } finally {
        await isOver;
      }
    })(),
  };
}
