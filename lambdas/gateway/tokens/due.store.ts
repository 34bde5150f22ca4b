import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection, RefreshLease } from '../connections/connection.rules.ts';
import { factsToItem } from '../connections/connection-item.store.ts';
import { revivedChanges } from '../connections/listed-rows.store.ts';
import type { StoredTokens } from '../connections/ports.ts';
import { LISTED_HEALTH_ATTRIBUTES, TABLE } from '../contract.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { eventPut, writeTogether, writeTransition } from '../events/event.store.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { cloudProjectOf } from '../integrations/integration.rules.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { str } from '../platform/dynamodb/item-reader.ts';
import { connectionItemKey, connectionRefOfPk, grantKey } from '../platform/dynamodb/keys.ts';
import { tokenChange } from './lease.store.ts';
import type { ConnectionUpkeep, DuePosition } from './ports.ts';

/** A page of the due index: one kind of work, one shard. */
export interface DueQuery {
  /** Partition of the index; each kind of work has 64 of its own. */
  readonly shard: number;
  readonly untilEpochSec: number;
  readonly limit: number;
  readonly after?: DuePosition | undefined;
  /** First part of the partition keys of this kind of work. @default that of connections */
  readonly tag?: string;
}

/** Items whose work is due, by identity and sort key. */
export interface DueEntries {
  readonly entries: readonly { readonly ref: ConnectionRef; readonly sk: string }[];
  /** Undefined at the end of the shard. */
  readonly next: DuePosition | undefined;
}

/** Items whose work is due, oldest first; entries of another kind are passed over. */
export async function dueEntries({ client, tableName }: Table, query: DueQuery): Promise<DueEntries> {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: TABLE.indexes.due.name,
      KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
      ExpressionAttributeValues: { ':shard': query.shard, ':until': query.untilEpochSec },
      Limit: query.limit,
      ExclusiveStartKey: query.after,
    }),
  );
  const entries = Items.flatMap((item) => {
    const ref = connectionRefOfPk(str(item, 'pk'), query.tag);
    return ref === undefined ? [] : [{ ref, sk: str(item, 'sk') }];
  });
  return { entries, next: LastEvaluatedKey };
}

/**
 * New tokens with the events of what else they change, in one transaction under the lease's epoch. The first event continues
 * the row's sequence, so a repeat whose reply was lost fails on its own success. False when a condition did not hold.
 */
async function storeTokensWithEvents(
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
  const revivedAt = events[0]?.occurredAt ?? connection.updatedAt;
  const relisted = revived === undefined ? [] : revivedChanges(table, connection, revivedAt);
  return (await writeTogether(table, [update, ...puts, ...relisted])) === undefined;
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

/** Writes of the schedule and of recoveries. */
export function connectionUpkeep(table: Table): ConnectionUpkeep {
  const { client, tableName } = table;
  return {
    storeWithEvents: (connection, lease, tokens, events) =>
      storeTokensWithEvents(table, connection, lease, tokens, events),

    warn(connection, warning, event) {
      const given =
        warning.kind === 'expiry'
          ? {
              set: 'expiryWarnings = :number',
              condition: '(attribute_not_exists(expiryWarnings) OR expiryWarnings < :number)',
              values: { ':number': warning.number },
            }
          : {
              set: `limitWarned = :true, ${LISTED_HEALTH_ATTRIBUTES.facts} = :facts`,
              condition: 'attribute_not_exists(limitWarned)',
              values: { ':true': true, ':facts': factsToItem({ ...connection, limitWarned: true }) },
            };
      return writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: connectionItemKey(connection),
            UpdateExpression: `SET ${given.set}, #sequence = :sequence`,
            ConditionExpression: `#status = :active AND #sequence = :before AND ${given.condition}`,
            ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
            ExpressionAttributeValues: {
              ...given.values,
              ':active': 'active',
              ':sequence': event.sequence,
              ':before': event.sequence - 1,
            },
          },
        },
        event,
      );
    },

    async postpone(ref, refreshAtEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(ref),
            UpdateExpression: 'SET refreshAt = :refreshAt, failureCount = if_not_exists(failureCount, :zero) + :one',
            ConditionExpression: 'attribute_exists(dueShard)',
            ExpressionAttributeValues: { ':refreshAt': refreshAtEpochSec, ':zero': 0, ':one': 1 },
          }),
        ),
      );
    },

    async duePage(shard, untilEpochSec, limit, after) {
      const { entries, next } = await dueEntries(table, { shard, untilEpochSec, limit, after });
      return { refs: entries.map(({ ref }) => ref), next };
    },
  };
}
