import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { DUE_LOOK_MAX_ENTRIES, DUE_LOOK_REST_SEC, TTL_GRACE_SEC } from '../core/limits.ts';
import { isDone, num, type Table } from '../platform/dynamodb/client.ts';
import { sliceItemKey } from '../platform/dynamodb/keys.ts';
import type { DueIndex, SliceLeases } from './ports.ts';

/** Leases of slices, one item each, which TTL deletes once its slice is no longer swept. */
export function sliceLeases({ client, tableName }: Table): SliceLeases {
  return {
    take: (slice, owner, nowMs, leaseMs) =>
      isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: sliceItemKey(slice),
            UpdateExpression: 'SET leaseOwner = :owner, leaseExpiresAtMs = :until, #type = :type, #ttl = :ttl',
            // A holder whose clock was ahead must not block others for longer than two leases.
            ConditionExpression:
              'attribute_not_exists(leaseOwner) OR leaseOwner = :owner OR leaseExpiresAtMs <= :now OR leaseExpiresAtMs > :impossible',
            ExpressionAttributeNames: { '#type': 'type', '#ttl': TABLE.timeToLive },
            ExpressionAttributeValues: {
              ':owner': owner,
              ':until': nowMs + leaseMs,
              ':now': nowMs,
              ':impossible': nowMs + 2 * leaseMs,
              ':type': 'sweep_slice',
              ':ttl': Math.floor(nowMs / 1000) + TTL_GRACE_SEC,
            },
          }),
        ),
      ),

    async release(slice, owner) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: sliceItemKey(slice),
            UpdateExpression: 'REMOVE leaseOwner, leaseExpiresAtMs',
            ConditionExpression: 'leaseOwner = :owner',
            ExpressionAttributeValues: { ':owner': owner },
          }),
        ),
      );
    },
  };
}

/**
 * The whole due index: while it is small, a single read replaces a query of each partition. One that was too large is not read as a
 * whole again for an hour.
 */
export function dueIndex({ client, tableName }: Table): DueIndex {
  let restUntilEpochSec = 0;
  return {
    async duePartitions(first, last, untilEpochSec) {
      if (untilEpochSec < restUntilEpochSec) return undefined;
      const { name, partitionKey, sortKey } = TABLE.indexes.due;
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({
          TableName: tableName,
          IndexName: name,
          FilterExpression: '#shard BETWEEN :first AND :last AND #due <= :until',
          ExpressionAttributeNames: { '#shard': partitionKey, '#due': sortKey },
          ExpressionAttributeValues: { ':first': first, ':last': last, ':until': untilEpochSec },
          ProjectionExpression: '#shard',
          Limit: DUE_LOOK_MAX_ENTRIES,
        }),
      );
      if (LastEvaluatedKey === undefined) return new Set(Items.map((item) => num(item, partitionKey)));
      restUntilEpochSec = untilEpochSec + DUE_LOOK_REST_SEC;
      return undefined;
    },
  };
}
