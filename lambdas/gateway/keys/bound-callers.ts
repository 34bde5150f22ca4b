import type { BoundCallers } from './ports.ts';

/**
 * What features know of bound callers. Without one that does, no key that is bound reaches anything, and nobody signs in elsewhere.
 *
 * @param all by the features' ids
 */
export function boundCallersOf<Deps extends { readonly config: { readonly without: ReadonlySet<string> } }>(
  all: Readonly<Record<string, (deps: Deps) => BoundCallers>>,
  deps: Deps,
): BoundCallers {
  const parts = Object.entries(all).flatMap(([id, open]) => (deps.config.without.has(id) ? [] : [open(deps)]));
  return {
    async signedIn(...of) {
      for (const part of parts) {
        const found = await part.signedIn(...of);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    isOf: (key, connection) =>
      key.agent === undefined && signedInUserOf(key) === undefined
        ? true
        : parts.some((part) => part.isOf(key, connection)),
  };
}

/** The end user who has signed in elsewhere, where a record represents one; undefined for a stored key. */
export function signedInUserOf(key: object): string | undefined {
  return 'signedInUser' in key && typeof key.signedInUser === 'string' ? key.signedInUser : undefined;
}
