import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The table as every store sees it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** One client per process, made outside the handler. Bounded: a hung call fails instead of holding a caller. */
export function openTable(tableName: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
  });
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tableName,
  };
}

/** True for the error of a condition that did not hold. */
export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** True when a transaction was cancelled because one of its conditions did not hold. */
export function isTransactionConditionFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return false;
  const reasons: unknown = 'CancellationReasons' in error ? error.CancellationReasons : undefined;
  return (
    Array.isArray(reasons) &&
    reasons.some((reason: unknown) => {
      return typeof reason === 'object' && reason !== null && 'Code' in reason && reason.Code === 'ConditionalCheckFailed';
    })
  );
}
