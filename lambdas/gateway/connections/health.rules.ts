import { ENDS_SOON_SEC } from '../core/limits.ts';
import type { ClientFaultMark } from '../integrations/integration.rules.ts';
import type { Connection } from './connection.rules.ts';

/** What a connection's calls are like, in one word. */
export const HEALTH_STATUSES = ['active', 'not_used_yet', 'failing', 'ends_soon', 'client_refused', 'dead'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** The provider's API refuses the connection's calls, although its grant lives. */
export interface CallFault {
  readonly status: number;
  /** The provider's reason. */
  readonly reason: string | undefined;
  readonly sinceEpochSec: number;
}

/** Whether a connection works, and what stands in its way. */
export interface ConnectionHealth {
  readonly status: HealthStatus;
  /** Cause of the death, the provider's reason or the token endpoint's error. */
  readonly reason: string | undefined;
  /** Of a death: whether the cause is certain. */
  readonly certain: boolean | undefined;
  readonly sinceEpochSec: number | undefined;
  /** Known end of the grant, if it is near. */
  readonly endsAtEpochSec: number | undefined;
}

/** Reasons of a 403 that concern the connection as a whole, not the file or calendar of one call (Google, "Resolve errors"). */
const REASONS_OF_CONNECTION = new Set([
  'accessNotConfigured',
  'authError',
  'domainPolicy',
  'insufficientPermissions',
  'insufficientScopes',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
  'SERVICE_DISABLED',
]);

/** Whether an answer of the provider's API refuses the connection rather than what one call was about. */
export function refusesConnection(status: number, reason: string | undefined): boolean {
  if (status === 401) return true;
  return status === 403 && reason !== undefined && REASONS_OF_CONNECTION.has(reason);
}

/**
 * The health of a connection. What stops every call comes first: a dead grant, a refused client, refused calls; then what
 * will.
 *
 * @param endsAtEpochSec known end of the grant, if there is one
 */
export function healthOf(
  connection: Connection,
  clientFault: ClientFaultMark | undefined,
  endsAtEpochSec: number | undefined,
  nowEpochSec: number,
): ConnectionHealth {
  const { death, callFault, lastUsedAtEpochSec, createdAt } = connection;
  const nothing = { reason: undefined, certain: undefined, sinceEpochSec: undefined, endsAtEpochSec: undefined };
  if (death !== undefined) {
    const sinceEpochSec = Math.floor(Date.parse(death.since) / 1000);
    return { ...nothing, status: 'dead', reason: death.cause, certain: death.certain, sinceEpochSec };
  }
  if (clientFault !== undefined) {
    const { error, sinceEpochSec } = clientFault;
    return { ...nothing, status: 'client_refused', reason: error, sinceEpochSec };
  }
  if (callFault !== undefined) {
    const { reason, status, sinceEpochSec } = callFault;
    return { ...nothing, status: 'failing', reason: reason ?? String(status), sinceEpochSec };
  }
  if (endsAtEpochSec !== undefined && endsAtEpochSec - nowEpochSec <= ENDS_SOON_SEC) {
    return { ...nothing, status: 'ends_soon', endsAtEpochSec };
  }
  // The row is made as if it had just been used, so that its token is kept fresh for the first call.
  const isUsed = lastUsedAtEpochSec !== undefined && lastUsedAtEpochSec > Math.floor(Date.parse(createdAt) / 1000);
  return { ...nothing, status: isUsed ? 'active' : 'not_used_yet' };
}
