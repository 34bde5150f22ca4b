import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Connection, RefreshLease } from '../connections/connection.rules.ts';
import { connectionFromItem, factsToItem } from '../connections/connection-item.store.ts';
import type { LeaseRequest, LeaseResult, StoredTokens } from '../connections/ports.ts';
import { DUE_SHARDS, LISTED_HEALTH_ATTRIBUTES } from '../contract.ts';
import { LEASE_CLOCK_TOLERANCE_SEC } from '../core/limits.ts';
import { isConditionFailure, type Table } from '../platform/dynamodb/client.ts';
import { connectionItemKey } from '../platform/dynamodb/keys.ts';
import { dueShardOf } from './freshness.rules.ts';

/** Parts of the one update that writes new tokens; whoever uses them adds the condition on `epoch` (value `:epoch`). */
export interface TokenChange {
  readonly sets: readonly string[];
  readonly removes: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** New tokens, the end of the lease and the next due time: one write, so that no reader sees half of it (TK-2). */
export function tokenChange(connection: Connection, lease: RefreshLease, tokens: StoredTokens): TokenChange {
  const renewed: Connection = {
    ...connection,
    death: undefined,
    grantedScopes: tokens.grantedScopes,
    lastRefreshedAtEpochSec: tokens.nowEpochSec,
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec ?? connection.refreshTokenExpiresAtEpochSec,
    lastUsedAtEpochSec: tokens.lastUsedAtEpochSec ?? connection.lastUsedAtEpochSec,
  };
  const sets = [
    'encryptedAccessToken = :access',
    'accessTokenExpiresAtEpochSec = :expires',
    'grantedScopes = :scopes',
    'tokenEpoch = :epoch',
    'refreshAt = :refreshAt',
    'dueShard = :shard',
    'lastRefreshedAtEpochSec = :now',
    'failureCount = :zero',
    `${LISTED_HEALTH_ATTRIBUTES.facts} = :facts`,
  ];
  const values: Record<string, unknown> = {
    ':access': tokens.encryptedAccessToken,
    ':expires': tokens.accessTokenExpiresAtEpochSec,
    ':scopes': tokens.grantedScopes,
    ':epoch': lease.epoch,
    ':refreshAt': tokens.refreshAtEpochSec,
    ':shard': dueShardOf(connection, DUE_SHARDS),
    ':now': tokens.nowEpochSec,
    ':zero': 0,
    ':facts': factsToItem(renewed),
  };
  if (tokens.encryptedRefreshToken !== undefined) {
    sets.push('encryptedRefreshToken = :refresh');
    values[':refresh'] = tokens.encryptedRefreshToken;
  }
  if (tokens.refreshTokenExpiresAtEpochSec !== undefined) {
    sets.push('refreshTokenExpiresAtEpochSec = :grantEnds');
    values[':grantEnds'] = tokens.refreshTokenExpiresAtEpochSec;
  }
  if (tokens.lastUsedAtEpochSec !== undefined) {
    sets.push('lastUsedAtEpochSec = :used');
    values[':used'] = tokens.lastUsedAtEpochSec;
  }
  return { sets, removes: ['refreshLease', 'attemptHash', 'lostHash', 'retryAt'], values };
}

/** Step 1 of the protocol in `lease.ts`: takes the lease by one conditional write. A lost reply shows as a refusal whose row carries our own `attemptId`. */
export async function takeLease(table: Table, known: Connection, request: LeaseRequest): Promise<LeaseResult> {
  const lease: RefreshLease = {
    owner: request.owner,
    epoch: known.epoch + 1,
    expiresAtEpochSec: request.expiresAtEpochSec,
  };
  // An attempt that never closed may have spent its token at the provider: its hash explains a death that follows.
  const lostHash = known.attemptHash ?? known.lostHash;
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(known),
        UpdateExpression: `SET refreshLease = :lease, epoch = :next, attemptId = :attempt, attemptHash = :hash${
          lostHash === undefined ? '' : ', lostHash = :lost'
        }${request.afterRefusal === true ? ', forcedRefreshAtEpochSec = :now' : ''}`,
        ConditionExpression:
          // A store leaves the epoch alone, so the token epoch says whether the refresh token in hand is still the row's.
          `#status IN (:active${request.evenIfDead ? ', :dead' : ''}) AND epoch = :epoch AND tokenEpoch = :tokenEpoch ` +
          'AND (attribute_not_exists(refreshLease) OR refreshLease.expiresAtEpochSec <= :now ' +
          // A holder whose clock was a day ahead must not hold the connection for a day (F28); the epoch fences it.
          'OR refreshLease.expiresAtEpochSec > :impossible) ' +
          // Nor does a release: an attempt that was closed meanwhile must not be called lost.
          (known.attemptHash === undefined ? 'AND attribute_not_exists(attemptHash)' : 'AND attemptHash = :open'),
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':lease': lease,
          ':next': lease.epoch,
          ':attempt': request.attemptId,
          ':hash': request.attemptHash,
          ':active': 'active',
          ...(request.evenIfDead ? { ':dead': 'reauthorization_required' } : {}),
          ':epoch': known.epoch,
          ':tokenEpoch': known.tokenEpoch,
          ':now': request.nowEpochSec,
          ':impossible': request.expiresAtEpochSec + LEASE_CLOCK_TOLERANCE_SEC,
          ...(known.attemptHash === undefined ? {} : { ':open': known.attemptHash }),
          ...(lostHash === undefined ? {} : { ':lost': lostHash }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { taken: true, lease, lostHash };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const current = storedItem(error);
    if (current?.attemptId === request.attemptId && current.refreshLease !== undefined) {
      return { taken: true, lease: current.refreshLease, lostHash: current.lostHash };
    }
    return { taken: false, current };
  }
}

/** Writes new tokens under the lease's epoch; false when a later epoch owns the row. */
export async function storeTokens(
  table: Table,
  connection: Connection,
  lease: RefreshLease,
  tokens: StoredTokens,
): Promise<boolean> {
  const change = tokenChange(connection, lease, tokens);
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(connection),
        UpdateExpression: `SET ${change.sets.join(', ')} REMOVE ${change.removes.join(', ')}`,
        ConditionExpression: 'epoch = :epoch AND #status = :active',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ...change.values, ':active': 'active' },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    // A repeat after a lost reply fails on its own success: the row then carries this lease's epoch as its token epoch.
    const current = storedItem(error);
    return current?.status === 'active' && current.tokenEpoch === lease.epoch;
  }
}

/** Gives the lease back on condition that it is still this one; a later owner's lease is never touched. */
export async function releaseLease(
  table: Table,
  connection: Connection,
  lease: RefreshLease,
  next: { readonly retryAtEpochSec: number | undefined; readonly failureCount: number; readonly answered: boolean },
): Promise<void> {
  const removed = ['refreshLease', ...(next.answered ? ['attemptHash'] : [])];
  const due = next.retryAtEpochSec;
  if (due === undefined) removed.push('retryAt');
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(connection),
        UpdateExpression: `SET failureCount = :failures${due === undefined ? '' : ', retryAt = :retryAt, refreshAt = :retryAt'} REMOVE ${removed.join(', ')}`,
        ConditionExpression: 'epoch = :epoch AND refreshLease.#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':failures': next.failureCount,
          ':epoch': lease.epoch,
          ':owner': lease.owner,
          ...(due === undefined ? {} : { ':retryAt': due }),
        },
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}

function storedItem(error: unknown): Connection | undefined {
  const raw: unknown = error instanceof Error && 'Item' in error ? error.Item : undefined;
  if (typeof raw !== 'object' || raw === null) return undefined;
  // The document client does not translate items inside errors.
  return connectionFromItem(unmarshall({ ...raw }));
}
