import type { ConnectionRef } from '../core/identifiers.ts';
import { USAGE_REPORT_AFTER_MS } from '../core/limits.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import type { UsageWriter } from './ports.ts';
import { addCounts, countsOf, dayOf, type EndedCall, type UsageCounts, type UsageSubject } from './usage.rules.ts';

export interface CountUsageDependencies {
  readonly usage: UsageWriter;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

interface Unreported {
  readonly accountId: string;
  readonly day: string;
  readonly subject: UsageSubject;
  counts: UsageCounts;
}

/**
 * Counts the calls of a process by day, for their integration, connection and key (CL-14). They are told to the table beside a
 * call, at its end: the first of a process at once, after that at most every ten seconds. A process that ends takes the
 * calls since its last report with it.
 */
export class UsageCount {
  readonly #deps: CountUsageDependencies;
  #unreported = new Map<string, Unreported>();
  #reportNotBeforeMs = 0;

  constructor(deps: CountUsageDependencies) {
    this.#deps = deps;
  }

  /** Counts a call that is over. What must have ended before the function does; undefined when that is nothing. Never rejects. */
  ended(ref: ConnectionRef, keyId: string, call: EndedCall): Promise<void> | undefined {
    const { accountId, integrationId, connectionId } = ref;
    const nowMs = this.#deps.clock.nowMs();
    const day = dayOf(nowMs);
    const counts = countsOf(call);
    this.#add(accountId, day, { kind: 'integration', integrationId }, counts);
    this.#add(accountId, day, { kind: 'connection', integrationId, connectionId }, counts);
    this.#add(accountId, day, { kind: 'key', keyId }, counts);
    if (nowMs < this.#reportNotBeforeMs) return undefined;
    this.#reportNotBeforeMs = nowMs + USAGE_REPORT_AFTER_MS;
    return this.#report();
  }

  #add(accountId: string, day: string, subject: UsageSubject, counts: UsageCounts): void {
    const id = JSON.stringify([accountId, day, subject]);
    const known = this.#unreported.get(id);
    if (known === undefined) this.#unreported.set(id, { accountId, day, subject, counts });
    else known.counts = addCounts(known.counts, counts);
  }

  async #report(): Promise<void> {
    const { usage, metrics, logger } = this.#deps;
    const all = [...this.#unreported.values()];
    this.#unreported = new Map();
    const told = await Promise.allSettled(
      all.map(({ accountId, day, subject, counts }) => usage.add(accountId, day, subject, counts)),
    );
    // Not told again: the table may have counted them all the same.
    const lost = told.filter(({ status }) => status === 'rejected').length;
    if (lost === 0) return;
    metrics.count('UsageNotCounted');
    logger.warn('usage could not be counted', { count: lost });
  }
}
