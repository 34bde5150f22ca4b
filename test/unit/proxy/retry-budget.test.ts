import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RETRIES_MAX, RETRY_BUDGET_REPEATS } from '../../../lambdas/gateway/core/limits.ts';
import {
  earnRetry,
  fullRetryBudget,
  type RetryBudget,
  retryBudgets,
  spendRetry,
} from '../../../lambdas/gateway/forwarding/retries.ts';

/** Calls in their order: each with how many repeats it asks for. */
const calls = fc.array(fc.nat({ max: RETRIES_MAX }), { minLength: 1, maxLength: 400 });

/** Repeats each call got. */
function repeatsOf(asked: readonly number[], budget = fullRetryBudget()): number[] {
  return asked.map((most) => {
    earnRetry(budget);
    let got = 0;
    while (got < most && spendRetry(budget)) got++;
    return got;
  });
}

function drain(budget: RetryBudget): number {
  let taken = 0;
  while (spendRetry(budget)) taken++;
  return taken;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('the retry budget of a process (I11, F31)', () => {
  it('repeats in no run of calls, wherever it begins and ends, more than 20 % of them beyond the start', () => {
    fc.assert(
      fc.property(calls, fc.nat(), fc.nat(), (asked, one, other) => {
        const got = repeatsOf(asked);
        const [from = 0, to = 0] = [one % asked.length, other % asked.length].toSorted((a, b) => a - b);
        const run = got.slice(from, to + 1);
        expect(sum(run)).toBeLessThanOrEqual(RETRY_BUDGET_REPEATS + run.length / 5);
      }),
    );
  });

  it('holds nobody back while at most 20 % of the calls is repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 1), { maxLength: 100 }), (asked) => {
        const spaced = asked.flatMap((repeats) => [repeats, 0, 0, 0, 0]);
        expect(repeatsOf(spaced)).toEqual(spaced);
      }),
    );
  });

  it('lets exactly every fifth of endlessly failing calls repeat once the start is used up', () => {
    const budget = fullRetryBudget();
    drain(budget);
    expect(sum(repeatsOf(Array(1000).fill(RETRIES_MAX), budget))).toBe(200);
  });

  it('gives two calls all they may ask for, however they are interleaved', () => {
    const budget = fullRetryBudget();
    expect(drain(budget)).toBe(2 * RETRIES_MAX);
  });

  it('never saves up more than its start, however many calls went well', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5_000 }), (fine) => {
        const budget = fullRetryBudget();
        for (let i = 0; i < fine; i++) earnRetry(budget);
        expect(drain(budget)).toBe(RETRY_BUDGET_REPEATS);
      }),
      { numRuns: 20 },
    );
  });

  it('the retry budget of a process is whole again after fifty calls that went well', () => {
    const budget = fullRetryBudget();
    drain(budget);
    repeatsOf(Array(50).fill(0), budget);
    expect(drain(budget)).toBe(RETRY_BUDGET_REPEATS);
  });

  it('the retry budget of a process is one for each provider', () => {
    const budgetOf = retryBudgets();
    expect(drain(budgetOf('google-drive'))).toBe(RETRY_BUDGET_REPEATS);
    expect(spendRetry(budgetOf('google-drive'))).toBe(false);
    expect(spendRetry(budgetOf('google-calendar'))).toBe(true);
  });
});
