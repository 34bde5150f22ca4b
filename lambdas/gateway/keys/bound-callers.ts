import type { BoundCallers } from './ports.ts';

/** What features know of bound callers. Without one that does, no key that is bound reaches anything, and nobody signs in elsewhere. */
export function boundCallersOf(parts: readonly BoundCallers[]): BoundCallers {
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
