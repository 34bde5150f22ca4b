import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { projectQuota, unitsOfList } from '../../gateway/providers/project-quota.rules.ts';
import { amountOf } from '../../management/integrations/quota-risks.ts';
import type { Services } from '../../management/services.ts';
import { feature } from './feature.ts';
import type { Feed } from './feed.rules.ts';
import { feedStore } from './feed.store.ts';
import { ATTENTION_FEEDS_MAX } from './limits.rules.ts';

const DAY_SEC = 86_400;

type Reads = Pick<Services, 'providers' | 'clock' | 'without'> & {
  readonly forFeatures: Pick<Services['forFeatures'], 'table'>;
};

/** Feeds that use a whole day's quota. Of many feeds the newest represent the others. */
export async function risks(
  { providers, clock, without, forFeatures }: Reads,
  integration: Pick<Integration, 'accountId' | 'integrationId' | 'provider' | 'quota'>,
): Promise<readonly string[]> {
  const quota = projectQuota(providers[integration.provider].quota, integration.quota, clock.nowMs());
  if (quota?.perDay === undefined || without.has(feature.id)) return [];
  const feeds = feedStore(forFeatures.table);
  const refs = await feeds.ofAccount(integration.accountId);
  const some = await feeds.readMany(refs.slice(-ATTENTION_FEEDS_MAX));
  const { integrationId, provider } = integration;
  const own = some.filter((feed) => feed.connection.integrationId === integrationId);
  const scale = some.length === 0 ? 0 : refs.length / some.length;
  const pulls = own.reduce((sum, feed) => sum + pullsADay(feed), 0) * scale;
  const units = Math.round(pulls * (quota.countsRequests ? 1 : unitsOfList(providers[provider])));
  if (units < quota.perDay) return [];
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
