import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { LISTED_HEALTH_ATTRIBUTES } from '../contract.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { CALLS_REPORT_TIMEOUT_MS } from '../core/limits.ts';
import { isDone, type Table } from '../platform/dynamodb/client.ts';
import { connectionItemKey } from '../platform/dynamodb/keys.ts';
import type { CallFaultStore } from './ports.ts';

/** Marks connections whose calls the provider refuses, and takes the mark away. Once each, beside a call. */
export function callFaults({ client, tableName }: Table): CallFaultStore {
  const bounded = () => ({ abortSignal: AbortSignal.timeout(CALLS_REPORT_TIMEOUT_MS) });
  const names = { '#status': 'status', '#listed': LISTED_HEALTH_ATTRIBUTES.callFault };
  return {
    async mark(ref: ConnectionRef, fault) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(ref),
            UpdateExpression: 'SET callFault = :fault, #listed = :fault',
            ConditionExpression: '#status = :active AND attribute_not_exists(callFault)',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: { ':fault': fault, ':active': 'active' },
          }),
          bounded(),
        ),
      );
    },
    async clear(ref: ConnectionRef) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: connectionItemKey(ref),
            UpdateExpression: 'REMOVE callFault, #listed',
            ConditionExpression: '#status = :active',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: { ':active': 'active' },
          }),
          bounded(),
        ),
      );
    },
  };
}
