/** A search path on which `curl` is the small one alongside this file: the bare machine has none, and the calls of the pages are run on it too. */
export function pathWithCurl(): string {
  return `${import.meta.dirname}:${process.env.PATH ?? ''}`;
}
