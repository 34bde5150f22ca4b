import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isConditionFailure, type Table } from './client.ts';
import type { ItemKey } from './keys.ts';

/** Puts off the next token call of an integration whose client is refused, without another event. */
export async function moveCoolDown(table: Table, Key: ItemKey, retryAtEpochSec: number): Promise<void> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key,
        UpdateExpression: 'SET clientFault.retryAtEpochSec = :retryAt',
        ConditionExpression: 'attribute_exists(clientFault) AND clientFault.retryAtEpochSec < :retryAt',
        ExpressionAttributeValues: { ':retryAt': retryAtEpochSec },
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
