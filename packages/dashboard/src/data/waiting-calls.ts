import type { Gateway } from '../gateway/gateway.ts';

/** How long a count is shown before another page asks again, milliseconds. */
export const COUNT_FRESH_MS = 30_000;

/** The number of calls that wait for approval, which every page shows and one question answers. */
export interface WaitingCalls {
  /** The count that is known last: 0 until there is one. */
  count(): number;
  /** Has a listener called when the count changes. @returns ends that */
  subscribe(listener: () => void): () => void;
  /** Loads the count, unless it is fresh or being loaded. */
  renew(): void;
  /** Takes the count from a page that has read all approvals. */
  take(count: number): void;
}

/**
 * A count that all pages share.
 * @param nowMs the time, epoch milliseconds
 */
export function createWaitingCalls({ approvals }: Pick<Gateway, 'approvals'>, nowMs = () => Date.now()): WaitingCalls {
  const listeners = new Set<() => void>();
  let count = 0;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let question: object | undefined;
  const take = (found: number) => {
    question = undefined;
    countedAtMs = nowMs();
    if (found === count) return;
    count = found;
    for (const listener of listeners) listener();
  };
  return {
    count: () => count,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    renew() {
      if (question !== undefined || nowMs() - countedAtMs < COUNT_FRESH_MS) return;
      const asked = {};
      question = asked;
      approvals.list({ about: false }).then(
        (all) => {
          // An answer that was overtaken by a newer count is older than it.
          if (question === asked) take(all.filter(({ status }) => status === 'pending').length);
        },
        // The current page shows problems; the next one loads again.
        () => {
          if (question === asked) question = undefined;
        },
      );
    },
    take,
  };
}
