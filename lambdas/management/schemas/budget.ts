import * as z from 'zod';
import {
  AMOUNT_KINDS,
  type Amounts,
  BUDGET_PERIODS,
  type Budget,
  readBudget,
  type StoredBudget,
} from '../../gateway/core/budget.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';

const most = z.int('must be a whole number').min(1, 'must be at least 1').optional();

/** Maximum per minute or day in a body. */
export const amountsBody = z
  .strictObject({ calls: most, units: most, bytes: most })
  .refine((kinds) => Object.values(kinds).some((one) => one !== undefined), 'name calls, units or bytes');

/** The same as an answer has it. */
export const amountsAnswer = documented(() =>
  z
    .object({ calls: z.int().optional(), units: z.int().optional(), bytes: z.int().optional() })
    .meta({ id: 'KeyBudget', description: 'Most calls, units of the provider’s quotas and bytes of answers.' }),
);

/** Budget of an integration or connection in a body. */
export const budgetBody = z
  .strictObject({
    minute: amountsBody.optional(),
    day: amountsBody.optional(),
    when_spent: z.enum(['warn', 'stop'], { error: 'must be warn or stop' }).optional(),
  })
  .refine(
    ({ minute, day }) => minute !== undefined || day !== undefined,
    'name minute or day, or send null for no budget',
  );

/** A body's budget as stored; undefined for null, which removes it. */
export function budgetOfBody(body: z.infer<typeof budgetBody> | null): Budget | undefined {
  if (body === null) return undefined;
  const { minute, day, when_spent: whenSpent = 'warn' } = body;
  return {
    ...(minute === undefined ? {} : { minute: withoutUndefined(minute) }),
    ...(day === undefined ? {} : { day: withoutUndefined(day) }),
    whenSpent,
  };
}

/** Budget of an integration or connection in a response. */
export const budgetAnswer = documented(() =>
  z
    .object({
      minute: amountsAnswer().optional(),
      day: amountsAnswer().optional().meta({ description: 'From midnight to midnight, UTC.' }),
      when_spent: z.enum(['warn', 'stop']).meta({
        description:
          'Once a day’s budget is used up: `warn` sends events and lets calls pass, `stop` refuses them until midnight UTC. A minute’s budget always refuses.',
      }),
    })
    .meta({ id: 'Budget', description: 'What proxied calls may take together.' }),
);

/** A stored budget in the API's spelling; null for one of an unknown form, which limits nothing. */
export function budgetOnTheWire(stored: StoredBudget): AnswerOf<typeof budgetAnswer> | null {
  const budget = readBudget(stored);
  if (budget === undefined) return null;
  const periods = BUDGET_PERIODS.flatMap((period) => {
    const amounts = budget[period];
    return amounts === undefined ? [] : [[period, withoutUndefined(amounts)] as const];
  });
  return { ...Object.fromEntries(periods), when_spent: budget.whenSpent };
}

function withoutUndefined(amounts: Amounts): { [kind in (typeof AMOUNT_KINDS)[number]]?: number } {
  return Object.fromEntries(
    AMOUNT_KINDS.flatMap((kind) => (amounts[kind] === undefined ? [] : [[kind, amounts[kind]] as const])),
  );
}
