import type { Connection, RefreshLease } from '../connections/connection.rules.ts';
import type { StoredTokens } from '../connections/ports.ts';
import { eventPut } from '../events/event-item.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { writeTogether } from '../events/transition.store.ts';
import { cloudProjectOf } from '../integrations/integration.rules.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import { connectionItemKey, grantKey } from '../platform/dynamodb/keys.ts';
import { tokenChange } from './token-change.store.ts';

/**
 * New tokens with the events of what else they change, in one transaction under the lease's epoch. The first event continues
 * the row's sequence, so a repeat whose reply was lost fails on its own success. False when a condition did not hold.
 */
export async function storeTokensWithEvents(
  table: Table,
  connection: Connection,
  lease: RefreshLease,
  tokens: StoredTokens,
  events: readonly LifecycleEvent[],
): Promise<boolean> {
  const change = tokenChange(connection, lease, tokens);
  const revived = connection.death === undefined ? undefined : revival(connection);
  const sets = [...change.sets, '#sequence = :sequence', 'updatedAt = :updatedAt', ...(revived?.sets ?? [])];
  const removes = [...change.removes, ...(revived?.removes ?? [])];
  const update = {
    Update: {
      TableName: table.tableName,
      Key: connectionItemKey(connection),
      UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removes.join(', ')}`,
      ConditionExpression: 'epoch = :epoch AND #status = :from AND #sequence = :before',
      ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
      ExpressionAttributeValues: {
        ...change.values,
        ...revived?.values,
        ':from': connection.status,
        ':before': connection.sequence,
        ':sequence': connection.sequence + events.length,
        ':updatedAt': events[0]?.occurredAt ?? connection.updatedAt,
      },
    },
  };
  const puts = events.map((event) => eventPut(table.tableName, event));
  return (await writeTogether(table, [update, ...puts])) === undefined;
}

/** What makes a connection marked dead an active one, back in the index of grants. */
function revival({ clientId, providerAccount }: Connection) {
  const inIndex = providerAccount !== undefined;
  return {
    sets: ['#status = :active', ...(inIndex ? ['grantKey = :grantKey', 'grantClientId = :clientId'] : [])],
    removes: ['cause', 'death'],
    values: {
      ':active': 'active',
      ...(inIndex
        ? { ':grantKey': grantKey(cloudProjectOf(clientId), providerAccount.subject), ':clientId': clientId }
        : {}),
    },
  };
}
