import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { EVENT_DETAIL_ATTRIBUTES, EVENT_ITEM_TYPE, EVENT_TYPE_ATTRIBUTE } from '../gateway/core/contract.ts';
import { HEARTBEAT_RETENTION_SEC } from '../gateway/core/limits.ts';
import { isDone, type Table } from '../gateway/platform/dynamodb/client.ts';
import { EVENT_SK_PREFIX, HEARTBEAT_PK } from '../gateway/platform/dynamodb/keys.ts';
import type { HeartbeatWriter } from '../gateway/ticks/ports.ts';

/** Event items in a partition of their own and in no list, so that no timeline or audit trail shows them. */
export function heartbeatWriter(table: Table): HeartbeatWriter {
  const nothing = Object.fromEntries(Object.values(EVENT_DETAIL_ATTRIBUTES).map((attribute) => [attribute, '']));
  return {
    async write({ eventId, eventType, occurredAt, accountId }) {
      const write = table.client.send(
        new PutCommand({
          TableName: table.tableName,
          Item: {
            ...nothing,
            pk: HEARTBEAT_PK,
            sk: EVENT_SK_PREFIX + eventId,
            type: EVENT_ITEM_TYPE,
            [EVENT_TYPE_ATTRIBUTE]: eventType,
            eventId,
            sequence: '0',
            occurredAt,
            accountId,
            expiresAtEpochSec: Math.floor(Date.parse(occurredAt) / 1000) + HEARTBEAT_RETENTION_SEC,
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      // Another process has written it.
      await isDone(write);
    },
  };
}
