import type { GatewayErrorDetails } from '../core/errors.ts';
import { DAY_WINDOW_SEC } from '../core/limits.ts';
import { type DayUse, projectDayOf, usedUpOf } from './day-use.rules.ts';

/** The data of a `budget_spent` error, which the caller of this module throws. */
export interface DayUsedUp {
  readonly message: string;
  readonly details: GatewayErrorDetails;
}

/**
 * The refusal of a Cloud project's calls once its day is used up, in deployments that stop then. It becomes `budget_spent`, because
 * libraries retry a 429 by themselves, which would not help before the next day.
 *
 * @param use of the calls' account
 */
export function usedUpDayRefusal(
  use: DayUse | undefined,
  provider: string,
  cloudProject: string,
  nowMs: number,
): DayUsedUp | undefined {
  const project = projectDayOf(use, provider, cloudProject);
  const spent = project && usedUpOf(project);
  if (use?.limit !== 'stop' || spent === undefined) return undefined;
  const { kind, most } = spent;
  const resetsAt = new Date(use.untilMs).toISOString();
  const resetSec = Math.max(1, Math.ceil((use.untilMs - nowMs) / 1000));
  const message = `The Cloud project has used its ${most} ${kind} of the day, and this deployment stops there (gateway:dayLimit). Nothing was sent. Calls begin again at ${resetsAt}, or within five minutes after you raise quota of the integration.`;
  return {
    message,
    details: {
      limit: { name: `project.day.${kind}`, scope: 'project', most, left: 0, resets_at: resetsAt },
      rate: { policy: `project-day-${kind}`, quota: most, windowSec: DAY_WINDOW_SEC, left: 0, resetSec },
      applied: 'no',
    },
  };
}
