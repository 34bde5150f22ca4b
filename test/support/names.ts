import { identifiersOf, importsOf } from './imports.ts';

/** All names and imports of a file. */
export function namesIn(path: string, text: string): readonly string[] {
  return [...identifiersOf(path, text), ...importsOf(path, text).map(({ to }) => to)];
}

/** Their words, single and in pairs: `undoChanges` has `undo`, `changes` and `undo changes`. */
export function wordsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      const words = name
        .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z0-9]+/);
      return [...words, ...words.slice(1).map((word, index) => `${words[index]} ${word}`)];
    }),
  );
}
