import { BoundedCache } from '../core/bounded-cache.ts';
import { type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, REFUSAL_REREAD_MS } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';

/**
 * Before a process repeats a cached refusal, it reads the row, because another process may have fixed the reason. At most once per
 * second and connection, so that persistent callers cost no read each time.
 */
export class RereadBound {
  readonly #clock: Clock;
  readonly #read = new BoundedCache<true>(CACHE_MAX_ENTRIES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether to read the row now; a caller that gets true reads it. */
  take(ref: ConnectionRef): boolean {
    const nowMs = this.#clock.nowMs();
    const key = connectionRefKey(ref);
    if (this.#read.get(key, nowMs) === true) return false;
    this.#read.set(key, true, nowMs + REFUSAL_REREAD_MS);
    return true;
  }
}
