import { BoundedCache } from '../core/bounded-cache.ts';
import { GatewayError } from '../core/errors.ts';
import { type CallSubject, type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, LONG_CALL_MARK_SPREAD_MS, LONG_CALL_MS, LONG_CALLS_SPENT_MS } from '../core/limits.ts';
import type { Clock, Logger, Metrics, Random } from '../core/ports.ts';
import { secondsLeft, windowOf } from './admission.ts';
import type { CallTotals } from './ports.ts';

export interface LongCallsDependencies {
  readonly totals: CallTotals;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Calls under way at the same time that have run for `LONG_CALL_MS` or longer; 0 = no limit. */
export interface LongCallLimits {
  readonly longPerKey: number;
  readonly longPerConnection: number;
}

/** A call that has run for `LONG_CALL_MS`. */
export interface LongCall {
  /** Records that the call is over. Resolves when it is in no count any more. */
  end(): Promise<void>;
}

/** Ended because its key or connection has too many calls under way. */
export class TooManyLongCalls extends Error {
  constructor() {
    super('Too many long calls of this key or connection are under way');
    this.name = 'TooManyLongCalls';
  }
}

interface Subject {
  /** Injective text. */
  readonly id: string;
  readonly counted: CallSubject;
  readonly most: number;
  readonly limit: 'long_calls_of_key' | 'long_calls_of_connection';
}

/**
 * Keeps the calls of one key or connection from occupying every process there is (DS-8). A process serves one call at a time, so the
 * count is in the table. To cost short calls nothing, only a call that has run for ten seconds is counted:
 *
 *     0 s      10 s                      next minute
 *     call ----+--------------------------+--------------- end
 *              counts itself in this      counts itself    takes itself out of
 *              minute and the next;       in the one after  the minutes it is in
 *              too many: it is ended
 *
 * The call of a process that dies stays in the count for at most two minutes. A count that cannot be written stops no call.
 */
export class LongCalls {
  readonly #deps: LongCallsDependencies;
  readonly #limits: LongCallLimits;
  /** Subjects that recently had too many: their next calls are refused before they begin. */
  readonly #spent = new BoundedCache<true>(CACHE_MAX_ENTRIES);

  constructor(deps: LongCallsDependencies, limits: LongCallLimits) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /**
   * Checks a call before it begins.
   *
   * @throws GatewayError `rate_limited` while its key or connection is known to have too many long calls
   */
  assertRoom(keyHash: string, ref: ConnectionRef): void {
    const nowMs = this.#deps.clock.nowMs();
    const spent = this.#limited(keyHash, ref).find(({ id }) => this.#spent.get(id, nowMs) === true);
    if (spent !== undefined) throw this.#refusal(spent);
  }

  /**
   * Counts a call that has run for `LONG_CALL_MS` until it ends.
   *
   * @param control aborted when the call must make room, because too many have run as long
   */
  count(keyHash: string, ref: ConnectionRef, control: AbortController): LongCall {
    return this.#begin(this.#limited(keyHash, ref), control);
  }

  #limited(keyHash: string, ref: ConnectionRef): readonly Subject[] {
    const subjects = [
      {
        id: `key ${keyHash}`,
        counted: { kind: 'long_key', keyHash },
        most: this.#limits.longPerKey,
        limit: 'long_calls_of_key',
      },
      {
        id: `connection ${connectionRefKey(ref)}`,
        counted: { kind: 'long_connection', ref },
        most: this.#limits.longPerConnection,
        limit: 'long_calls_of_connection',
      },
    ] as const satisfies readonly Subject[];
    return subjects.filter(({ most }) => most > 0);
  }

  #begin(subjects: readonly Subject[], control: AbortController): LongCall {
    /** Windows in which the table counts this call. */
    const windows = new Set<number>();
    let work: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const doing = (run: () => Promise<void>): void => {
      work = run().finally(() => {
        work = undefined;
      });
    };
    const first = async (): Promise<void> => {
      const window = windowOf(this.#deps.clock.nowMs());
      windows.add(window);
      const totals = await this.#add(subjects, window, 1);
      const over = subjects.find(({ most }, i) => (totals[i] ?? 0) > most);
      if (over === undefined) return again();
      this.#spent.set(over.id, true, this.#deps.clock.nowMs() + LONG_CALLS_SPENT_MS);
      this.#deps.metrics.count('RateLimited', { limit: over.limit });
      control.abort(new TooManyLongCalls());
    };
    /** Counts the call in the next window, and repeats that when the window has begun. */
    const again = async (): Promise<void> => {
      const nowMs = this.#deps.clock.nowMs();
      const next = windowOf(nowMs) + 1;
      windows.add(next);
      await this.#add(subjects, next, 1);
      // Not all at the same moment.
      const afterMs = secondsLeft(nowMs) * 1000 + this.#deps.random.number() * LONG_CALL_MARK_SPREAD_MS;
      timer = setTimeout(() => doing(again), afterMs);
      timer.unref();
    };
    if (subjects.length > 0) doing(first);
    return {
      end: async () => {
        clearTimeout(timer);
        await this.#takeOut(subjects, windows, work);
        clearTimeout(timer);
      },
    };
  }

  async #takeOut(subjects: readonly Subject[], windows: ReadonlySet<number>, work: Promise<void> | undefined) {
    await work;
    const current = windowOf(this.#deps.clock.nowMs());
    await Promise.all(
      [...windows].filter((window) => window >= current).map((window) => this.#add(subjects, window, -1)),
    );
  }

  /** Totals by subject; 0 where the table could not be reached. */
  #add(subjects: readonly Subject[], window: number, calls: number): Promise<number[]> {
    return Promise.all(
      subjects.map(async ({ counted }) => {
        try {
          return await this.#deps.totals.add(counted, window, calls);
        } catch (error) {
          this.#deps.logger.warn('a long call could not be counted', {
            outcome: error instanceof Error ? error.name : 'unknown',
          });
          return 0;
        }
      }),
    );
  }

  #refusal({ limit, most }: Subject): GatewayError {
    this.#deps.metrics.count('RateLimited', { limit });
    const [whose, option] =
      limit === 'long_calls_of_key'
        ? ['This secret key', 'gateway:longCallsPerKey']
        : ['This connection', 'gateway:longCallsPerConnection'];
    return new GatewayError(
      'rate_limited',
      `${whose} already has ${most} calls that have run for ${LONG_CALL_MS / 1000} seconds or longer. Wait until some of them end; a deployment sets the limit with ${option}.`,
      {
        retryAfterSec: LONG_CALLS_SPENT_MS / 1000,
        rate: { policy: limit, quota: most, windowSec: undefined, left: 0, resetSec: LONG_CALLS_SPENT_MS / 1000 },
      },
    );
  }
}
