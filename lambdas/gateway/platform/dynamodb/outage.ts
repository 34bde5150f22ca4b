import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GatewayError } from '../../core/errors.ts';

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
export function reportOutages(client: DynamoDBClient): void {
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
