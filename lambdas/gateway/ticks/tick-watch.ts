/**
 * Sweeps watch each other. CloudWatch counts how often a function is called, which says nothing of calls that come to no end, and
 * hides a schedule that stopped behind other calls of the same function. So each sweep notes in the table when it ended, and whoever
 * notes looks whether all others still do: a silence is told by those who are not silent (ST-23).
 */
import { TICK_NOTE_INTERVAL_MS, TICK_SILENCE_SEC } from '../core/limits.ts';
import type { Clock, Logger, Metrics } from '../core/ports.ts';
import type { SweepName, TickBoard } from './ports.ts';

export interface TickWatchDependencies {
  readonly board: TickBoard;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Notes the sweeps of one process, every few minutes, and counts those of others that have not ended for long. */
export class TickWatch {
  readonly #deps: TickWatchDependencies;
  readonly #notedAtMs = new Map<number, number>();

  constructor(deps: TickWatchDependencies) {
    this.#deps = deps;
  }

  /** A sweep has come to its end. Nothing depends on the note: a failure is logged, and the next sweep notes again. */
  async ended(done: SweepName, requestId: string): Promise<void> {
    const { board, clock, metrics, logger } = this.#deps;
    const nowMs = clock.nowMs();
    const index = done.slice?.index ?? 0;
    // A clock that was set back must not silence the notes.
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
