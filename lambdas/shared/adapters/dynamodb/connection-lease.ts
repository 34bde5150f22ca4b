import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { DUE_SHARDS } from '../../contract.ts';
import type { Connection, RefreshLease } from '../../domain/connection.ts';
import { dueShardOf } from '../../domain/token-freshness.ts';
import type { LeaseRequest, LeaseResult, StoredTokens } from '../../ports.ts';
import { isConditionFailure, type Table } from './client.ts';
import { connectionFromItem } from './connection-item.ts';
import { connectionItemKey } from './keys.ts';

/**
 * The refresh lease: who may refresh, and whose writes count.
 *
 *   process A          table (epoch)            process B
 *   take(epoch 7) ---> 8, lease A
 *                      8, lease A        <----- take(epoch 7): refused, sees A's lease, waits or uses the old token
 *   token call ...     lease A runs out
 *                      9, lease B        <----- take(epoch 8)
 *   store if 8    ---> refused: 9               A's late answer changes nothing
 *                      9, tokens of B    <----- store if 9
 *
 * The clock only decides when to try. What is written is decided by `epoch` alone.
 */

/** Takes the lease by one conditional write. A lost reply shows as a refusal whose row carries our own `attemptId`. */
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
        }`,
        ConditionExpression:
          '#status = :active AND epoch = :epoch AND (attribute_not_exists(refreshLease) OR refreshLease.expiresAtEpochSec <= :now)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':lease': lease,
          ':next': lease.epoch,
          ':attempt': request.attemptId,
          ':hash': request.attemptHash,
          ':active': 'active',
          ':epoch': known.epoch,
          ':now': request.nowEpochSec,
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
  const sets = [
    'encryptedAccessToken = :access',
    'accessTokenExpiresAtEpochSec = :expires',
    'grantedScopes = :scopes',
    'tokenEpoch = :epoch',
    'refreshAt = :refreshAt',
    'dueShard = :shard',
    'lastRefreshedAtEpochSec = :now',
    'failureCount = :zero',
  ];
  if (tokens.encryptedRefreshToken !== undefined) sets.push('encryptedRefreshToken = :refresh');
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(connection),
        UpdateExpression: `SET ${sets.join(', ')} REMOVE refreshLease, attemptHash, lostHash, retryAt`,
        ConditionExpression: 'epoch = :epoch AND #status = :active',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':access': tokens.encryptedAccessToken,
          ':expires': tokens.accessTokenExpiresAtEpochSec,
          ':scopes': tokens.grantedScopes,
          ':epoch': lease.epoch,
          ':refreshAt': tokens.refreshAtEpochSec,
          ':shard': dueShardOf(connection, DUE_SHARDS),
          ':now': tokens.nowEpochSec,
          ':zero': 0,
          ':active': 'active',
          ...(tokens.encryptedRefreshToken === undefined ? {} : { ':refresh': tokens.encryptedRefreshToken }),
        },
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
