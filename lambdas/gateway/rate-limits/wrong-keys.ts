import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_MAX_ENTRIES, RATE_WINDOW_SEC } from '../core/limits.ts';
import { windowOf } from './call-count.rules.ts';
import { addressGroup } from './source-address.rules.ts';

/** Counts calls without a valid key per source address and window, in this process alone. */
export class WrongKeys {
  readonly #counts = new BoundedCache<{ readonly window: number; calls: number }>(CACHE_MAX_ENTRIES);

  readonly #most: number;

  /** @param most of one address in one window; 0 = no limit */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether an address has sent as many as one may. */
  areSpent(sourceIp: string, nowMs: number): boolean {
    if (this.#most === 0) return false;
    const count = this.#counts.get(addressGroup(sourceIp), nowMs);
    return count !== undefined && count.window === windowOf(nowMs) && count.calls >= this.#most;
  }

  /** Counts one. */
  note(sourceIp: string, nowMs: number): void {
    if (this.#most === 0) return;
    const group = addressGroup(sourceIp);
    const window = windowOf(nowMs);
    const known = this.#counts.get(group, nowMs);
    if (known !== undefined && known.window === window) known.calls++;
    else this.#counts.set(group, { window, calls: 1 }, (window + 1) * RATE_WINDOW_SEC * 1000);
  }
}
