import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AWS_CALL_LIMITS, awsClient, reportOutages } from '../aws-client.ts';
import type { OnUnreadable } from './item-reader.ts';

/** The table as every store sees it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  /** Told of each row that a list leaves out because it cannot be read. */
  readonly onUnreadable: OnUnreadable;
}

/** Who is told of what a store does not say itself. */
export interface TableEvents {
  /** A list leaves out a row that cannot be read. */
  readonly onUnreadable?: OnUnreadable;
  /** A request is refused because the table, or a part of it, has too much to do. */
  readonly onThrottled?: () => void;
}

/**
 * One client per process, made outside the handler.
 *
 * @param limits of its calls
 */
export function openTable(tableName: string, told: TableEvents = {}, limits = AWS_CALL_LIMITS): Table {
  const { onUnreadable = () => {}, onThrottled } = told;
  const client = awsClient(DynamoDBClient, limits, undefined, onThrottled);
  reportOutages(client, 'its storage');
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tableName,
    onUnreadable,
  };
}

/** True for the error of a condition that did not hold. */
export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/**
 * Tells of a conditional write whether it was done; false when its condition did not hold.
 *
 * @throws whatever else went wrong
 */
export async function isDone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}

/**
 * Which conditions of a cancelled transaction did not hold, by position; undefined for any other failure. A conflict with
 * another transaction counts as no condition: the SDK has repeated it by then.
 */
export function cancelledConditions(error: unknown): boolean[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons: unknown = 'CancellationReasons' in error ? error.CancellationReasons : undefined;
  if (!Array.isArray(reasons)) return undefined;
  const failed = reasons.map(
    (reason: unknown) =>
      typeof reason === 'object' && reason !== null && 'Code' in reason && reason.Code === 'ConditionalCheckFailed',
  );
  return failed.includes(true) ? failed : undefined;
}
