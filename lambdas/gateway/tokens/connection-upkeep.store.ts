import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { writeTransition } from '../events/transition.store.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { dueEntries } from '../platform/dynamodb/due-entries.ts';
import { connectionItemKey } from '../platform/dynamodb/keys.ts';
import type { ConnectionUpkeep } from './ports.ts';
import { storeTokensWithEvents } from './tokens-with-events.store.ts';

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
              set: 'limitWarned = :true',
              condition: 'attribute_not_exists(limitWarned)',
              values: { ':true': true },
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
