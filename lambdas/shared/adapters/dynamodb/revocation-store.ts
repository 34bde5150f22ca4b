import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../contract.ts';
import type { ConnectionRef } from '../../domain/identifiers.ts';
import type { RevocationStore } from '../../ports.ts';
import { isConditionFailure, type Table } from './client.ts';
import { str } from './item-reader.ts';
import { connectionRefOfPk, revocationItemKey } from './keys.ts';
import { revocationFromItem, revocationShard, revocationToItem } from './revocation-item.ts';
import { writeTransition } from './transition.ts';

/** Grants of deleted connections that the provider is still to end; written by the deletion itself. */
export function revocationStore(table: Table): RevocationStore {
  const { client, tableName } = table;
  return {
    async read(ref) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: revocationItemKey(ref), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : revocationFromItem(Item);
    },

    async due(shard, untilEpochSec, limit) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: TABLE.indexes.due.name,
          KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
          ExpressionAttributeValues: { ':shard': revocationShard(shard), ':until': untilEpochSec },
          Limit: limit,
        }),
      );
      return Items.map((item) => connectionRefOfPk(str(item, 'pk'))).filter(
        (ref): ref is ConnectionRef => ref !== undefined,
      );
    },

    finish: (revocation, event) =>
      writeTransition(
        table,
        {
          Delete: {
            TableName: tableName,
            Key: revocationItemKey(revocation.ref),
            // A later deletion of a connection of the same name has put its own item here.
            ConditionExpression: 'requestedAtEpochSec = :requestedAt',
            ExpressionAttributeValues: { ':requestedAt': revocation.requestedAtEpochSec },
          },
        },
        event,
      ),

    async put(revocation) {
      await client.send(new PutCommand({ TableName: tableName, Item: revocationToItem(revocation) }));
    },

    async postpone(revocation, retryAtEpochSec) {
      try {
        await client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: revocationItemKey(revocation.ref),
            UpdateExpression: 'SET refreshAt = :retryAt, failureCount = :failures',
            ConditionExpression: 'requestedAtEpochSec = :requestedAt',
            ExpressionAttributeValues: {
              ':retryAt': retryAtEpochSec,
              ':failures': revocation.failureCount + 1,
              ':requestedAt': revocation.requestedAtEpochSec,
            },
          }),
        );
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    },
  };
}
