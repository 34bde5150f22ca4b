import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { GatewayError } from '../../core/errors.ts';
import type { OnUnreadable } from './item-reader.ts';

/** Client faults that pass by themselves: the table has too much to do. */
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottledException',
]);

/**
 * True when the table did not answer, or answered that it cannot just now. Refused rights, broken conditions and malformed
 * requests are none: they do not pass by waiting.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (THROTTLES.has(error.name)) return true;
  // The SDK marks what a service answered; what has no mark never got an answer.
  const fault: unknown = '$fault' in error ? error.$fault : undefined;
  return fault === undefined ? error.name === 'TimeoutError' || 'code' in error : fault === 'server';
}

/** Turns an outage that outlasted the SDK's own repeats into a 503 that says so, wherever the table was needed (F45). */
function reportOutages(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!isOutage(error)) throw error;
        throw new GatewayError('service_unavailable', 'The gateway cannot reach its storage right now. Try again.', {
          retryAfterSec: 1,
          cause: error,
        });
      }
    },
    { step: 'initialize', name: 'reportOutages', priority: 'high' },
  );
}

/** The table as every store sees it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  /** Told of each row that a list leaves out because it cannot be read. */
  readonly onUnreadable: OnUnreadable;
}

/**
 * One client per process, made outside the handler. Bounded: a hung call fails instead of holding a caller.
 *
 * @param onUnreadable told of each row that a list leaves out
 * @param maxAttempts requests of one call, the first included
 */
export function openTable(tableName: string, onUnreadable: OnUnreadable = () => {}, maxAttempts = 4): Table {
  const client = new DynamoDBClient({
    maxAttempts,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
  });
  reportOutages(client);
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
