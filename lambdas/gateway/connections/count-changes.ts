import type { IntegrationRef } from '../core/identifiers.ts';
import { USAGE_REPORT_AFTER_MS } from '../core/limits.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import type { ConnectionUpkeep } from '../tokens/ports.ts';
import { addChanges, type ChangeCounts, type RefreshResult } from './change-counts.rules.ts';
import type { Connection } from './connection.rules.ts';
import type { ChangeCountWriter, ConnectionStore } from './ports.ts';

export interface ChangeCounterDependencies {
  readonly writer: ChangeCountWriter;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Counts what becomes of connections by day and integration, beside the writes themselves: a change that is not counted is made
 * all the same. Refreshes are collected in memory and told every ten seconds; everything else, which is rare, at once.
 */
export class ChangeCounter {
  readonly #deps: ChangeCounterDependencies;
  #collected = new Map<string, { readonly ref: IntegrationRef; readonly day: string; counts: ChangeCounts }>();
  #tellNotBeforeMs = 0;

  constructor(deps: ChangeCounterDependencies) {
    this.#deps = deps;
  }

  /** Counts one change. Never rejects. */
  async changed(ref: IntegrationRef, name: string): Promise<void> {
    await this.#tell(refOf(ref), this.#today(), { [name]: 1 });
  }

  /** Counts the end of an attempt to refresh. Never rejects. */
  async refreshed(ref: IntegrationRef, result: RefreshResult): Promise<void> {
    const day = this.#today();
    const id = JSON.stringify([ref.accountId, ref.integrationId, day]);
    const known = this.#collected.get(id) ?? { ref: refOf(ref), day, counts: {} };
    known.counts = addChanges(known.counts, { [`refresh.${result}`]: 1 });
    this.#collected.set(id, known);
    if (this.#deps.clock.nowMs() >= this.#tellNotBeforeMs) await this.flush();
  }

  /** Tells what was collected. Never rejects. */
  async flush(): Promise<void> {
    const all = [...this.#collected.values()];
    this.#collected = new Map();
    this.#tellNotBeforeMs = this.#deps.clock.nowMs() + USAGE_REPORT_AFTER_MS;
    await Promise.all(all.map(({ ref, day, counts }) => this.#tell(ref, day, counts)));
  }

  #today(): string {
    return new Date(this.#deps.clock.nowMs()).toISOString().slice(0, 10);
  }

  async #tell(ref: IntegrationRef, day: string, counts: ChangeCounts): Promise<void> {
    try {
      await this.#deps.writer.add(ref, day, counts);
    } catch (error) {
      // Not told again: the table may have counted it all the same.
      this.#deps.metrics.count('UsageNotCounted');
      this.#deps.logger.warn('a change of connections could not be counted', {
        outcome: error instanceof Error ? error.name : 'unknown',
      });
    }
  }
}

function refOf({ accountId, integrationId }: IntegrationRef): IntegrationRef {
  return { accountId, integrationId };
}

type Changed = Pick<ChangeCounter, 'changed'>;

/** A store of connections whose changes are counted once they are made. */
export function countedConnections(store: ConnectionStore, counter: Changed): ConnectionStore {
  return {
    ...store,
    async saveAuthorized(connection, replacing, events, session) {
      const saved = await store.saveAuthorized(connection, replacing, events, session);
      if (saved === 'saved') await countSaved(counter, connection, replacing);
      return saved;
    },
    async save(connection, replacing, event) {
      const saved = await store.save(connection, replacing, event);
      if (saved) await countSaved(counter, connection, replacing);
      return saved;
    },
    async markDead(connection, lease, death, event) {
      const marked = await store.markDead(connection, lease, death, event);
      if (marked) await counter.changed(connection, `died.${death.cause}`);
      return marked;
    },
    async delete(connection, event, revocation) {
      const deleted = await store.delete(connection, event, revocation);
      if (deleted) await counter.changed(connection, `deleted.${connection.death?.cause ?? 'active'}`);
      return deleted;
    },
  };
}

/** The same of what the schedule and recoveries write. */
export function countedUpkeep(upkeep: ConnectionUpkeep, counter: Changed): ConnectionUpkeep {
  return {
    ...upkeep,
    async storeWithEvents(connection, lease, tokens, events) {
      const stored = await upkeep.storeWithEvents(connection, lease, tokens, events);
      if (stored && connection.death !== undefined)
        await counter.changed(connection, `mended.${connection.death.cause}`);
      return stored;
    },
  };
}

async function countSaved(counter: Changed, connection: Connection, replacing: Connection | undefined) {
  if (replacing === undefined || replacing.status === 'deleted') await counter.changed(connection, 'created');
  else if (replacing.death !== undefined) await counter.changed(connection, `mended.${replacing.death.cause}`);
}
