import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import type { ItemKey } from '../platform/dynamodb/keys.ts';
import type { ClientFaultMark } from './integration.rules.ts';
import type { SuspectedFault } from './suspected-fault.rules.ts';

/** Puts off the next token call of an integration whose client is refused, without another event; the latest refusal names the error. */
export async function moveCoolDown(table: Table, Key: ItemKey, mark: ClientFaultMark): Promise<void> {
  await isDone(
    table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key,
        UpdateExpression: 'SET clientFault.retryAtEpochSec = :retryAt, clientFault.#error = :error',
        ConditionExpression: 'attribute_exists(clientFault) AND clientFault.retryAtEpochSec < :retryAt',
        ExpressionAttributeNames: { '#error': 'error' },
        ExpressionAttributeValues: { ':retryAt': mark.retryAtEpochSec, ':error': mark.error },
      }),
    ),
  );
}

/**
 * Replaces what is suspected of an integration's client, on condition that it is still what was read: its version stays, since
 * nothing an operator set changes. False when another process was faster.
 */
export function replaceSuspicion(
  table: Table,
  Key: ItemKey,
  before: SuspectedFault | undefined,
  next: SuspectedFault,
): Promise<boolean> {
  return isDone(
    table.client.send(
      new UpdateCommand({
        TableName: table.tableName,
        Key,
        UpdateExpression: 'SET suspectedFault = :next',
        ConditionExpression:
          before === undefined
            ? 'attribute_exists(pk) AND attribute_not_exists(suspectedFault)'
            : 'suspectedFault.sinceEpochSec = :since AND suspectedFault.#error = :error AND suspectedFault.refuted = :refuted AND size(suspectedFault.connectionIds) = :count',
        ...(before === undefined ? {} : { ExpressionAttributeNames: { '#error': 'error' } }),
        ExpressionAttributeValues: {
          ':next': next,
          ...(before === undefined
            ? {}
            : {
                ':since': before.sinceEpochSec,
                ':error': before.error,
                ':refuted': before.refuted,
                ':count': before.connectionIds.length,
              }),
        },
      }),
    ),
  );
}
