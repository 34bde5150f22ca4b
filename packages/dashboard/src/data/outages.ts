/** Shown values that could not be refreshed. */
export interface Outage {
  /** When the value was loaded, epoch milliseconds. */
  readonly sinceMs: number;
  readonly error: unknown;
}

/** Outages of the page at hand. */
export interface Outages {
  /** The one with the oldest value; undefined while all is refreshed. */
  current(): Outage | undefined;
  /** Calls a listener when the current one changes. @returns ends that */
  subscribe(listener: () => void): () => void;
  /** Adds an outage. @returns takes it away again */
  report(outage: Outage): () => void;
}

/** Collects what all parts of a page report. */
export function createOutages(): Outages {
  const all = new Set<Outage>();
  const listeners = new Set<() => void>();
  let oldest: Outage | undefined;
  const changed = () => {
    oldest = [...all].sort((a, b) => a.sinceMs - b.sinceMs)[0];
    for (const listener of listeners) listener();
  };
  return {
    current: () => oldest,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    report(outage) {
      all.add(outage);
      changed();
      return () => {
        all.delete(outage);
        changed();
      };
    },
  };
}
