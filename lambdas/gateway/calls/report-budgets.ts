import { BoundedCache } from '../core/bounded-cache.ts';
import type { BudgetHolder, BudgetName } from '../core/budget.ts';
import { type CallSubject, callSubjectKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES, DAY_WINDOW_SEC, TTL_GRACE_SEC } from '../core/limits.ts';
import type { Clock, Logger, Random } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import type { ThresholdReporter } from './ports.ts';
import { reachedThresholds } from './threshold.rules.ts';

export interface ReportBudgetsDependencies {
  readonly thresholds: ThresholdReporter;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A day's budget and its limit. */
export interface DayOfBudget {
  readonly accountId: string;
  readonly holder: BudgetHolder;
  readonly name: BudgetName;
  readonly subject: CallSubject;
  readonly most: number;
  /** What happens to calls that no longer fit. */
  readonly whenSpent: 'observe' | 'warn' | 'stop';
  /** Of which day, epoch milliseconds of a moment in it. */
  readonly atMs: number;
}

/**
 * Reports when 50, 80 and 100 % of a day's budget are used, each once: the first process to notice writes the mark and the event
 * in one transaction, and a process that finds the mark reports nothing.
 */
export class BudgetReporter {
  readonly #deps: ReportBudgetsDependencies;
  /** The largest share known to be reported, by budget and day. */
  readonly #reported = new BoundedCache<number>(CACHE_MAX_ENTRIES);

  constructor(deps: ReportBudgetsDependencies) {
    this.#deps = deps;
  }

  /** Takes the total use of all processes. Returns the report to await; undefined where there is none. Never rejects. */
  used(of: DayOfBudget, used: number, requestId: string): Promise<void> | undefined {
    const id = `${of.holder}.${of.name} ${callSubjectKey(of.subject)} ${Math.floor(of.atMs / DAY_MS)}`;
    const reported = this.#reported.get(id, of.atMs) ?? 0;
    const reached = reachedThresholds(used, of.most).filter((percent) => percent > reported);
    return reached.length === 0 ? undefined : this.#report(of, used, reached, id, requestId);
  }

  async #report(
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
        await thresholds.report({ accountId, what, day, percent, goneAfterEpochSec }, event);
        this.#reported.set(id, percent, endMs);
      }
    } catch (error) {
      // The next report tries again.
      const outcome = error instanceof Error ? error.name : 'unknown';
      logger.warn('the use of a budget could not be reported', { outcome });
    }
  }
}

const DAY_MS = DAY_WINDOW_SEC * 1000;
