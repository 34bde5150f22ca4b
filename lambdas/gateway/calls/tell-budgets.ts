import { BoundedCache } from '../core/bounded-cache.ts';
import type { BudgetHolder, BudgetName } from '../core/budget.ts';
import { type CallSubject, callSubjectKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, DAY_WINDOW_SEC, TTL_GRACE_SEC } from '../core/limits.ts';
import type { Clock, Logger, Random } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import type { ThresholdTeller } from './ports.ts';
import { reachedThresholds } from './threshold.rules.ts';

export interface TellBudgetsDependencies {
  readonly thresholds: ThresholdTeller;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A day's budget whose use is known. */
export interface DayOfBudget {
  readonly accountId: string;
  readonly holder: BudgetHolder;
  readonly name: BudgetName;
  readonly subject: CallSubject;
  readonly most: number;
  /** What becomes of calls that no longer fit. */
  readonly whenSpent: 'observe' | 'warn' | 'stop';
  /** Of which day, epoch milliseconds of a moment in it. */
  readonly atMs: number;
}

/**
 * Shows when 50, 80 and 100 % of a day's budget are used, each once: the first process that learns of it writes the mark and the event
 * together, and a process that finds the mark says nothing.
 */
export class BudgetTeller {
  readonly #deps: TellBudgetsDependencies;
  /** The largest share that is known to be told, by budget and day. */
  readonly #told = new BoundedCache<number>(CACHE_MAX_ENTRIES);

  constructor(deps: TellBudgetsDependencies) {
    this.#deps = deps;
  }

  /** So much is used by all processes. What to wait for; undefined where nothing is to be told. Never rejects. */
  used(of: DayOfBudget, used: number, requestId: string): Promise<void> | undefined {
    const id = `${of.holder}.${of.name} ${callSubjectKey(of.subject)} ${Math.floor(of.atMs / DAY_MS)}`;
    const told = this.#told.get(id, of.atMs) ?? 0;
    const reached = reachedThresholds(used, of.most).filter((percent) => percent > told);
    return reached.length === 0 ? undefined : this.#tell(of, used, reached, id, requestId);
  }

  async #tell(
    of: DayOfBudget,
    used: number,
    reached: ReturnType<typeof reachedThresholds>,
    id: string,
    requestId: string,
  ): Promise<void> {
    const { thresholds, clock, random, logger } = this.#deps;
    const { accountId, holder, name, subject, most, whenSpent, atMs } = of;
    const endMs = (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
    const day = new Date(atMs).toISOString().slice(0, 10);
    const what = JSON.stringify(['budget', holder, name, callSubjectKey(subject)]);
    const about = 'ref' in subject ? subject.ref : 'integration' in subject ? subject.integration : { accountId };
    try {
      for (const percent of reached) {
        const event = newEvent(clock, random, 'BudgetReached', {
          subject: about,
          sequence: 0,
          says: {
            ...('keyHash' in subject ? { key_id: subject.keyHash.slice(0, 12) } : {}),
            budget: `${holder}.${name}`,
            percent: String(percent),
            used: String(used),
            most: String(most),
            when_spent: whenSpent,
            day,
            resets_at: new Date(endMs).toISOString(),
          },
          requestId,
        });
        const goneAfterEpochSec = Math.floor(endMs / 1000) + TTL_GRACE_SEC;
        await thresholds.tell({ accountId, what, day, percent, goneAfterEpochSec }, event);
        this.#told.set(id, percent, endMs);
      }
    } catch (error) {
      // The next report tries again.
      const outcome = error instanceof Error ? error.name : 'unknown';
      logger.warn('that a budget is used up could not be told', { outcome });
    }
  }
}

const DAY_MS = DAY_WINDOW_SEC * 1000;
