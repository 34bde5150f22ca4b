import { KEY_FAMILIES } from '../../gateway/core/contract.ts';
import { keyPart } from '../../gateway/core/identifiers.ts';
import { accountPk, type ItemKey } from '../../gateway/platform/dynamodb/keys.ts';

export const WEBHOOK_SK_PREFIX = 'WEBHOOK#';

/** An endpoint of the account, stored with its integrations: one query reads them all. */
export function webhookItemKey(accountId: string, webhookId: string): ItemKey {
  return { pk: accountPk(accountId), sk: WEBHOOK_SK_PREFIX + keyPart(webhookId) };
}

/** Deliveries to one endpoint, done and pending. */
export function deliveryPk(accountId: string, webhookId: string): string {
  return `${KEY_FAMILIES.webhook}#${keyPart(accountId)}#${keyPart(webhookId)}`;
}

export const DELIVERY_SK_PREFIX = 'DELIVERY#';

/** One event for one endpoint; the id of an event sorts by time. */
export function deliveryItemKey(accountId: string, webhookId: string, eventId: string): ItemKey {
  return { pk: deliveryPk(accountId, webhookId), sk: DELIVERY_SK_PREFIX + eventId };
}

/** The delivery's identity in its key, for index entries that contain only keys; undefined for another kind of item. */
export function deliveryOfKey({ pk, sk }: ItemKey) {
  const [tag, accountId, webhookId] = pk.split('#');
  if (tag !== KEY_FAMILIES.webhook || accountId === undefined || webhookId === undefined) return undefined;
  if (!sk.startsWith(DELIVERY_SK_PREFIX)) return undefined;
  return {
    accountId: decodeURIComponent(accountId),
    webhookId: decodeURIComponent(webhookId),
    eventId: sk.slice(DELIVERY_SK_PREFIX.length),
  };
}
