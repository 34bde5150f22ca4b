import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { cancelledConditions, type Table } from '../platform/dynamodb/client.ts';
import { eventPut } from './event-item.store.ts';
import type { LifecycleEvent } from './lifecycle-event.rules.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

const ATTEMPTS = 5;

/**
 * Writes several items, all or none. Undefined when written; else which conditions did not hold, by position. A conflict
 * with another transaction is tried again under the same client token, so a lost reply cannot write twice (F79, F80).
 */
export async function writeTogether(table: Table, items: TransactItem[]): Promise<boolean[] | undefined> {
  const ClientRequestToken = randomUUID();
  for (let attempt = 0; ; attempt++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken }));
      return undefined;
    } catch (error) {
      const conditions = cancelledConditions(error);
      if (conditions !== undefined) return conditions;
      const cancelled = error instanceof Error && error.name === 'TransactionCanceledException';
      if (!cancelled || attempt + 1 === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** attempt * (0.5 + Math.random() / 2)));
    }
  }
}

/** Writes a change and the event that reports it, both or neither. False when the change's condition did not hold. */
export async function writeTransition(table: Table, change: TransactItem, event: LifecycleEvent): Promise<boolean> {
  return (await writeTogether(table, [change, eventPut(table.tableName, event)])) === undefined;
}
