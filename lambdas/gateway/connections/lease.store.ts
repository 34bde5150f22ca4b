import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { LISTED_HEALTH_ATTRIBUTES } from '../core/contract.ts';
import { LEASE_CLOCK_TOLERANCE_SEC } from '../core/limits.ts';
import { isConditionFailure, type Table } from '../platform/dynamodb/client.ts';
import { connectionItemKey } from '../platform/dynamodb/keys.ts';
import type { Connection, LeaseRelease, RefreshLease } from './connection.rules.ts';
import { connectionFromItem, factsToItem } from './connection-item.store.ts';
import { rowIn } from './connection-write.store.ts';
import type { LeaseRequest, LeaseResult } from './ports.ts';

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

/** Gives the lease back on condition that it is still this one; a later owner's lease is never touched. */
export async function releaseLease(
  table: Table,
  connection: Connection,
  lease: RefreshLease,
  next: LeaseRelease,
): Promise<void> {
  const { retryAtEpochSec: due, refusal } = next;
  // Lists say the error by which the provider refuses at present.
  const isTold = refusal?.toldAtEpochSec !== undefined;
  const sets = [
    'failureCount = :failures',
    ...(due === undefined ? [] : ['retryAt = :retryAt', 'refreshAt = :retryAt']),
    ...(refusal === undefined ? [] : ['refreshRefusal = :refusal']),
    ...(isTold ? [`${LISTED_HEALTH_ATTRIBUTES.facts} = :facts`] : []),
  ];
  const removed = [
    'refreshLease',
    ...(next.answered ? ['attemptHash'] : []),
    ...(due === undefined ? ['retryAt'] : []),
  ];
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key: connectionItemKey(connection),
        UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removed.join(', ')}`,
        ConditionExpression: 'epoch = :epoch AND refreshLease.#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':failures': next.failureCount,
          ':epoch': lease.epoch,
          ':owner': lease.owner,
          ...(due === undefined ? {} : { ':retryAt': due }),
          ...(refusal === undefined ? {} : { ':refusal': refusal }),
          ...(isTold ? { ':facts': factsToItem({ ...connection, refreshRefusal: refusal }) } : {}),
        },
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}

function storedItem(error: unknown): Connection | undefined {
  const row = rowIn(error);
  return row === undefined ? undefined : connectionFromItem(row);
}
