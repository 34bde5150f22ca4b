/** A search path on which `curl` is the one beside this file: the bare machine has none, and the pages' calls are run on it too. */
export function withStandIns(): string {
  return `${import.meta.dirname}:${process.env.PATH ?? ''}`;
}
