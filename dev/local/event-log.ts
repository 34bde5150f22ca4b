/** The lifecycle events since the start, and waiting for one. */
import type { LifecycleEvent } from './events/bus.ts';

/** Ends a wait for what never comes; no measure of speed. */
const NEVER_COMES_MS = 60_000;

export interface EventLog {
  events: LifecycleEvent[];
  add(event: LifecycleEvent): void;
  /** @throws Error naming the events seen when none matches in time. */
  waitFor(predicate: (event: LifecycleEvent) => boolean, timeoutMs?: number): Promise<LifecycleEvent>;
}

/** Makes an empty log. */
export function openEventLog(): EventLog {
  const events: LifecycleEvent[] = [];
  const waiting = new Set<(event: LifecycleEvent) => void>();
  return {
    events,
    add(event) {
      events.push(event);
      for (const look of waiting) look(event);
    },
    waitFor(predicate, timeoutMs = NEVER_COMES_MS) {
      const past = events.find(predicate);
      if (past !== undefined) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          const seen = events.map((event) => event['detail-type']).join(', ') || 'none';
          reject(new Error(`No such event within ${timeoutMs} ms. Events seen: ${seen}.`));
        }, timeoutMs);
        const look = (event: LifecycleEvent): void => {
          if (!predicate(event)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(event);
        };
        waiting.add(look);
      });
    },
  };
}
