import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { connectionPk, EVENT_SK_PREFIX } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import type { ConnectionHistory } from './judge-connection.ts';

const TURNS = new Set(['ConnectionCreated', 'ConnectionReauthorized', 'ConnectionRestored', 'ConnectionDeleted']);

/** What the table's own trail says of a connection: it outlives the row by 400 days. */
export async function readHistory(table: Table, ref: ConnectionRef, runName: string): Promise<ConnectionHistory> {
  let deleted: boolean | undefined;
  let restoredFromHere = false;
  let lastSequence = 0;
  let grantRevokedAtEpochSec: number | undefined;
  let position: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
        ExpressionAttributeValues: { ':pk': connectionPk(ref), ':events': EVENT_SK_PREFIX },
        ConsistentRead: true,
        ScanIndexForward: false,
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    for (const { eventType, sequence, requestId, occurredAt } of Items) {
      if (deleted === undefined && TURNS.has(eventType)) deleted = eventType === 'ConnectionDeleted';
      if (eventType === 'ConnectionRestored' && requestId === runName) restoredFromHere = true;
      if (eventType === 'ConnectionGrantRevoked') grantRevokedAtEpochSec ??= Math.floor(Date.parse(occurredAt) / 1000);
      lastSequence = Math.max(lastSequence, Number(sequence) || 0);
    }
    position = LastEvaluatedKey;
  } while (position !== undefined);
  return { deleted: deleted === true, restoredFromHere, lastSequence, grantRevokedAtEpochSec };
}
