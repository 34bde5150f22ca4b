import { type Connection, RESTORED_TOKEN } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { spread } from '../../../lambdas/gateway/core/identifiers.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { readableConnection } from './judge-connection.ts';

/** Added to the epoch where the last one is unknown: more than any earlier writer can have reached. */
const UNKNOWN_EPOCH_STEP = 1_000_000;
/** Expired for every clock, so that the row's access token is never used. */
const EXPIRED_SEC = 3600;

/**
 * The restored row: with an epoch above any that an earlier writer may hold, without an access token, due within `spreadSec` seconds so
 * that its refresh token is proven before it is used (CR-3). Descriptions since the backup stay.
 */
export function restoredConnection(
  backup: Connection,
  live: Item | undefined,
  lastSequence: number,
  now: { readonly epochSec: number; readonly iso: string },
  spreadSec: number,
): Connection {
  const present = live === undefined ? undefined : readableConnection(live);
  const known = [backup.epoch, backup.tokenEpoch, numberOf(live?.epoch), numberOf(live?.tokenEpoch)];
  const step = present === undefined ? UNKNOWN_EPOCH_STEP : 1;
  const described = present !== undefined && present.status !== 'deleted' ? present : backup;
  const alive = backup.status === 'active';
  return {
    ...backup,
    endUser: described.endUser,
    tags: described.tags,
    metadata: described.metadata,
    encryptedAccessToken: undefined,
    accessTokenExpiresAtEpochSec: Math.min(backup.accessTokenExpiresAtEpochSec, now.epochSec - EXPIRED_SEC),
    epoch: Math.max(...known) + step,
    // Tokens that were kept aside after the backup are newer than these: the next refresh adopts them.
    tokenEpoch: backup.tokenEpoch,
    refreshLease: undefined,
    attemptId: undefined,
    attemptHash: undefined,
    lostHash: RESTORED_TOKEN,
    retryAtEpochSec: undefined,
    failureCount: 0,
    refreshAtEpochSec: alive ? now.epochSec + Math.floor(spread(backup) * spreadSec) : undefined,
    lastUsedAtEpochSec: present?.lastUsedAtEpochSec ?? backup.lastUsedAtEpochSec,
    sequence: Math.max(backup.sequence, lastSequence, numberOf(live?.sequence)) + 1,
    updatedAt: now.iso,
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
