import { randomUUID } from 'node:crypto';
import type { BackgroundCalls } from '../../gateway/calls/background-calls.ts';
import type { Config } from '../../gateway/config.ts';
import { BACKGROUND_SHARE_PERCENT } from '../../gateway/core/contract.ts';
import { PROVIDERS } from '../../gateway/providers/catalogue.ts';
import { unitsOfList } from '../../gateway/providers/project-quota.rules.ts';
import { type CommonDependencies, type GrantDependencies, makeBackgroundCalls } from '../../gateway/wiring.ts';
import { feature } from './feature.ts';
import { feedStore } from './feed.store.ts';
import { feedCaller } from './feed-caller.ts';
import { feedQuota } from './feed-quota.store.ts';
import { FEED_SLOW_POLL_SEC, FEED_SLOW_POLL_SHARE } from './limits.rules.ts';
import { pacedFeedQuota } from './paced-quota.ts';
import type { FeedCallCount, FeedCaller, FeedPace, FeedQuotaOwner } from './ports.ts';
import { CHANNEL_INBOX_PATH } from './take-message.ts';
import type { FeedWorkDependencies } from './work-on-feed.ts';

/** Makes feeds yield to interactive calls. */
function feedPace(counted: BackgroundCalls): FeedPace {
  const ownerOf = (owner: FeedQuotaOwner) => ({ ...owner, quota: PROVIDERS[owner.provider].quota });
  return {
    async waitSec(owner, lists) {
      // Checked again each hour, because the quota may be raised.
      if ((await counted.daySpent(owner.accountId, ownerOf(owner))) !== undefined) return FEED_SLOW_POLL_SEC;
      const refused = await counted.mayBegin(ownerOf(owner), lists * unitsOfList(PROVIDERS[owner.provider]));
      return refused?.details.retryAfterSec;
    },
    spent: (owner, level) => counted.spent(ownerOf(owner), level),
  };
}

/** Share of a Cloud project's calls a minute that feeds may take, in percent. @throws Error for a value that is none */
export function feedShare({ setting }: Pick<Config, 'setting'>): number {
  const percent = Number(setting('feedSharePercent') || BACKGROUND_SHARE_PERCENT);
  if (Number.isInteger(percent) && percent >= 1 && percent <= 100) return percent;
  throw new Error(
    `The function's environment is not usable: ${feature.environment.feedSharePercent} must be a whole number from 1 to 100.`,
  );
}

/** Makes the calls of feeds in a process that opens tokens. */
export function makeFeedCaller(shared: GrantDependencies, counted: FeedCallCount): FeedCaller {
  return feedCaller({ ...shared, counted, inboxAddress: inboxAddressOf(shared.config) });
}

/** Where the provider sends messages of channels. */
export function inboxAddressOf({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return baseUrl + CHANNEL_INBOX_PATH;
}

/** Works on feeds in a process. @param openCaller what makes their calls, which are counted */
export function makeFeedWork(
  shared: CommonDependencies,
  openCaller: (counted: FeedCallCount) => FeedCaller,
): FeedWorkDependencies & { readonly feeds: ReturnType<typeof feedStore> } {
  const { config, table } = shared;
  const counted = makeBackgroundCalls(shared, 'feeds');
  return {
    ...shared,
    feeds: feedStore(table),
    caller: openCaller(counted),
    quota: pacedFeedQuota(feedQuota(table, PROVIDERS, feedShare(config)), feedPace(counted)),
    isDayFilling: async (owner) => {
      const ofOwner = { ...owner, quota: PROVIDERS[owner.provider].quota };
      return ((await counted.dayShare(owner.accountId, ofOwner)) ?? 0) >= FEED_SLOW_POLL_SHARE;
    },
    owner: randomUUID(),
    pause,
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
