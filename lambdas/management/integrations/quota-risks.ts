import type { Problem } from '../../gateway/core/errors.ts';
import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import {
  endOfOwnLimits,
  HIGHER_LIMITS_END,
  lacksEnd,
  type ProjectQuota,
  projectQuota,
  tierOf,
} from '../../gateway/providers/project-quota.rules.ts';
import type { ApiQuota } from '../../gateway/providers/provider.rules.ts';
import type { Services } from '../services.ts';

/** Half of a daily quota is no risk yet. */
const RISK_FROM_PERCENT = 80;

type Reads = Pick<Services, 'providers' | 'clientIds' | 'reachedShares' | 'clock'>;

/** Risks of the provider's quotas: limits that end, and used-up days of the last week. */
export async function quotaRisks(reads: Reads, integration: Integration): Promise<string[]> {
  const nowMs = reads.clock.nowMs();
  const standard = reads.providers[integration.provider].quota;
  const quota = projectQuota(standard, integration.quota, nowMs);
  if (quota === undefined) return [];
  return [...limitsEnd(integration, standard, nowMs), ...(await daysUsedUp(reads, integration, quota))];
}

/** Warnings about a quota that was just saved. */
export function quotaWarnings({ providers }: Pick<Reads, 'providers'>, next: Integration): Problem[] {
  const message = limitsWithoutEnd(next, providers[next.provider].quota);
  return message === undefined ? [] : [{ path: 'quota.until', message }];
}

/** Where higher limits end without anybody having stated when (GA-28). */
function limitsWithoutEnd({ quota }: Pick<Integration, 'quota'>, standard: ApiQuota | undefined): string | undefined {
  if (standard === undefined || !lacksEnd(standard, quota)) return undefined;
  return `quota is higher than Google’s Standard tier and has no until. Google ends higher limits on ${dateInWords(HIGHER_LIMITS_END)}, unless the project enrolls in the Scaled tier or attests internal use. Only the Cloud console shows the tier: set tier or until.`;
}

function limitsEnd(integration: Integration, standard: ApiQuota | undefined, nowMs: number): string[] {
  const unstated = limitsWithoutEnd(integration, standard);
  const endMs = standard && endOfOwnLimits(standard, integration.quota);
  if (endMs === undefined) return [];
  const day = dateInWords(new Date(endMs).toISOString().slice(0, 10));
  if (nowMs >= endMs) {
    return [
      `The limits in quota ended on ${day}, and the gateway counts Google’s Standard tier. Set what the Cloud console shows now.`,
    ];
  }
  const stated = `The limits in quota end on ${day} (tier ${tierOf(integration.quota)}). From then on the gateway counts Google’s Standard tier.`;
  return [unstated ?? stated];
}

/** A date as people read it, such as 1 April 2027. */
export function dateInWords(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date));
}

async function daysUsedUp(reads: Reads, integration: Integration, quota: ProjectQuota): Promise<string[]> {
  const { accountId, provider } = integration;
  const clientId = integration.clientId ?? (await reads.clientIds.clientIdOf(integration));
  if (clientId === undefined) return [];
  const cloudProject = cloudProjectOf(clientId);
  const reached = (await reads.reachedShares.ofAccount(accountId)).filter(
    ({ says }) =>
      says.provider === provider &&
      says.cloud_project === cloudProject &&
      Number(says.percent) >= RISK_FROM_PERCENT &&
      // A report about another quota does not apply to the current one.
      Number(says.most) === (says.quota === 'bytes_out' ? quota.bytesOutPerDay : quota.perDay),
  );
  const fullest = reached.toSorted(
    (a, b) => Number(a.says.percent) - Number(b.says.percent) || a.reportedAtEpochSec - b.reportedAtEpochSec,
  );
  const says = fullest.at(-1)?.says;
  if (says === undefined) return [];
  const share = says.percent === '100' ? 'all' : `${says.percent} %`;
  const whose = integration.quota === undefined ? 'new Cloud projects' : `Cloud project ${cloudProject}`;
  const advice =
    integration.quota === undefined
      ? 'Look up your project’s quotas in the Cloud console, and set them as quota'
      : 'Correct quota if the project has more now';
  return [
    `On ${says.day} calls used ${share} of the ${Number(says.most).toLocaleString('en-US')} ${amountOf(quota, says.quota)} that are the daily threshold of ${whose} for this API. What Google does with calls above it depends on the project’s tier, which only the Cloud console shows. ${advice}, or hold back what can wait.`,
  ];
}

export function amountOf({ countsRequests }: ProjectQuota, of: string | undefined): string {
  if (of === 'bytes_out') return 'bytes of answers';
  return countsRequests ? 'requests' : 'units';
}
