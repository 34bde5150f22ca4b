import type { Connection } from '../gateway/connections/connection.rules.ts';
import { refusesConnection } from '../gateway/connections/health.rules.ts';
import type { CallFaultStore } from '../gateway/connections/ports.ts';
import { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { connectionRefKey } from '../gateway/core/identifiers.ts';
import { CACHE_MAX_ENTRIES, CONNECTION_CACHE_MS, REFUSALS_TO_FAIL } from '../gateway/core/limits.ts';
import type { Clock, Logger } from '../gateway/core/ports.ts';
import type { CallNotes } from './call-notes.ts';
import { reasonInBody } from './retries.ts';

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
 * Watches the calls of a process: after three in a row that the provider refused for the connection's sake the row says so,
 * until a call succeeds. Nothing is written while calls succeed.
 */
export class CallHealth {
  readonly #deps: CallHealthDependencies;
  readonly #refusals = new BoundedCache<Refusals>(CACHE_MAX_ENTRIES);
  /** What this process last wrote of a connection, while the row it remembers may still say otherwise. */
  readonly #written = new BoundedCache<'marked' | 'cleared'>(CACHE_MAX_ENTRIES);

  constructor(deps: CallHealthDependencies) {
    this.#deps = deps;
  }

  /** A call is over. What must have ended before its function does; undefined when that is nothing. Never rejects. */
  ended(notes: CallNotes, status: number): Promise<void> | undefined {
    if (notes.caller === undefined || notes.gatewayCode !== undefined) return undefined;
    const { connection } = notes.caller.live;
    if (status < 400) return this.#worked(connection);
    return status === 401 || status === 403 ? this.#refused(notes, connection, status) : undefined;
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

  async #refused({ failure }: CallNotes, connection: Connection, status: number): Promise<void> {
    const reason =
      failure === undefined ? undefined : await reasonInBody(Buffer.concat(failure.chunks), failure.headers);
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
