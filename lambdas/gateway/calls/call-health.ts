import type { Connection } from '../connections/connection.rules.ts';
import { refusesConnection } from '../connections/health.rules.ts';
import type { CallFaultStore } from '../connections/ports.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { connectionRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, CONNECTION_CACHE_MS, REFUSALS_TO_FAIL } from '../core/limits.ts';
import type { Clock, Logger } from '../core/ports.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Refusals of a connection's calls, one after the other. */
interface Refusals {
  count: number;
  readonly sinceEpochSec: number;
}

export interface CallHealthDependencies {
  readonly callFaults: CallFaultStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Watches the calls of a process. After three refusals in a row for the connection's sake the connection's row is marked until a
 * call succeeds. Nothing is written while calls succeed.
 */
export class CallHealth {
  readonly #deps: CallHealthDependencies;
  readonly #refusals = new BoundedCache<Refusals>(CACHE_MAX_ENTRIES);
  /** The last mark that this process wrote for a connection, because the row it remembers may be older. */
  readonly #written = new BoundedCache<'marked' | 'cleared'>(CACHE_MAX_ENTRIES);

  constructor(deps: CallHealthDependencies) {
    this.#deps = deps;
  }

  /**
   * Records an answer of the provider. Returns the work to await before the function ends; undefined without any. Never
   * rejects.
   *
   * @param reasonOf the reason that the provider's body gives
   */
  ended(
    connection: Connection,
    status: number,
    reasonOf: () => Promise<string | undefined>,
  ): Promise<void> | undefined {
    if (status < 400) return this.#worked(connection);
    return status === 401 || status === 403 ? this.#refused(connection, status, reasonOf) : undefined;
  }

  #worked(connection: Connection): Promise<void> | undefined {
    const id = connectionRefKey(connection);
    const nowMs = this.#deps.clock.nowMs();
    this.#refusals.delete(id);
    const written = this.#written.get(id, nowMs);
    const isMarked = written === undefined ? connection.callFault !== undefined : written === 'marked';
    if (!isMarked) return undefined;
    this.#written.set(id, 'cleared', nowMs + CONNECTION_CACHE_MS);
    return this.#attempt(() => this.#deps.callFaults.clear(connection, new Date(nowMs).toISOString()));
  }

  async #refused(connection: Connection, status: number, reasonOf: () => Promise<string | undefined>): Promise<void> {
    const reason = await reasonOf();
    if (!refusesConnection(status, reason)) return;
    const id = connectionRefKey(connection);
    const nowMs = this.#deps.clock.nowMs();
    const known = this.#refusals.get(id, nowMs) ?? { count: 0, sinceEpochSec: Math.floor(nowMs / 1000) };
    known.count++;
    this.#refusals.set(id, known, nowMs + DAY_MS);
    if (known.count !== REFUSALS_TO_FAIL) return;
    this.#written.set(id, 'marked', nowMs + CONNECTION_CACHE_MS);
    const fault = { status, reason, sinceEpochSec: known.sinceEpochSec };
    await this.#attempt(() => this.#deps.callFaults.mark(connection, fault));
  }

  async #attempt(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#deps.logger.warn('the health of a connection could not be noted', {
        outcome: error instanceof Error ? error.name : 'unknown',
      });
    }
  }
}
