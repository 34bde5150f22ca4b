import type { Connection } from '../domain/connection.ts';
import type { ConnectionRef, IntegrationRef } from '../domain/identifiers.ts';
import { integrationRefKey } from '../domain/identifiers.ts';
import type { Integration } from '../domain/integration.ts';
import { SWEEP_CONCURRENCY, SWEEP_PAGE_SIZE, SWEEP_RESERVE_MS } from '../domain/limits.ts';
import { type Slice, shardsOf } from '../domain/slice.ts';
import { refreshBackoffSec } from '../domain/token-freshness.ts';
import type { Clock, ConnectionStore, IntegrationStore, Logger, Metrics, Random } from '../ports.ts';
import type { ConnectionRefresher, RefreshOutcome } from './refresh-connection.ts';

export interface SweepDependencies {
  readonly connections: ConnectionStore;
  readonly integrations: IntegrationStore;
  readonly refresher: ConnectionRefresher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** What one run did. */
export interface SweepReport {
  readonly refreshed: number;
  readonly dead: number;
  readonly putOff: number;
  readonly skipped: number;
  readonly failed: number;
  /** False when time ran out before the index was empty: the next tick goes on. */
  readonly finished: boolean;
}

/** After this many token endpoint failures in a row the provider is given a rest until the next tick. */
const BRAKE_AFTER_FAILURES = 20;

/**
 * Refreshes what is due in a slice of the index. The index is the queue: an entry leaves it by its work being done or put
 * off, so a run that dies loses nothing and one bad row never stops the rest (F83 to F88).
 *
 * @param deadlineMs wall-clock end of the function
 */
export async function refreshDueConnections(
  deps: SweepDependencies,
  slice: Slice,
  deadlineMs: number,
  requestId: string,
): Promise<SweepReport> {
  const run = new Sweep(deps, deadlineMs - SWEEP_RESERVE_MS, requestId);
  const shards = shardsOf(slice);
  // Starting elsewhere each time keeps a crowded shard from always going first.
  const offset = Math.floor(deps.random.number() * shards.length);
  const order = [...shards.slice(offset), ...shards.slice(0, offset)];
  await Promise.all(
    Array.from({ length: Math.min(8, order.length) }, async () => {
      for (let shard = order.shift(); shard !== undefined && run.mayGoOn(); shard = order.shift()) {
        await run.sweepShard(shard);
      }
    }),
  );
  return run.report();
}

class Sweep {
  readonly #deps: SweepDependencies;
  readonly #stopMs: number;
  readonly #requestId: string;
  readonly #integrations = new Map<string, Promise<Integration | undefined>>();
  readonly #counts = { refreshed: 0, dead: 0, putOff: 0, skipped: 0, failed: 0 };
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #failuresInARow = 0;
  #cutShort = false;

  constructor(deps: SweepDependencies, stopMs: number, requestId: string) {
    this.#deps = deps;
    this.#stopMs = stopMs;
    this.#requestId = requestId;
  }

  mayGoOn(): boolean {
    const go = this.#deps.clock.nowMs() < this.#stopMs && this.#failuresInARow < BRAKE_AFTER_FAILURES;
    if (!go) this.#cutShort = true;
    return go;
  }

  report(): SweepReport {
    if (this.#failuresInARow >= BRAKE_AFTER_FAILURES) this.#deps.metrics.count('SweepBraked');
    return { ...this.#counts, finished: !this.#cutShort };
  }

  async sweepShard(shard: number): Promise<void> {
    const seen = new Set<string>();
    while (this.mayGoOn()) {
      const nowEpochSec = Math.floor(this.#deps.clock.nowMs() / 1000);
      const refs = await this.#deps.connections.due(shard, nowEpochSec, SWEEP_PAGE_SIZE);
      // The index may still show what was just done; a page of nothing new means this shard is done for now.
      const fresh = refs.filter((ref) => !seen.has(JSON.stringify(ref)));
      if (fresh.length === 0) return;
      for (const ref of fresh) seen.add(JSON.stringify(ref));
      await Promise.all(fresh.map((ref) => this.#limited(() => this.#one(ref))));
      if (refs.length < SWEEP_PAGE_SIZE) return;
    }
  }

  async #limited(work: () => Promise<void>): Promise<void> {
    if (this.#running >= SWEEP_CONCURRENCY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      if (this.mayGoOn()) await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #one(ref: ConnectionRef): Promise<void> {
    let connection: Connection | undefined;
    try {
      connection = await this.#deps.connections.read(ref);
      if (connection === undefined || connection.refreshAtEpochSec === undefined) {
        this.#counts.skipped++;
        return;
      }
      const nowEpochSec = Math.floor(this.#deps.clock.nowMs() / 1000);
      if (connection.status !== 'active') {
        await this.#deps.connections.reschedule(connection, undefined);
        this.#counts.skipped++;
        return;
      }
      if (connection.refreshAtEpochSec > nowEpochSec) {
        this.#counts.skipped++;
        return;
      }
      this.#deps.metrics.count('DueAgeSec', {}, nowEpochSec - connection.refreshAtEpochSec);
      const integration = await this.#integration(ref);
      if (integration === undefined) {
        await this.#deps.connections.reschedule(connection, undefined);
        this.#counts.skipped++;
        return;
      }
      const outcome = await this.#deps.refresher.refresh(connection, integration, {
        wait: false,
        force: false,
        requestId: this.#requestId,
      });
      await this.#note(outcome, connection, nowEpochSec);
    } catch (error) {
      this.#counts.failed++;
      this.#deps.metrics.count('SweepItemFailed');
      this.#deps.logger.error('a due connection could not be refreshed', { requestId: this.#requestId }, error);
      if (connection !== undefined) await this.#putOff(connection);
    }
  }

  async #note(outcome: RefreshOutcome, connection: Connection, nowEpochSec: number): Promise<void> {
    switch (outcome.kind) {
      case 'fresh':
        this.#failuresInARow = 0;
        this.#counts.refreshed++;
        return;
      case 'dead':
        this.#failuresInARow = 0;
        this.#counts.dead++;
        return;
      case 'transient':
        this.#failuresInARow++;
        this.#counts.putOff++;
        // A back-off that was there already: make the index agree with it.
        if (outcome.reason === 'refresh_backoff') {
          await this.#deps.connections.reschedule(connection, nowEpochSec + outcome.retryAfterSec);
        }
        return;
      case 'client_fault':
        this.#counts.putOff++;
        this.#integrations.delete(integrationRefKey(connection));
        await this.#deps.connections.reschedule(
          connection,
          nowEpochSec + outcome.retryAfterSec + Math.floor(this.#deps.random.number() * 60),
        );
        return;
      case 'busy':
      case 'gone':
        this.#counts.skipped++;
        return;
    }
  }

  /** A row that always fails moves on by growing waits, so that it never blocks its page (F87). */
  async #putOff(connection: Connection): Promise<void> {
    const waitSec = refreshBackoffSec(connection.failureCount + 5, undefined, this.#deps.random.number());
    try {
      await this.#deps.connections.reschedule(connection, Math.floor(this.#deps.clock.nowMs() / 1000) + waitSec);
    } catch (error) {
      this.#deps.logger.error('a failing connection could not be put off', { requestId: this.#requestId }, error);
    }
  }

  #integration(ref: IntegrationRef): Promise<Integration | undefined> {
    const key = integrationRefKey(ref);
    const known = this.#integrations.get(key);
    if (known !== undefined) return known;
    const loading = this.#deps.integrations.get(ref);
    this.#integrations.set(key, loading);
    return loading;
  }
}
