import { epochSecNow } from '../core/clock.ts';
import { TICK_NOTE_INTERVAL_MS, TICK_SILENCE_SEC } from '../core/limits.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import type { DueIndex, SliceLeases, SliceName, SweepName, TickBoard } from './ports.ts';

export interface SweepSliceDependencies {
  readonly leases: SliceLeases;
  readonly dueIndex: DueIndex;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** After this the slice of a run that died is free. */
  readonly sliceLeaseMs: number;
}

/** Parameters of a run. */
export interface SliceRun {
  /** Shards of the slice in which something is, or may be, due. */
  readonly shards: readonly number[];
  /** Partitions of the due index in which something was due when the run began; undefined where unknown. */
  readonly due?: ReadonlySet<number> | undefined;
  /** Concurrent runs, each on its slice. */
  readonly count: number;
  /** False once another run may have the slice: then this one starts nothing more. */
  isHeld(): boolean;
}

/** A slice, and where its work is. */
export interface SlicedWork extends SliceName {
  readonly shards: readonly number[];
  /** Partitions of the due index that belong to a shard, one of each kind of work. */
  readonly partitionsOf: (shard: number) => readonly number[];
}

/**
 * Runs the work of one tick unless another run is at it. The schedule starts a run every minute, which may last five: without this, a
 * backlog would occupy five executions per slice, and an account with ten would have none left for callers (ST-28).
 *
 * A tick with nothing due takes no lease and costs one read, where the index is small. The lease only separates runs: writes
 * are fenced by the epochs of connections and feeds, so a run that lost its slice does no harm.
 *
 * @param requestId of the invocation; it names the run
 * @returns undefined when another run holds the slice
 */
export async function sweepSlice<T>(
  deps: SweepSliceDependencies,
  work: SlicedWork,
  requestId: string,
  run: (slice: SliceRun) => Promise<T>,
): Promise<T | undefined> {
  const { count } = work;
  const { shards, due } = await whatIsDue(deps, work, requestId);
  if (shards.length === 0) return run({ shards, due, count, isHeld: () => true });
  const lease = new RunningLease(deps, work, requestId);
  if (!(await lease.take())) {
    deps.metrics.count('SweepSkipped', { sweeper: work.sweeper });
    return undefined;
  }
  try {
    return await run({ shards, due, count, isHeld: () => lease.isHeld() });
  } finally {
    await lease.release();
  }
}

/** The shards to sweep, and their due partitions. Many slices mean many connections, of which one read would show only a part. */
async function whatIsDue(
  { dueIndex, clock, logger }: SweepSliceDependencies,
  { count, shards, partitionsOf }: SlicedWork,
  requestId: string,
): Promise<Pick<SliceRun, 'shards' | 'due'>> {
  if (count > 1) return { shards };
  const partitions = shards.flatMap((shard) => partitionsOf(shard));
  try {
    const due = await dueIndex.duePartitions(Math.min(...partitions), Math.max(...partitions), epochSecNow(clock));
    if (due !== undefined)
      return { shards: shards.filter((shard) => partitionsOf(shard).some((one) => due.has(one))), due };
  } catch (error) {
    logger.warn('the due index could not be read at once; each of its shards is asked', {
      requestId,
      cause: error instanceof Error ? error.name : 'unknown',
    });
  }
  return { shards };
}

/** A run's lease of its slice, renewed after each third of its time. */
class RunningLease {
  readonly #deps: SweepSliceDependencies;
  readonly #slice: SliceName;
  readonly #requestId: string;
  #heldUntilMs = 0;
  #renewing: Promise<void> | undefined;
  #isLost = false;

  constructor(deps: SweepSliceDependencies, slice: SliceName, requestId: string) {
    this.#deps = deps;
    this.#slice = slice;
    this.#requestId = requestId;
  }

  /** @returns false when another run has it; a lease that cannot be requested does not prevent work */
  async take(): Promise<boolean> {
    try {
      return await this.#takeOrKeep();
    } catch (error) {
      this.#deps.logger.error('a slice could not be leased; it is swept anyway', this.#fields(), error);
      this.#heldUntilMs = Number.POSITIVE_INFINITY;
      return true;
    }
  }

  isHeld(): boolean {
    const { clock, sliceLeaseMs } = this.#deps;
    const leftMs = this.#heldUntilMs - clock.nowMs();
    if (leftMs < (2 * sliceLeaseMs) / 3 && !this.#isLost) this.#renew();
    return !this.#isLost && leftMs > 0;
  }

  async release(): Promise<void> {
    await this.#renewing;
    if (this.#isLost) return;
    try {
      await this.#deps.leases.release(this.#slice, this.#requestId);
    } catch (error) {
      this.#deps.logger.warn('a slice could not be given back; its lease runs out', {
        ...this.#fields(),
        cause: error instanceof Error ? error.name : 'unknown',
      });
    }
  }

  async #takeOrKeep(): Promise<boolean> {
    const { leases, clock, sliceLeaseMs } = this.#deps;
    const nowMs = clock.nowMs();
    const taken = await leases.take(this.#slice, this.#requestId, nowMs, sliceLeaseMs);
    // Measured before the request, whose duration does not extend the lease.
    if (taken) this.#heldUntilMs = nowMs + sliceLeaseMs;
    return taken;
  }

  #renew(): void {
    this.#renewing ??= this.#takeOrKeep()
      .then(
        (kept) => {
          this.#isLost = !kept;
        },
        (error: unknown) => this.#deps.logger.error('the lease of a slice could not be renewed', this.#fields(), error),
      )
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  #fields() {
    return { requestId: this.#requestId, outcome: this.#slice.sweeper };
  }
}

/**
 * Sweeps watch each other. CloudWatch counts invocations, which does not show runs without an end, and hides a stopped schedule behind
 * other invocations of the same function. So each sweep records in the table when it ended, and checks whether all others still do: the
 * remaining sweeps report a missing one (ST-23).
 */

export interface TickWatchDependencies {
  readonly board: TickBoard;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Records the sweeps of one process, every few minutes, and counts others' sweeps that are missing. */
export class TickWatch {
  readonly #deps: TickWatchDependencies;
  readonly #notedAtMs = new Map<number, number>();

  constructor(deps: TickWatchDependencies) {
    this.#deps = deps;
  }

  /** Records that a sweep has ended. A failure is logged, and the next sweep records again. */
  async ended(done: SweepName, requestId: string): Promise<void> {
    const { board, clock, metrics, logger } = this.#deps;
    const nowMs = clock.nowMs();
    const index = done.slice?.index ?? 0;
    // A clock that was set back must not stop the records.
    const sinceMs = Math.abs(nowMs - (this.#notedAtMs.get(index) ?? Number.NEGATIVE_INFINITY));
    if (sinceMs < TICK_NOTE_INTERVAL_MS) return;
    try {
      const now = Math.floor(nowMs / 1000);
      const ends = await board.note(done, now);
      this.#notedAtMs.set(index, nowMs);
      const silent = ends.filter(({ endedAtEpochSec }) => now - endedAtEpochSec > TICK_SILENCE_SEC);
      for (const sweep of new Set(silent.map((end) => end.sweep))) {
        metrics.count('TickMissing', { sweep });
        logger.error('a sweep has not ended for a quarter of an hour', { requestId, cause: sweep });
      }
    } catch (error) {
      logger.error('the end of a sweep could not be noted', { requestId }, error);
    }
  }
}
