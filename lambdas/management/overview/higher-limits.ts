import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { HIGHER_LIMITS_SHOWN_SEC } from '../../gateway/core/limits.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { HIGHER_LIMITS_END, hasHigherLimits } from '../integrations/quota-risks.ts';
import type { Services } from '../services.ts';
import type { BudgetRow } from './budget-rows.ts';

const END_EPOCH_SEC = Date.parse(`${HIGHER_LIMITS_END} UTC`) / 1000;

/** One row per API and Cloud project whose limits are higher than Google's Standard tier, in the months before Google ends them. */
export function higherLimitRows(
  integrations: readonly Integration[],
  providers: Services['providers'],
  nowEpochSec: number,
): Omit<BudgetRow, 'sinceEpochSec'>[] {
  if (nowEpochSec < END_EPOCH_SEC - HIGHER_LIMITS_SHOWN_SEC || nowEpochSec >= END_EPOCH_SEC) return [];
  const higher = integrations.filter((one) => hasHigherLimits(one, providers[one.provider].quota));
  const projectOf = ({ clientId, integrationId }: Integration) =>
    clientId === undefined ? integrationId : cloudProjectOf(clientId);
  const groups = Map.groupBy(higher, (one) => `${one.provider} ${projectOf(one)}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const names = [first, ...others].map(({ displayName }) => displayName).join(', ');
    return [
      {
        kind: 'budget' as const,
        severity: 'warning' as const,
        title: `Higher limits of ${names} end on ${HIGHER_LIMITS_END}`,
        explanation:
          'The quota that is set is above Google’s Standard tier, to which projects fall back on that day. Only the Cloud console shows a project’s tier.',
        who: 'developer' as const,
        steps: [
          'Enroll the project in the Scaled tier, or attest internal use, in the Cloud console.',
          'Otherwise set quota to the Standard tier before that day.',
        ],
        count: others.length + 1,
        integrationId: first.integrationId,
        reason: 'integration.higher_limits_end',
        id: undefined,
      },
    ];
  });
}
