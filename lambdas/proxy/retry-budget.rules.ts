import { RETRY_BUDGET_REPEATS, RETRY_BUDGET_SHARE } from '../gateway/core/limits.ts';
import type { ProviderId } from '../gateway/providers/provider.rules.ts';

/** What is left for repeats, in parts of which a first attempt earns one. Whole numbers: a sum of fifths would drift. */
export interface RetryBudget {
  left: number;
}

/** Price of one repeat, in parts. */
const REPEAT_PARTS = Math.round(1 / RETRY_BUDGET_SHARE);
const MOST_PARTS = RETRY_BUDGET_REPEATS * REPEAT_PARTS;

/** The budget a process starts with; it never holds more. */
export function fullRetryBudget(): RetryBudget {
  return { left: MOST_PARTS };
}

/** Counts a first attempt. */
export function earnRetry(budget: RetryBudget): void {
  budget.left = Math.min(MOST_PARTS, budget.left + 1);
}

/**
 * Takes one repeat, if there is one. Of any run of calls at most a fifth is repeated, beyond the start: a provider that fails
 * is not asked six times as often by callers who all ask for five repeats (I11). No clock takes part, so none can fill it.
 */
export function spendRetry(budget: RetryBudget): boolean {
  if (budget.left < REPEAT_PARTS) return false;
  budget.left -= REPEAT_PARTS;
  return true;
}

/** One budget for each provider, so that the trouble of one takes no repeats from another (F31). */
export function retryBudgets(): (provider: ProviderId) => RetryBudget {
  const budgets = new Map<ProviderId, RetryBudget>();
  return (provider) => {
    const known = budgets.get(provider) ?? fullRetryBudget();
    budgets.set(provider, known);
    return known;
  };
}
