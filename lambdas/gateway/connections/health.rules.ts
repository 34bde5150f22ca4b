import { ENDS_SOON_SEC } from '../core/limits.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { CallFault, Connection, ListedEnd, ListedFacts } from './connection.rules.ts';
import { isDeclaredTesting, knownEnd } from './forecast.rules.ts';

/** What a connection's calls are like, in one word. */
export const HEALTH_STATUSES = [
  'active',
  'not_used_yet',
  'failing',
  'ends_soon',
  'refused_by_provider',
  'client_refused',
  'dead',
] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** Whether a connection works, and what stands in its way. */
export interface ConnectionHealth {
  readonly status: HealthStatus;
  /** Cause of the death, the provider's reason, the token endpoint's error about client or connection, or why the grant ends. */
  readonly reason: string | undefined;
  /** Of a death: whether the cause is certain. */
  readonly certain: boolean | undefined;
  readonly sinceEpochSec: number | undefined;
  /** Known end of the grant, if it is near. */
  readonly endsAtEpochSec: number | undefined;
}

/** Reasons of a 403 that concern the connection as a whole, not the file or calendar of one call (Google, "Resolve errors"). */
const REASONS_OF_CONNECTION = new Set<string | undefined>([
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
  return status === 403 && REASONS_OF_CONNECTION.has(reason);
}

/** What a list shows of a connection that its health follows from. */
export interface HealthSubject {
  readonly status: string;
  readonly cause: string | undefined;
  readonly callFault?: CallFault | undefined;
  /** Undefined where it is not known. */
  readonly facts: ListedFacts | undefined;
}

/** The integration of a connection, as far as the health of its connections follows from it. */
export type HealthContext = Pick<Integration, 'clientFault' | 'publishingStatus' | 'audience'>;

/** When a connection was made, epoch seconds. */
function madeAt({ createdAt }: Pick<Connection, 'createdAt'>): number {
  return Math.floor(Date.parse(createdAt) / 1000);
}

/** Whether somebody has called since a connection was made: its row says at first that it was used in the second in which it was made. */
export function isUsed(connection: Pick<Connection, 'createdAt' | 'lastUsedAtEpochSec'>): boolean {
  return (connection.lastUsedAtEpochSec ?? 0) > madeAt(connection);
}

/**
 * The second of a use as the row keeps it: never that of its making or one before, which a row has without a use. So the call of
 * the first second counts, and that of a process whose clock lags.
 *
 * @returns epoch seconds
 */
export function useAt(connection: Pick<Connection, 'createdAt'>, nowEpochSec: number): number {
  return Math.max(nowEpochSec, madeAt(connection) + 1);
}

/** The facts that lists know of a connection. */
export function listedFactsOf(connection: Omit<Connection, 'death'> & Partial<Pick<Connection, 'death'>>): ListedFacts {
  const { death, refreshRefusal: refusal } = connection;
  const end = knownEnd(connection, false);
  return {
    isUsed: isUsed(connection),
    end: end === undefined ? undefined : { kind: end.kind, atEpochSec: end.atEpochSec },
    endIfTestingEpochSec: end === undefined ? knownEnd(connection, true)?.atEpochSec : undefined,
    limitWarned: connection.limitWarned === true,
    death:
      death === undefined
        ? undefined
        : { certain: death.certain, sinceEpochSec: Math.floor(Date.parse(death.since) / 1000) },
    refusal:
      refusal?.toldAtEpochSec === undefined
        ? undefined
        : { error: refusal.error, sinceEpochSec: refusal.sinceEpochSec },
  };
}

/** A connection itself as a list would show it. */
export function healthSubjectOf(connection: Connection): HealthSubject {
  const { status, death, callFault } = connection;
  return { status, cause: death?.cause, callFault, facts: listedFactsOf(connection) };
}

/** The known end of a live grant, told from what lists know. */
export function listedEnd({ status, facts }: HealthSubject, app: HealthContext | undefined): ListedEnd | undefined {
  if (status !== 'active' || facts === undefined) return undefined;
  const { end, endIfTestingEpochSec: atEpochSec } = facts;
  if (atEpochSec === undefined || app === undefined || !isDeclaredTesting(app)) return end;
  return { kind: 'testing_mode', atEpochSec };
}

/**
 * The health of a connection. What stops every call comes first: a dead grant, a refused client, tokens that are not renewed,
 * refused calls; then what will.
 *
 * @param integration undefined where it is gone
 */
export function healthOf(
  subject: HealthSubject,
  integration: HealthContext | undefined,
  nowEpochSec: number,
): ConnectionHealth {
  const { status, cause, callFault, facts } = subject;
  const nothing = { reason: undefined, certain: undefined, sinceEpochSec: undefined, endsAtEpochSec: undefined };
  if (status !== 'active') {
    return { ...nothing, status: 'dead', reason: cause ?? 'unknown', ...facts?.death };
  }
  if (integration?.clientFault !== undefined) {
    const { error, sinceEpochSec } = integration.clientFault;
    return { ...nothing, status: 'client_refused', reason: error, sinceEpochSec };
  }
  if (facts?.refusal !== undefined) {
    const { error, sinceEpochSec } = facts.refusal;
    return { ...nothing, status: 'refused_by_provider', reason: error, sinceEpochSec };
  }
  if (callFault !== undefined) {
    const { reason, status: answered, sinceEpochSec } = callFault;
    return { ...nothing, status: 'failing', reason: reason ?? String(answered), sinceEpochSec };
  }
  const end = listedEnd(subject, integration);
  if (end !== undefined && end.atEpochSec - nowEpochSec <= ENDS_SOON_SEC) {
    return { ...nothing, status: 'ends_soon', reason: end.kind, endsAtEpochSec: end.atEpochSec };
  }
  return { ...nothing, status: facts === undefined || facts.isUsed ? 'active' : 'not_used_yet' };
}

/** The health of a connection in its one word, as its events carry it. @param integration as in `healthOf` */
export function healthWord(
  connection: Connection,
  integration: HealthContext | undefined,
  nowEpochSec: number,
): HealthStatus {
  return healthOf(healthSubjectOf(connection), integration, nowEpochSec).status;
}
