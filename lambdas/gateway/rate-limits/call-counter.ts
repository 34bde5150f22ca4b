import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_MAX_ENTRIES, CALLS_UNTOLD_MS, RATE_WINDOW_SEC } from '../core/limits.ts';
import type { Clock, Logger } from '../core/ports.ts';
import { admit, type CallCount, type CallSubject, emptyCount, isWorthTelling, windowOf } from './call-count.rules.ts';
import type { CallTotals } from './ports.ts';

export interface CallCounterDependencies {
  readonly totals: CallTotals;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Counts the calls of one kind of subject against one limit per window. Judged in memory; the table learns of the calls
 * beside them, seldom, and answers with the calls of all processes.
 *
 *     process A  1 2 3 ... 240 ──add 240──▶ table 240 ◀──add 240── 1 2 3 ... 240  process B
 *                241 242 ...   ◀── 240 ───           ─── 480 ──▶   knows of A now
 *
 * Exact within a process. Beyond the limit pass at most the calls that other processes have not told yet: of each a
 * fiftieth of what it thinks is left, or those of its last ten seconds if that is less, or nine.
 */
export class CallCounter {
  readonly #deps: CallCounterDependencies;
  /** Calls of one subject in one window; 0 = no limit. */
  readonly #most: number;
  readonly #counts = new BoundedCache<CallCount>(CACHE_MAX_ENTRIES);
  readonly #tellings = new Set<Promise<void>>();

  constructor(deps: CallCounterDependencies, most: number) {
    this.#deps = deps;
    this.#most = most;
  }

  /**
   * Counts a call unless the limit is reached; then false, and nothing is counted.
   *
   * @param id injective text of the subject within its kind
   */
  admits(id: string, subject: CallSubject, nowMs: number): boolean {
    if (this.#most === 0) return true;
    const count = this.#countOf(id, nowMs);
    if (!admit(count, this.#most, nowMs)) return false;
    if (isWorthTelling(count, this.#most, nowMs)) this.#tell(subject, count);
    return true;
  }

  /** Ends when the table has been told of everything that was worth it; undefined when nothing is under way. */
  pending(): Promise<void> | undefined {
    return this.#tellings.size === 0 ? undefined : Promise.all(this.#tellings).then(() => undefined);
  }

  #countOf(id: string, nowMs: number): CallCount {
    const known = this.#counts.get(id, nowMs);
    // Also when the clock went back: a count of another window would be judged for as long as the clock is behind.
    if (known !== undefined && known.window === windowOf(nowMs)) return known;
    const count = emptyCount(nowMs);
    this.#counts.set(id, count, (count.window + 1) * RATE_WINDOW_SEC * 1000);
    return count;
  }

  #tell(subject: CallSubject, count: CallCount): void {
    const telling = this.#tellOnce(subject, count).finally(() => this.#tellings.delete(telling));
    this.#tellings.add(telling);
  }

  async #tellOnce(subject: CallSubject, count: CallCount): Promise<void> {
    const calls = count.untold;
    let total = 0;
    let pauseMs = 0;
    count.tellNotBeforeMs = Number.POSITIVE_INFINITY;
    try {
      total = await this.#deps.totals.add(subject, count.window, calls);
    } catch (error) {
      // A limit is no reason to fail a call. They are not told again: the table may have counted them all the same.
      this.#deps.logger.warn('calls could not be counted', {
        count: calls,
        outcome: error instanceof Error ? error.name : 'unknown',
      });
      pauseMs = CALLS_UNTOLD_MS;
    }
    const nowMs = this.#deps.clock.nowMs();
    count.told = Math.max(total, count.told + calls);
    count.untold -= calls;
    count.untoldSinceMs = nowMs;
    count.tellNotBeforeMs = nowMs + pauseMs;
  }
}
