import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { cloudProjectOf } from '../../domain/integration.ts';
import type { ConnectionUpkeep } from '../../ports.ts';
import { isDone, type Table } from './client.ts';
import { dueEntries } from './due-entries.ts';
import { connectionItemKey, grantKey } from './keys.ts';
import { tokenChange } from './token-change.ts';
import { writeTransition } from './transition.ts';

/** Writes of the schedule and of recoveries. */
export function connectionUpkeep(table: Table): ConnectionUpkeep {
  const { client, tableName } = table;
  return {
    revive(connection, lease, tokens, event) {
      const change = tokenChange(connection, lease, tokens);
      const subject = connection.providerAccount?.subject;
      const sets = [...change.sets, '#status = :active', '#sequence = :sequence', 'updatedAt = :updatedAt'];
      if (subject !== undefined) sets.push('grantKey = :grantKey', 'grantClientId = :clientId');
      return writeTransition(
        table,
        {
          Update: {
            TableName: tableName,
            Key: connectionItemKey(connection),
            UpdateExpression: `SET ${sets.join(', ')} REMOVE ${change.removes.join(', ')}, cause, death`,
            ConditionExpression: 'epoch = :epoch AND #status = :dead AND #sequence = :before',
            ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
            ExpressionAttributeValues: {
              ...change.values,
              ':active': 'active',
              ':dead': 'reauthorization_required',
              ':sequence': event.sequence,
              ':before': event.sequence - 1,
              ':updatedAt': event.occurredAt,
              ...(subject === undefined
                ? {}
                : {
                    ':grantKey': grantKey(cloudProjectOf(connection.clientId), subject),
                    ':clientId': connection.clientId,
                  }),
            },
          },
        },
        event,
      );
    },

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

    duePage: (shard, untilEpochSec, limit, after) => dueEntries(table, { shard, untilEpochSec, limit, after }),
  };
}
