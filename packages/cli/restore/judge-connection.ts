import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionFromItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { isToBeErased } from '../../../lambdas/gateway/core/grant-death.ts';
import { type Item, UnreadableItemError } from '../../../lambdas/gateway/platform/dynamodb/client.ts';

/** Why a row of the backup comes back. */
export type RestoreReason = 'missing' | 'damaged' | 'deleted' | 'overwritten';

/** Why it does not. */
export type LeaveReason =
  /** The table has the same tokens. */
  | 'same'
  /** Refreshed with a new refresh token, or connected again, after the backup. */
  | 'newer_here'
  /** The provider ended the grant after the backup: an older copy of it is as dead. */
  | 'died_since'
  /** Deleted after the backup. */
  | 'deleted_here'
  /** The backup itself has it as deleted. */
  | 'deleted_in_backup'
  /** An earlier run brought it back. */
  | 'restored_before'
  /** Its integration is not in the table. */
  | 'no_integration'
  /** The table has another data key under the number that the backup's tokens name. */
  | 'key_differs'
  | 'unreadable_in_backup';

export type Judgement =
  | { readonly kind: 'restore'; readonly reason: RestoreReason }
  | { readonly kind: 'leave'; readonly reason: LeaveReason };

/** The table's events about a connection. */
export interface ConnectionHistory {
  /** Its last creation, restoration or deletion was a deletion. */
  readonly deleted: boolean;
  /** It was brought back from this backup before. */
  readonly restoredFromHere: boolean;
  /** The highest number of an event. */
  readonly lastSequence: number;
  /** When a grant of it was last ended at the provider. */
  readonly grantRevokedAtEpochSec?: number | undefined;
}

/** Of a connection without events. A row that is left although it has none is left whatever its events are. */
export const NO_HISTORY: ConnectionHistory = { deleted: false, restoredFromHere: false, lastSequence: 0 };

/** Options of the operator who restores. */
export interface RestoreWishes {
  readonly overwrite: boolean;
  readonly includeDeleted: boolean;
}

/**
 * Whether a row of the backup comes back. The table counts more than the backup wherever it is newer and whole; nothing that
 * was deleted returns by itself, and no live connection is taken back to older tokens (CR-3).
 */
export function judgeConnection(
  backup: Connection,
  live: Item | undefined,
  history: ConnectionHistory,
  wishes: RestoreWishes,
): Judgement {
  if (backup.status === 'deleted') return leave('deleted_in_backup');
  if (live === undefined) {
    if (!history.deleted) return restore('missing');
    return wishes.includeDeleted ? restore('deleted') : leave('deleted_here');
  }
  if (live.status === 'deleted') return wishes.includeDeleted ? restore('deleted') : leave('deleted_here');
  const present = readableConnection(live);
  if (present === undefined || isDamaged(present, backup, history.restoredFromHere)) return restore('damaged');
  const same = present.tokenEpoch === backup.tokenEpoch;
  if (same && present.status === backup.status) return leave('same');
  // A repeated run continues an interrupted one: connections that it restored have been refreshed since, and must not be replaced
  // again.
  if (wishes.overwrite) return history.restoredFromHere ? leave('restored_before') : restore('overwritten');
  return leave(same ? 'died_since' : 'newer_here');
}

/** The connection that an item stores; undefined when it cannot be read. */
export function readableConnection(item: Item): Connection | undefined {
  try {
    return connectionFromItem(item);
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}

const CIPHERTEXT = /^v1\.\d{1,9}\.[A-Za-z0-9_-]{38,}$/;

/** Tokens are written together with their epoch, so under one epoch there is one pair of them. */
function isDamaged(present: Connection, backup: Connection, restoredFromHere: boolean): boolean {
  const { encryptedRefreshToken: refresh, encryptedAccessToken: access } = present;
  // Erased because the provider had revoked them, and required that they are deleted (RI-16).
  if (present.death !== undefined && isToBeErased(present.death)) return false;
  if (refresh === undefined || !CIPHERTEXT.test(refresh)) return true;
  if (access !== undefined && !CIPHERTEXT.test(access)) return true;
  if (present.epoch < present.tokenEpoch || present.tokenEpoch < backup.tokenEpoch) return true;
  if (present.tokenEpoch > backup.tokenEpoch) return false;
  // A value from this backup may have been encrypted again during the restore.
  if (restoredFromHere) return false;
  // A row that was restored has no access token of its own yet.
  return refresh !== backup.encryptedRefreshToken || (access !== undefined && access !== backup.encryptedAccessToken);
}

function restore(reason: RestoreReason): Judgement {
  return { kind: 'restore', reason };
}

function leave(reason: LeaveReason): Judgement {
  return { kind: 'leave', reason };
}
