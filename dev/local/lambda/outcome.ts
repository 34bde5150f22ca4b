/** How one invocation of a function can end. */
import type { IncomingMessage } from 'node:http';

/** The most bytes of an invocation's event, and of a result that is not streamed ("Lambda quotas"; Lambda's own message says it exactly). */
export const PAYLOAD_MAX_BYTES = 6_291_556;

/** A function's report of an error: the runtime client's own JSON. */
export interface FunctionError {
  errorType: string;
  errorMessage: string;
}

/**
 * - `buffered`: the result as JSON bytes.
 * - `streaming`: the response as it arrives; an error after the start is in the trailers, or cuts the stream.
 * - `failed`: the handler threw.
 * - `timed-out`: killed at its deadline before it answered.
 * - `crashed`: the process ended during the call, or never got as far as its handler.
 * - `throttled`: no process was free and too many calls waited.
 */
export type InvocationOutcome =
  | { kind: 'buffered'; payload: Buffer }
  | { kind: 'streaming'; body: IncomingMessage }
  | { kind: 'failed'; error: FunctionError }
  | { kind: 'timed-out' }
  | { kind: 'crashed'; reason: string }
  | { kind: 'throttled' };
