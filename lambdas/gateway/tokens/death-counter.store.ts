import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { DEATH_INCIDENT_WINDOW_SEC, TTL_GRACE_SEC } from '../core/limits.ts';
import { isConditionFailure, type Table } from '../platform/dynamodb/client.ts';
import { deathCountItemKey } from '../platform/dynamodb/keys.ts';
import type { DeathCounter } from './ports.ts';

/** Deaths per integration in a window that begins with the first one; each caller gets a different number. */
export function deathCounter(table: Table): DeathCounter {
  return {
    async note(ref, nowEpochSec) {
      const Key = deathCountItemKey(ref);
      const windowStart = nowEpochSec - DEATH_INCIDENT_WINDOW_SEC;
      for (let attempt = 0; attempt < 3; attempt++) {
        const inWindow = await update(table, {
          Key,
          UpdateExpression: 'SET deathCount = deathCount + :one',
          ConditionExpression: 'windowStartEpochSec > :windowStart',
          ExpressionAttributeValues: { ':one': 1, ':windowStart': windowStart },
        });
        if (inWindow !== undefined) return inWindow;
        const first = await update(table, {
          Key,
          UpdateExpression: `SET #type = :type, windowStartEpochSec = :now, deathCount = :one, ${TABLE.timeToLive} = :gone`,
          ConditionExpression: 'attribute_not_exists(windowStartEpochSec) OR windowStartEpochSec <= :windowStart',
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ':type': 'death_count',
            ':now': nowEpochSec,
            ':one': 1,
            ':windowStart': windowStart,
            ':gone': nowEpochSec + TTL_GRACE_SEC,
          },
        });
        if (first !== undefined) return first;
      }
      return 1;
    },
  };
}

type Update = Pick<
  ConstructorParameters<typeof UpdateCommand>[0],
  'Key' | 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** The count after the update; undefined when its condition did not hold. */
async function update(table: Table, input: Update): Promise<number | undefined> {
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({ ...input, TableName: table.tableName, ReturnValues: 'ALL_NEW' }),
    );
    return typeof Attributes?.deathCount === 'number' ? Attributes.deathCount : undefined;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
