import { BoundedCache } from '../core/bounded-cache.ts';
import type { CallLogMode } from '../core/contract.ts';
import { type ConnectionRef, connectionRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, CALL_LOG_COUNTED_BY, CALL_LOG_ROWS_PER_DAY } from '../core/limits.ts';
import type { Logger, Metrics } from '../core/ports.ts';
import { type CallRecord, rowWeight } from './call-record.rules.ts';
import type { CallLogWriter } from './ports.ts';

export interface CallRowsDependencies {
  readonly callLog: CallLogWriter;
  readonly callLogMode: CallLogMode;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const DAY_MS = 24 * 3600 * 1000;

/** Calls of a connection and day that were to leave a row. */
interface RowCount {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** In every process, as of this one's last report. */
  reported: number;
  /** In this process since then. */
  fresh: number;
  /** Of this process, past the daily maximum of rows. */
  beyond: number;
}

/** Adds the rows of a process's calls to the call log, each in the background and after the last byte. */
export class CallRows {
  readonly #deps: CallRowsDependencies;
  readonly #counts = new BoundedCache<RowCount>(CACHE_MAX_ENTRIES);

  constructor(deps: CallRowsDependencies) {
    this.#deps = deps;
  }

  /**
   * Writes the row of a call that has ended. Returns the work to await before the function ends; undefined without any. Never
   * rejects: a row that cannot be written is counted and lost (CL-12).
   *
   * @param recordOf the row, less how many calls it stands for
   */
  ended(
    ref: ConnectionRef,
    endedAtMs: number,
    requestId: string,
    recordOf: () => Promise<Omit<CallRecord, 'standsFor'>>,
  ): Promise<void> | undefined {
    const count = this.#countOf(ref, endedAtMs);
    const standsFor = rowWeight(count.reported + count.fresh, count.beyond);
    if (count.reported + count.fresh >= CALL_LOG_ROWS_PER_DAY) count.beyond++;
    count.fresh++;
    const writes: Promise<void>[] = [];
    if (standsFor > 0) writes.push(this.#write(recordOf, standsFor));
    if (count.fresh >= CALL_LOG_COUNTED_BY) writes.push(this.#report(ref, count));
    return writes.length === 0 ? undefined : this.#guarded(requestId, writes);
  }

  async #write(recordOf: () => Promise<Omit<CallRecord, 'standsFor'>>, standsFor: number): Promise<void> {
    await this.#deps.callLog.write({ ...(await recordOf()), standsFor });
  }

  /** Calls whose report fails count in this process only. */
  async #report(ref: ConnectionRef, count: RowCount): Promise<void> {
    const calls = count.fresh;
    count.reported += calls;
    count.fresh = 0;
    const known = await this.#deps.callLog.count(ref, count.day, calls);
    count.reported = Math.max(count.reported, known);
  }

  async #guarded(requestId: string, writes: readonly Promise<void>[]): Promise<void> {
    const { metrics, logger } = this.#deps;
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') return;
    metrics.count('CallLogFailed');
    logger.warn('a call could not be logged', {
      requestId,
      outcome: failed.reason instanceof Error ? failed.reason.name : 'unknown',
    });
  }

  #countOf(ref: ConnectionRef, nowMs: number): RowCount {
    const id = connectionRefKey(ref);
    const day = Math.floor(nowMs / DAY_MS);
    const known = this.#counts.get(id, nowMs);
    if (known?.day === day) return known;
    const count: RowCount = { day, reported: 0, fresh: 0, beyond: 0 };
    this.#counts.set(id, count, (day + 1) * DAY_MS);
    return count;
  }
}
