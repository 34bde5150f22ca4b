import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeTransition } from '../events/transition.store.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { dueEntries } from '../platform/dynamodb/due-entries.ts';
import { revocationItemKey, UNCONFIRMED_SK } from '../platform/dynamodb/keys.ts';
import type { RevocationStore } from './ports.ts';
import { revocationFromItem, revocationShard, revocationToItem } from './revocation-item.store.ts';

/** Grants that the provider is still to end; written by the deletion of their connection, or when nobody confirmed them. */
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
      const { entries } = await dueEntries(table, { shard: revocationShard(shard), untilEpochSec, limit });
      return entries.map(({ ref, sk }) => {
        const [kind, reconnectSession] = sk.split('#');
        return kind === UNCONFIRMED_SK ? { kind: 'unconfirmed', ref, reconnectSession } : { kind: 'revocation', ref };
      });
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
      await isDone(
        client.send(
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
        ),
      );
    },
  };
}
