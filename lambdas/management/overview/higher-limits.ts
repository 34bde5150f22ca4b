import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { LIMITS_END_DAYS } from '../../gateway/core/limits.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { endOfOwnLimits } from '../../gateway/providers/project-quota.rules.ts';
import { dateInWords } from '../integrations/quota-risks.ts';
import type { Services } from '../services.ts';
import type { BudgetRow } from './budget-rows.ts';

const DAY_SEC = 86_400;
const [FIRST_DAYS] = LIMITS_END_DAYS;
const LAST_DAYS = LIMITS_END_DAYS[LIMITS_END_DAYS.length - 1] ?? 0;

/** One row per API, Cloud project and day on which its own limits end, from 90 days before; an error in the last week (GA-28). */
export function higherLimitRows(
  integrations: readonly Integration[],
  providers: Services['providers'],
  nowEpochSec: number,
): Omit<BudgetRow, 'sinceEpochSec'>[] {
  const ending = integrations.flatMap((one) => {
    const standard = providers[one.provider].quota;
    const endMs = standard && endOfOwnLimits(standard, one.quota);
    const leftSec = endMs === undefined ? 0 : endMs / 1000 - nowEpochSec;
    return leftSec > 0 && leftSec <= FIRST_DAYS * DAY_SEC ? [{ one, leftSec, endMs }] : [];
  });
  const projectOf = ({ clientId, integrationId }: Integration) =>
    clientId === undefined ? integrationId : cloudProjectOf(clientId);
  const groups = Map.groupBy(ending, ({ one, endMs }) => JSON.stringify([one.provider, projectOf(one), endMs]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first?.endMs === undefined) return [];
    const names = [first, ...others].map(({ one }) => one.displayName).join(', ');
    const date = dateInWords(new Date(first.endMs).toISOString().slice(0, 10));
    const days = Math.ceil(first.leftSec / DAY_SEC);
    return [
      {
        kind: 'budget' as const,
        severity: days <= LAST_DAYS ? ('error' as const) : ('warning' as const),
        title: `Higher limits of ${names} end on ${date}`,
        explanation: `In ${days} ${days === 1 ? 'day' : 'days'} the gateway counts Google’s Standard tier, to which projects fall back unless they are in another one. Only the Cloud console shows a project’s tier.`,
        who: 'developer' as const,
        steps: [
          'Enroll the project in the Scaled tier, or attest internal use, in the Cloud console.',
          'Then set tier in its quota. If Google lets it keep its limits for longer, set until.',
        ],
        count: others.length + 1,
        integrationId: first.one.integrationId,
        reason: 'integration.higher_limits_end',
        id: undefined,
      },
    ];
  });
}
