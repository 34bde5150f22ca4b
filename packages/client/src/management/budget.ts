import { fieldsOf, number, optionalFields, text, type Unread } from '../http/fields.ts';
import type { KeyBudget } from './secret-key-types.ts';
import type * as wire from './wire.ts';

/** Shared budget of the proxied calls of an integration or a connection. */
export interface Budget {
  readonly minute?: KeyBudget;
  /** From midnight to midnight, UTC. */
  readonly day?: KeyBudget;
  /**
   * Once a day's budget is used up: `warn` sends events and lets calls pass, `stop` refuses them until midnight UTC. A minute's budget always
   * refuses.
   *
   * @default 'warn'
   */
  readonly whenSpent?: 'warn' | 'stop';
}

/** Amounts of a budget as an answer has them. @throws UnexpectedAnswerError */
export function readAmounts(fields: Unread<wire.KeyBudget>): KeyBudget {
  return {
    ...(fields.calls === undefined ? {} : { calls: number(fields, 'calls') }),
    ...(fields.units === undefined ? {} : { units: number(fields, 'units') }),
    ...(fields.bytes === undefined ? {} : { bytes: number(fields, 'bytes') }),
  };
}

/** The budget of an integration or connection; undefined where it has none. @throws UnexpectedAnswerError */
export function readBudget(owner: Unread<{ readonly budget: wire.Budget | null }>): Budget | undefined {
  const fields = optionalFields(owner, 'budget');
  if (fields === undefined) return undefined;
  return {
    ...(fields.minute === undefined ? {} : { minute: readAmounts(fieldsOf(fields.minute, 'minute')) }),
    ...(fields.day === undefined ? {} : { day: readAmounts(fieldsOf(fields.day, 'day')) }),
    whenSpent: text(fields, 'when_spent') === 'stop' ? 'stop' : 'warn',
  };
}

/** A budget in the API's spelling. */
export function budgetOnTheWire(budget: Budget | null | undefined) {
  if (budget === undefined || budget === null) return budget;
  const { whenSpent, ...periods } = budget;
  return { ...periods, ...(whenSpent === undefined ? {} : { when_spent: whenSpent }) };
}
