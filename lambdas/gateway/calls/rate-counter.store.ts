import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { RATE_WINDOW_SEC } from '../core/limits.ts';
import { isConditionFailure, isDone, type Table } from '../platform/dynamodb/client.ts';
import { rateItemKey } from '../platform/dynamodb/keys.ts';
import type { RateCounter } from './ports.ts';

/**
 * Uses per account and window, one item each. One conditional write both counts and judges, so concurrent callers cannot exceed
 * the limit together. TTL deletes a window's item after its end.
 */
export function rateCounter(table: Table): RateCounter {
  return {
    async count(accountId, use, most, nowEpochSec, windowSec = RATE_WINDOW_SEC) {
      const window = Math.floor(nowEpochSec / windowSec);
      try {
        await table.client.send(
          new UpdateCommand({
            TableName: table.tableName,
            Key: rateItemKey(accountId, use, window),
            UpdateExpression: `SET #type = :type, ${TABLE.timeToLive} = :gone ADD useCount :one`,
            ConditionExpression: 'attribute_not_exists(useCount) OR useCount < :most',
            ExpressionAttributeNames: { '#type': 'type' },
            ExpressionAttributeValues: {
              ':type': 'rate_count',
              ':gone': (window + 2) * windowSec,
              ':one': 1,
              ':most': most,
            },
          }),
        );
        return true;
      } catch (error) {
        if (isConditionFailure(error)) return false;
        throw error;
      }
    },

    async giveBack(accountId, use, countedAtEpochSec) {
      const window = Math.floor(countedAtEpochSec / RATE_WINDOW_SEC);
      await isDone(
        table.client.send(
          new UpdateCommand({
            TableName: table.tableName,
            Key: rateItemKey(accountId, use, window),
            UpdateExpression: 'ADD useCount :minusOne',
            // The item of a past window may be deleted already and must not be created again.
            ConditionExpression: 'useCount > :zero',
            ExpressionAttributeValues: { ':minusOne': -1, ':zero': 0 },
          }),
        ),
      );
    },
  };
}
