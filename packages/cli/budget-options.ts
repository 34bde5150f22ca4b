import type { Command } from 'commander';
import type { Budget } from '../client/src/management/budget.ts';
import { given, wholeNumber } from './options.ts';
import { CommandProblem } from './problems.ts';

/** Options of `budget` commands. */
export interface BudgetOptions {
  readonly callsPerMinute?: number;
  readonly unitsPerMinute?: number;
  readonly bytesPerMinute?: number;
  readonly callsPerDay?: number;
  readonly unitsPerDay?: number;
  readonly bytesPerDay?: number;
  readonly stop?: boolean;
  readonly none?: boolean;
}

/** The options for the budget of an integration or connection. */
export function budgetOptions(command: Command): Command {
  return command
    .option('--calls-per-minute <number>', 'requests to the provider in a minute', wholeNumber)
    .option('--units-per-minute <number>', 'units of the provider’s quotas in a minute', wholeNumber)
    .option('--bytes-per-minute <number>', 'bytes of answers in a minute', wholeNumber)
    .option('--calls-per-day <number>', 'requests to the provider in a day, UTC', wholeNumber)
    .option('--units-per-day <number>', 'units of the provider’s quotas in a day, UTC', wholeNumber)
    .option('--bytes-per-day <number>', 'bytes of answers in a day, UTC', wholeNumber)
    .option('--stop', 'refuse calls once a day’s budget is used up, until midnight UTC; if left out, only send events')
    .option('--none', 'take the budget away');
}

/** The budget that options name; null to take it away. @throws CommandProblem */
export function budgetOf(options: BudgetOptions): Budget | null {
  const amounts = (calls?: number, units?: number, bytes?: number) => {
    const most = given({ calls, units, bytes });
    return Object.keys(most).length === 0 ? undefined : most;
  };
  const minute = amounts(options.callsPerMinute, options.unitsPerMinute, options.bytesPerMinute);
  const day = amounts(options.callsPerDay, options.unitsPerDay, options.bytesPerDay);
  const isNamed = minute !== undefined || day !== undefined;
  if (options.none === true) {
    if (isNamed || options.stop === true) throw new CommandProblem('Name a budget or --none, not both.');
    return null;
  }
  if (!isNamed) throw new CommandProblem('Say how much, such as --units-per-day 5000, or --none for no budget.');
  return { ...given({ minute, day }), whenSpent: options.stop === true ? 'stop' : 'warn' };
}

/** A budget for people. */
export function budgetInWords(budget: Budget | undefined): string {
  if (budget === undefined) return 'not limited';
  const periods = (['minute', 'day'] as const).flatMap((period) =>
    Object.entries(budget[period] ?? {}).map(([kind, most]) => `${most} ${kind} a ${period}`),
  );
  return budget.day === undefined
    ? periods.join(', ')
    : `${periods.join(', ')}; ${budget.whenSpent} when the day’s is used up`;
}
