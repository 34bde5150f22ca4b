import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { CONSENTS_KEPT, UNUSED_GRANT_LIFETIME_SEC } from '../core/limits.ts';
import { isDone, numbers, type Table } from '../platform/dynamodb/client.ts';
import { consentLogItemKey } from '../platform/dynamodb/keys.ts';
import type { ConsentLog } from './ports.ts';

/** Times of the consents of provider accounts, one small item per account and OAuth client, newest last. */
export function consentLog(table: Table): ConsentLog {
  const { client, tableName } = table;
  return {
    async note(clientId, subject, atEpochSec) {
      const Key = consentLogItemKey(clientId, subject);
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key,
          UpdateExpression: `SET #type = :type, consentTimes = list_append(if_not_exists(consentTimes, :none), :one), ${TABLE.timeToLive} = :gone`,
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ':type': 'consent_log',
            ':none': [],
            ':one': [atEpochSec],
            ':gone': atEpochSec + UNUSED_GRANT_LIFETIME_SEC,
          },
          ReturnValues: 'ALL_NEW',
        }),
      );
      const times = Attributes === undefined ? [] : numbers(Attributes, 'consentTimes');
      if (times.length <= 2 * CONSENTS_KEPT) return;
      // A concurrent consent may win; the next one trims the list.
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key,
            UpdateExpression: 'SET consentTimes = :newest',
            ConditionExpression: 'size(consentTimes) = :count',
            ExpressionAttributeValues: { ':newest': times.slice(-CONSENTS_KEPT), ':count': times.length },
          }),
        ),
      );
    },

    async times(clientId, subject) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: consentLogItemKey(clientId, subject), ConsistentRead: true }),
      );
      return Item === undefined ? [] : numbers(Item, 'consentTimes');
    },

    async forget(clientId, subject) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: consentLogItemKey(clientId, subject) }));
    },
  };
}
