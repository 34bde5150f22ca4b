import { DUE_SHARDS } from '../contract.ts';
import { connectionRefKey } from '../core/identifiers.ts';
import { type Item, num, optionalStr, str } from '../platform/dynamodb/item-reader.ts';
import { revocationItemKey, revocationListKey } from '../platform/dynamodb/keys.ts';
import { dueShardOf } from './freshness.rules.ts';
import type { PendingRevocation } from './ports.ts';

/**
 * Partition of the due index for a grant that is to be ended: a pending revocation, or one that waits for confirmation.
 * They have 64 partitions of their own behind those of refreshes, so that neither kind of work stands in the other's way.
 */
export function revocationShard(refreshShard: number): number {
  return DUE_SHARDS + refreshShard;
}

/** A pending revocation as its item. */
export function revocationToItem(revocation: PendingRevocation): Record<string, unknown> {
  const { ref } = revocation;
  return {
    ...revocationItemKey(ref),
    type: 'revocation',
    ...ref,
    encryptedRefreshToken: revocation.encryptedRefreshToken,
    clientId: revocation.clientId,
    subject: revocation.subject,
    endUserId: revocation.endUserId,
    requestedAtEpochSec: revocation.requestedAtEpochSec,
    failureCount: revocation.failureCount,
    refreshAt: revocation.retryAtEpochSec,
    dueShard: revocationShard(dueShardOf(ref, DUE_SHARDS)),
    accountListKey: revocationListKey(ref.accountId),
    listSortKey: `${new Date(revocation.requestedAtEpochSec * 1000).toISOString()}#${connectionRefKey(ref)}`,
  };
}

/** An item as the revocation it stores. */
export function revocationFromItem(item: Item): PendingRevocation {
  return {
    ref: {
      accountId: str(item, 'accountId'),
      integrationId: str(item, 'integrationId'),
      connectionId: str(item, 'connectionId'),
    },
    encryptedRefreshToken: str(item, 'encryptedRefreshToken'),
    clientId: str(item, 'clientId'),
    subject: optionalStr(item, 'subject'),
    endUserId: optionalStr(item, 'endUserId'),
    requestedAtEpochSec: num(item, 'requestedAtEpochSec'),
    retryAtEpochSec: num(item, 'refreshAt'),
    failureCount: num(item, 'failureCount'),
  };
}
