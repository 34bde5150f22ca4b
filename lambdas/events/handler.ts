import type { Context } from 'aws-lambda';
import { type BatchResponse, forwardEvents } from './forward-events.ts';
import { openForwarding } from './wiring.ts';

const dependencies = openForwarding();

/** Sends new events of the table from its stream to the bus. @throws Error for input other than a batch of records */
export function handler(batch: unknown, context: Context): Promise<BatchResponse> {
  const records: unknown = typeof batch === 'object' && batch !== null ? Reflect.get(batch, 'Records') : undefined;
  if (!Array.isArray(records)) throw new Error('This is no batch of a stream.');
  const deadlineMs = dependencies.clock.nowMs() + context.getRemainingTimeInMillis();
  return forwardEvents(dependencies, records, deadlineMs, context.awsRequestId);
}
