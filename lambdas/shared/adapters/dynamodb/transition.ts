import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { LifecycleEvent } from '../../domain/lifecycle-event.ts';
import { isTransactionConditionFailure, type Table } from './client.ts';
import { eventPut } from './event-item.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/**
 * Writes a change and the event that reports it, both or neither (faults F79 to F81). False when the change's condition
 * did not hold. The SDK repeats under one client token, so a lost reply cannot write twice.
 */
export async function writeTransition(table: Table, change: TransactItem, event: LifecycleEvent): Promise<boolean> {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: [change, eventPut(table.tableName, event)] }));
    return true;
  } catch (error) {
    if (isTransactionConditionFailure(error)) return false;
    throw error;
  }
}
