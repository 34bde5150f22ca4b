import { BoundedCache } from '../core/bounded-cache.ts';
import { type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, REFUSAL_REREAD_MS } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';

/**
 * Before a process repeats a refusal that it remembers, it reads the row: another process may have fixed what was refused. At most
 * once a second and connection, so that a caller who goes on and on costs no read each time.
 */
export class RereadBound {
  readonly #clock: Clock;
  readonly #read = new BoundedCache<true>(CACHE_MAX_ENTRIES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the row is to be read now; anyone who learns so reads it. */
  take(ref: ConnectionRef): boolean {
    const nowMs = this.#clock.nowMs();
    const key = connectionRefKey(ref);
    if (this.#read.get(key, nowMs) === true) return false;
    this.#read.set(key, true, nowMs + REFUSAL_REREAD_MS);
    return true;
  }
}
