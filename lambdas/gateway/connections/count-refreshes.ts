import type { IntegrationRef } from '../core/identifiers.ts';
import { REFRESHES_REPORT_AFTER_MS } from '../core/limits.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import type { ChangeCounts, RefreshResult } from './change-counts.rules.ts';
import type { ChangeCountWriter } from './ports.ts';

export interface RefreshCounterDependencies {
  readonly writer: ChangeCountWriter;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Counts outcomes of refreshes by day and integration in the background: collected in memory and written every ten seconds. Other
 * changes of connections are counted in the transaction that makes them.
 */
export class RefreshCounter {
  readonly #deps: RefreshCounterDependencies;
  #collected = new Map<
    string,
    { readonly ref: IntegrationRef; readonly day: string; readonly counts: Record<string, number> }
  >();
  #reportNotBeforeMs = 0;

  constructor(deps: RefreshCounterDependencies) {
    this.#deps = deps;
  }

  /** Counts the end of an attempt to refresh. Never rejects. */
  async refreshed(ref: IntegrationRef, result: RefreshResult): Promise<void> {
    const day = this.#today();
    const id = JSON.stringify([ref.accountId, ref.integrationId, day]);
    const known = this.#collected.get(id) ?? { ref: refOf(ref), day, counts: {} };
    const name = `refresh.${result}`;
    known.counts[name] = (known.counts[name] ?? 0) + 1;
    this.#collected.set(id, known);
    if (this.#deps.clock.nowMs() >= this.#reportNotBeforeMs) await this.flush();
  }

  /** Writes the collected counts. Never rejects. */
  async flush(): Promise<void> {
    const all = [...this.#collected.values()];
    this.#collected = new Map();
    this.#reportNotBeforeMs = this.#deps.clock.nowMs() + REFRESHES_REPORT_AFTER_MS;
    await Promise.all(all.map(({ ref, day, counts }) => this.#write(ref, day, counts)));
  }

  #today(): string {
    return new Date(this.#deps.clock.nowMs()).toISOString().slice(0, 10);
  }

  async #write(ref: IntegrationRef, day: string, counts: ChangeCounts): Promise<void> {
    try {
      await this.#deps.writer.add(ref, day, counts);
    } catch (error) {
      // Not repeated, because the table may have counted it already.
      this.#deps.metrics.count('UsageNotCounted');
      this.#deps.logger.warn('refreshes could not be counted', {
        outcome: error instanceof Error ? error.name : 'unknown',
      });
    }
  }
}

function refOf({ accountId, integrationId }: IntegrationRef): IntegrationRef {
  return { accountId, integrationId };
}
