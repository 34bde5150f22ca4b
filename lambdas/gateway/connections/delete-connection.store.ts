import { TABLE } from '../contract.ts';
import { TTL_GRACE_SEC } from '../core/limits.ts';
import { eventPut, writeTogether } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import type { PendingRevocation } from '../tokens/ports.ts';
import { revocationToItem } from '../tokens/revocation.store.ts';
import type { Connection } from './connection.rules.ts';
import { connectionToItem } from './connection-item.store.ts';

/**
 * Leaves a row without tokens or personal data, its event and, where asked for, the pending revocation: all or nothing
 * (TK-8). False when the row has changed or is deleted already.
 */
export async function deleteConnection(
  table: Table,
  connection: Connection,
  event: LifecycleEvent,
  revocation: PendingRevocation | undefined,
): Promise<boolean> {
  const { tableName } = table;
  const tombstone = {
    Put: {
      TableName: tableName,
      Item: {
        ...connectionToItem({
          ...connection,
          status: 'deleted',
          death: undefined,
          encryptedAccessToken: undefined,
          encryptedRefreshToken: undefined,
          refreshLease: undefined,
          attemptId: undefined,
          attemptHash: undefined,
          lostHash: undefined,
          endUser: undefined,
          tags: {},
          metadata: undefined,
          providerAccount: undefined,
          expiryWarnings: undefined,
          limitWarned: undefined,
          revocationRequested: revocation === undefined ? undefined : true,
          // A refresh in flight holds a lower epoch, so its answer can no longer be stored.
          epoch: connection.epoch + 1,
          sequence: event.sequence,
          updatedAt: event.occurredAt,
        }),
        [TABLE.timeToLive]: Math.floor(Date.parse(event.occurredAt) / 1000) + TTL_GRACE_SEC,
      },
      ConditionExpression: 'epoch = :epoch AND #sequence = :sequence AND #status <> :deleted',
      ExpressionAttributeNames: { '#sequence': 'sequence', '#status': 'status' },
      ExpressionAttributeValues: {
        ':epoch': connection.epoch,
        ':sequence': connection.sequence,
        ':deleted': 'deleted',
      },
    },
  };
  const pending =
    revocation === undefined ? [] : [{ Put: { TableName: tableName, Item: revocationToItem(revocation) } }];
  return (await writeTogether(table, [tombstone, eventPut(tableName, event), ...pending])) === undefined;
}
