/** How long a value is shown before another page loads it again, milliseconds. */
export const SHARED_FRESH_MS = 30_000;

/** A value that every page shows and one request answers. */
export interface SharedValue<T> {
  /** The last known value. */
  current(): T;
  /** Calls a listener when the value changes. @returns ends that */
  subscribe(listener: () => void): () => void;
  /** Loads the value, unless it is fresh or being loaded. */
  renew(): void;
  /** Takes the value from a page that has loaded it. */
  take(value: T): void;
}

/**
 * A value that all pages share.
 * @param first the value until one is loaded
 * @param read loads it; after a failure the next page tries again
 * @param nowMs the time, epoch milliseconds
 */
export function createSharedValue<T>(first: T, read: () => Promise<T>, nowMs = () => Date.now()): SharedValue<T> {
  const listeners = new Set<() => void>();
  let value = first;
  let takenAtMs = Number.NEGATIVE_INFINITY;
  let question: object | undefined;
  const take = (found: T) => {
    question = undefined;
    takenAtMs = nowMs();
    if (found === value) return;
    value = found;
    for (const listener of listeners) listener();
  };
  return {
    current: () => value,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    renew() {
      if (question !== undefined || nowMs() - takenAtMs < SHARED_FRESH_MS) return;
      const asked = {};
      question = asked;
      read().then(
        (found) => {
          // An answer that was overtaken by a newer value is older than it.
          if (question === asked) take(found);
        },
        // The current page shows problems.
        () => {
          if (question === asked) question = undefined;
        },
      );
    },
    take,
  };
}
