import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { ATTENTION_FEEDS_MAX } from '../../gateway/core/limits.ts';
import type { Feed } from '../../gateway/feeds/feed.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { type ProjectQuota, projectQuota, unitsOfList } from '../../gateway/providers/project-quota.rules.ts';
import type { ApiQuota } from '../../gateway/providers/provider.rules.ts';
import type { Services } from '../services.ts';

const DAY_SEC = 86_400;
/** Half of a daily quota is no risk yet. */
const RISK_FROM_PERCENT = 80;

type Reads = Pick<Services, 'providers' | 'credentials' | 'reachedShares' | 'feedWork'>;

/** Risks of the provider's quotas: limits that end, used-up days of the last week, and feeds that use a whole day's quota. */
export async function quotaRisks(reads: Reads, integration: Integration): Promise<string[]> {
  const quota = projectQuota(reads.providers[integration.provider].quota, integration.quota);
  if (quota === undefined) return [];
  const [used, polled] = await Promise.all([
    daysUsedUp(reads, integration, quota),
    feedsTakeAll(reads, integration, quota),
  ]);
  return [...higherLimitsEnd(integration, reads.providers[integration.provider].quota), ...used, ...polled];
}

/** Google, "Pricing and billing tiers", 24 November 2026. */
export const HIGHER_LIMITS_END = '1 April 2027';

/** Whether an integration's project is set to have more than Google's Standard tier. @param standard of the provider */
export function hasHigherLimits({ quota: stored }: Integration, standard: ApiQuota | undefined): boolean {
  const own = projectQuota(standard, stored);
  if (own === undefined || standard === undefined || own.countsRequests) return false;
  return own.perMinute > standard.perMinute || own.perMinuteAndUser > standard.perMinuteAndUser;
}

function higherLimitsEnd(integration: Integration, standard: ApiQuota | undefined): string[] {
  if (!hasHigherLimits(integration, standard)) return [];
  return [
    `quota is higher than Google’s Standard tier. Google ends higher limits on ${HIGHER_LIMITS_END}, unless the project enrolls in the Scaled tier or attests internal use. Only the Cloud console shows the tier.`,
  ];
}

async function daysUsedUp(reads: Reads, integration: Integration, quota: ProjectQuota): Promise<string[]> {
  const { accountId, provider } = integration;
  const clientId = integration.clientId ?? (await reads.credentials.get(integration))?.clientId;
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
  const { feeds } = reads.feedWork;
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
