import type { ConnectionRef } from '../core/identifiers.ts';
import { CALL_LOG_ROWS_PER_DAY, CALL_LOG_THINNED_TO, CALL_REASON_MAX_LENGTH } from '../core/limits.ts';
import { isHeldCall } from './call-line.rules.ts';

/** One proxied call in the call log: no query, header or body, and no id of a file, event or calendar (CL-10). */
export interface CallRecord extends ConnectionRef {
  /** ULID of the moment the call ended: sorts by time, and names the row. */
  readonly callId: string;
  readonly requestId: string;
  /** When it began, ISO 8601 UTC. */
  readonly startedAt: string;
  /** Start of the secret key's digest, as in the audit trail. */
  readonly keyId: string;
  readonly method: string;
  /** Pattern of the path, or `UNMATCHED`; never the path itself. */
  readonly path: string;
  readonly status: number;
  /** Code of the gateway's own answer; undefined where the provider answered. */
  readonly gatewayCode: string | undefined;
  /** The provider's reason of a failure. */
  readonly reason: string | undefined;
  /** Milliseconds until the provider's status line; undefined where none came. */
  readonly headMs: number | undefined;
  /** Milliseconds until the last byte had left. */
  readonly totalMs: number;
  /** Requests sent to the provider. */
  readonly attempts: number;
  /** Whether the call waited for a new access token. */
  readonly refreshed: boolean;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Whether the answer reached its end. */
  readonly complete: boolean;
  /** How many calls the row stands for: 1, or those of a thinned day. */
  readonly standsFor: number;
}

/** The provider's reason, if it is safe to keep: an identifier, as all of Google's are; any other text could be the caller's. */
export function keptReason(reason: string | undefined): string | undefined {
  if (reason === undefined || reason.length > CALL_REASON_MAX_LENGTH) return undefined;
  return /^[A-Za-z][A-Za-z0-9_.]*$/.test(reason) ? reason : undefined;
}

/** Methods that may be kept as they came. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method, if it is safe to keep: a caller may send any word instead. */
export function keptMethod(method: string): string {
  return METHODS.has(method) ? method : 'OTHER';
}

/**
 * How many calls the next row stands for, or 0 for a call without a row: past the daily maximum of rows every tenth call has one.
 *
 * @param before calls of the connection and day that were to leave a row so far, in every process
 * @param beyond those of this process that came past the daily maximum
 */
export function rowWeight(before: number, beyond: number): number {
  if (before < CALL_LOG_ROWS_PER_DAY) return 1;
  return beyond % CALL_LOG_THINNED_TO === 0 ? CALL_LOG_THINNED_TO : 0;
}

/** Which rows of a list are wanted. */
export interface CallFilter {
  /** Lowest and highest status, both included. */
  readonly statuses: { readonly from: number; readonly to: number } | undefined;
  /** Ends at or after this moment. */
  readonly sinceMs: number | undefined;
}

/** How calls fail, as the list of an account's failed calls distinguishes them. */
export const FAILURE_KINDS = ['provider_failed', 'rate_limited', 'gateway_failed', 'refused', 'broken_off'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/**
 * How a call failed; undefined for one that did not, and for one that waits for a person's approval. A refusal is any other 4xx, of the
 * provider or of the gateway.
 */
export function failureOf(call: Pick<CallRecord, 'status' | 'gatewayCode' | 'complete'>): FailureKind | undefined {
  const isGateways = call.gatewayCode !== undefined;
  if (isHeldCall(call.gatewayCode)) return undefined;
  if (call.status >= 500) return isGateways ? 'gateway_failed' : 'provider_failed';
  if (call.status === 429 && !isGateways) return 'rate_limited';
  if (call.status >= 400) return 'refused';
  return call.complete ? undefined : 'broken_off';
}

/** Which of an account's failed calls are wanted; undefined = all. */
export interface FailureFilter {
  readonly kind: FailureKind | undefined;
  /** The provider's reason, or the code of the gateway's own answer. */
  readonly reason: string | undefined;
  readonly status: number | undefined;
  /** Start of the secret key's digest. */
  readonly keyId: string | undefined;
  readonly integrationIds: readonly string[] | undefined;
  readonly connectionId: string | undefined;
  /** Ended at or after this moment. */
  readonly sinceMs: number | undefined;
  /** Ended before this moment. */
  readonly untilMs: number | undefined;
}

/** Whether a failed call matches a filter; its time is not compared. */
export function isWantedFailure(call: CallRecord, wanted: FailureFilter): boolean {
  return (
    (wanted.kind === undefined || failureOf(call) === wanted.kind) &&
    (wanted.reason === undefined || call.reason === wanted.reason || call.gatewayCode === wanted.reason) &&
    (wanted.status === undefined || call.status === wanted.status) &&
    (wanted.keyId === undefined || call.keyId === wanted.keyId) &&
    (wanted.integrationIds === undefined || wanted.integrationIds.includes(call.integrationId)) &&
    (wanted.connectionId === undefined || call.connectionId === wanted.connectionId)
  );
}

/** Whether a filter restricts nothing but the time. */
export function isEveryFailure({ kind, reason, status, keyId, integrationIds, connectionId }: FailureFilter): boolean {
  return [kind, reason, status, keyId, integrationIds, connectionId].every((one) => one === undefined);
}
