import { KEY_FAMILIES } from '../../gateway/core/contract.ts';
import { type ConnectionRef, connectionRefKey, keyPart as part, sha256Hex } from '../../gateway/core/identifiers.ts';
import { accountPk, type ItemKey } from '../../gateway/platform/dynamodb/keys.ts';

/** A feed's partition; its mark has the same parts but another partition. */
function feedParts(ref: { readonly accountId: string; readonly feedId: string }): string {
  return `${part(ref.accountId)}#${part(ref.feedId)}`;
}

const FEED_SK = 'FEED';

export function feedItemKey(ref: { readonly accountId: string; readonly feedId: string }): ItemKey {
  return { pk: `${KEY_FAMILIES.feed}#${feedParts(ref)}`, sk: FEED_SK };
}

/** Records that a feed was deleted, after its row is gone. */
export function deletedFeedItemKey(ref: { readonly accountId: string; readonly feedId: string }): ItemKey {
  return { pk: feedItemKey(ref).pk, sk: 'DELETED' };
}

export const BATCH_SK_PREFIX = 'BATCH#';

/** A batch of a feed; the number is padded so that batches sort by it. */
export function batchSk(sequence: number): string {
  return BATCH_SK_PREFIX + String(sequence).padStart(12, '0');
}

export const FEED_CURSOR_SK_PREFIX = 'CURSOR#';

/** The log of a shared drive that a feed follows alongside its user's own. */
export const FEED_LOG_SK_PREFIX = 'LOG#';

/** A feed's plan of reminders; in the due index alongside the feed itself. */
export function feedStartsItemKey(ref: { readonly accountId: string; readonly feedId: string }): ItemKey {
  return { pk: feedItemKey(ref).pk, sk: 'STARTS' };
}

/** A feed's memory of a thing, under a keyed hash of the thing's id. */
export const FEED_STATE_SK_PREFIX = 'ITEM#';

/** A partition of its own, which the inbox may write without a right on the feed. */
export function feedMarkItemKey(ref: { readonly accountId: string; readonly feedId: string }): ItemKey {
  return { pk: `${KEY_FAMILIES.feedMark}#${feedParts(ref)}`, sk: 'MARK' };
}

/** The feed of a key in the due index: its own or its mark's. */
export function feedRefOfPk(pk: string): { readonly accountId: string; readonly feedId: string } | undefined {
  const [tag, accountId, feedId] = pk.split('#');
  if ((tag !== 'FEED' && tag !== 'FEEDMARK') || accountId === undefined || feedId === undefined) return undefined;
  return { accountId: decodeURIComponent(accountId), feedId: decodeURIComponent(feedId) };
}

/** The feed of a connection and resource: one item each, so that no resource has two. */
export function feedOfItemKey(ref: ConnectionRef, resource: string): ItemKey {
  const sk = hasAddress(resource) ? sha256Hex(resource) : resource;
  return { pk: `${KEY_FAMILIES.feedOf}#${connectionRefKey(ref)}`, sk };
}

/** The same key in versions up to 0.2.0; undefined where it does not differ. */
export function plainFeedOfItemKey(ref: ConnectionRef, resource: string): ItemKey | undefined {
  return hasAddress(resource) ? { ...feedOfItemKey(ref, ''), sk: resource } : undefined;
}

/** Whether a resource contains a calendar's id, an e-mail address, which no key may contain (CF-31). */
function hasAddress(resource: string): boolean {
  return resource.includes('@');
}

/** Partition of the `byAccount` index that lists an account's feeds. */
export function feedListKey(accountId: string): string {
  return `${accountPk(accountId)}#FEED`;
}

/** A push channel, by the id that its messages name. */
export function channelItemKey(channelId: string): ItemKey {
  return { pk: `${KEY_FAMILIES.channel}#${part(channelId)}`, sk: 'CHANNEL' };
}

/** The feeds' use of a Cloud project's quota of one API. */
export function feedQuotaItemKey(cloudProject: string, provider: string): ItemKey {
  return { pk: `${KEY_FAMILIES.feedQuota}#${part(cloudProject)}`, sk: `QUOTA#${provider}` };
}

/** Until when the feeds of one user make no calls to an API. @param user digest of the account */
export function feedRestItemKey(cloudProject: string, provider: string, user: string): ItemKey {
  return { pk: `${KEY_FAMILIES.feedQuota}#${part(cloudProject)}`, sk: `REST#${provider}#${user}` };
}
