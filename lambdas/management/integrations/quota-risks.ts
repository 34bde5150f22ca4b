import type { Feed } from '../../features/feeds/feed.rules.ts';
import type { Problem } from '../../gateway/core/errors.ts';
import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { ATTENTION_FEEDS_MAX } from '../../gateway/core/limits.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import {
  endOfOwnLimits,
  HIGHER_LIMITS_END,
  lacksEnd,
  type ProjectQuota,
  projectQuota,
  tierOf,
  unitsOfList,
} from '../../gateway/providers/project-quota.rules.ts';
import type { ApiQuota } from '../../gateway/providers/provider.rules.ts';
import type { Services } from '../services.ts';

const DAY_SEC = 86_400;
/** Half of a daily quota is no risk yet. */
const RISK_FROM_PERCENT = 80;

type Reads = Pick<Services, 'providers' | 'clientIds' | 'reachedShares' | 'feeds' | 'clock'>;

/** Risks of the provider's quotas: limits that end, used-up days of the last week, and feeds that use a whole day's quota. */
export async function quotaRisks(reads: Reads, integration: Integration): Promise<string[]> {
  const nowMs = reads.clock.nowMs();
  const standard = reads.providers[integration.provider].quota;
  const quota = projectQuota(standard, integration.quota, nowMs);
  if (quota === undefined) return [];
  const [used, polled] = await Promise.all([
    daysUsedUp(reads, integration, quota),
    feedsTakeAll(reads, integration, quota),
  ]);
  return [...limitsEnd(integration, standard, nowMs), ...used, ...polled];
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

function amountOf({ countsRequests }: ProjectQuota, of: string | undefined): string {
  if (of === 'bytes_out') return 'bytes of answers';
  return countsRequests ? 'requests' : 'units';
}

/** Of many feeds the newest represent the others. */
async function feedsTakeAll(reads: Reads, integration: Integration, quota: ProjectQuota): Promise<string[]> {
  const { feeds } = reads;
  const refs = await feeds.ofAccount(integration.accountId);
  const some = await feeds.readMany(refs.slice(-ATTENTION_FEEDS_MAX));
  const { integrationId, provider } = integration;
  const own = some.filter((feed) => feed.connection.integrationId === integrationId);
  const scale = some.length === 0 ? 0 : refs.length / some.length;
  const pulls = own.reduce((sum, feed) => sum + pullsADay(feed), 0) * scale;
  const units = Math.round(pulls * (quota.countsRequests ? 1 : unitsOfList(reads.providers[provider])));
  if (quota.perDay === undefined || units < quota.perDay) return [];
  const number = (amount: number) => Math.round(amount).toLocaleString('en-US');
  return [
    `As its feeds are set, they are pulled ${number(pulls)} times a day without any change, which takes ${number(units)} of the ${number(quota.perDay)} ${amountOf(quota, 'units')} of the Cloud project’s daily threshold. Lengthen poll_interval_sec, or make Google’s messages reach them: feeds in the state polling say why none arrive.`,
  ];
}

/** Pulls of a feed per day without a message. */
function pullsADay({ state, pollIntervalSec, safetyIntervalSec }: Feed): number {
  if (state === 'polling') return DAY_SEC / pollIntervalSec;
  return state === 'watching' ? DAY_SEC / safetyIntervalSec : 0;
}
