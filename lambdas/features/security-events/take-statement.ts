import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, wrongMethod } from '../../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../../gateway/core/http-message.ts';
import { INBOX_BODY_MAX_BYTES } from '../../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../../gateway/core/ports.ts';
import { SECURITY_EVENT_AUDIENCES_MAX, SECURITY_EVENTS_PER_SEC, STATEMENT_NOTE_INTERVAL_SEC } from './limits.rules.ts';
import type { SecurityProject, StatementInbox, StatementRef } from './ports.ts';
import {
  isToBeWorkedOn,
  projectOfAudience,
  readStatement,
  type StatedEvents,
  type Statement,
} from './statement.rules.ts';

export interface TakeStatementDependencies {
  readonly statements: StatementInbox;
  /** Verifies who signed a text; see `statementVerifier`. */
  readonly verify: (
    token: string,
  ) => Promise<
    | { readonly kind: 'signed'; readonly claims: Readonly<Record<string, unknown>>; readonly issuer: string }
    | { readonly kind: 'invalid' }
    | { readonly kind: 'unavailable' }
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Starts the work that follows; where this fails, the next sweep does. */
  readonly wake: (ref: StatementRef) => Promise<void>;
  /** Statements from each address in the current second, in this process. */
  readonly recent: Map<string, number>;
}

/**
 * Takes one security event token from Google. 202 when it is stored as evidence and as work to do, also for one that was there
 * already (RI-11, RI-13); 400 for a text that Google did not sign as a statement for a registered project (RI-12). One that cannot be
 * checked or stored now is a 503, which Google repeats.
 *
 * @throws GatewayError `invalid_body`, `method_not_allowed`, `request_too_large`, `rate_limited`, `service_unavailable`
 */
export async function takeStatement(
  deps: TakeStatementDependencies,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  if (request.method !== 'POST') throw wrongMethod('Google sends its statements with POST.', ['POST']);
  boundRate(deps, request.sourceIp);
  const body = request.body ?? new Uint8Array();
  if (body.length > INBOX_BODY_MAX_BYTES) {
    throw new GatewayError('request_too_large', 'A statement is smaller than 64 KB.');
  }
  const judged = await deps.verify(Buffer.from(body).toString('utf8').trim());
  if (judged.kind === 'unavailable') {
    throw new GatewayError('service_unavailable', 'The keys of the issuer cannot be read now. Send it again.', {
      retryAfterSec: 1,
    });
  }
  if (judged.kind !== 'signed') throw refused(deps, 'not_signed', request);
  const stated = readStatement(judged.claims, judged.issuer);
  if (typeof stated === 'string') throw refused(deps, stated, request);
  const projects = await registeredProjects(deps, stated);
  if (projects.length === 0) throw refused(deps, 'foreign_audience', request);
  for (const project of projects) await takeFor(deps, project, stated, request.requestId);
  if (stated.unknownTypes > 0) deps.metrics.count('SecurityEvent', { outcome: 'unknown_type' }, stated.unknownTypes);
  return { status: 202, headers: [['x-request-id', request.requestId]], body: undefined };
}

async function takeFor(
  deps: TakeStatementDependencies,
  project: SecurityProject,
  { jti, issuedAtEpochSec, events }: StatedEvents,
  requestId: string,
): Promise<void> {
  const now = epochSecNow(deps.clock);
  const { cloudProject } = project;
  for (const [index, event] of events.entries()) {
    const statement: Statement = {
      cloudProject,
      jti,
      index,
      event,
      // A time in the future would outlast its evidence.
      issuedAtEpochSec: Math.min(issuedAtEpochSec, now),
      receivedAtEpochSec: now,
    };
    const isDue = isToBeWorkedOn(event);
    // Stored before the work that reads it, and again with every repeat, so that a storage failure between the two loses nothing.
    await deps.statements.keepEvidence(statement);
    const isNew = await deps.statements.keep(statement, isDue);
    deps.metrics.count('SecurityEvent', { outcome: isNew ? 'kept' : 'repeated' });
    if (isNew && isDue) await wake(deps, statement, requestId);
  }
  const isVerified = events.some(
    ({ type, state }) => type === 'verification' && state !== undefined && state === project.verificationState,
  );
  const isQuiet = now - (project.lastStatementAtEpochSec ?? 0) >= STATEMENT_NOTE_INTERVAL_SEC;
  if (isVerified || isQuiet) await deps.statements.noteStatement(project, now, isVerified);
}

async function wake(deps: TakeStatementDependencies, statement: Statement, requestId: string): Promise<void> {
  const { cloudProject, jti, index } = statement;
  try {
    await deps.wake({ cloudProject, jti, index });
  } catch (error) {
    deps.metrics.count('SecurityEventWakeFailed');
    deps.logger.error('the work of a security event could not be started; the next sweep does', { requestId }, error);
  }
}

async function registeredProjects(
  { statements }: TakeStatementDependencies,
  { audience }: StatedEvents,
): Promise<readonly SecurityProject[]> {
  const named = audience.slice(0, SECURITY_EVENT_AUDIENCES_MAX).flatMap((one) => projectOfAudience(one) ?? []);
  const read = await Promise.all([...new Set(named)].map((one) => statements.project(one)));
  return read.filter((one) => one !== undefined);
}

/** Logs which check failed, and nothing of the sent text. */
function refused({ metrics, logger }: TakeStatementDependencies, cause: string, { requestId }: GatewayRequest) {
  metrics.count('SecurityEvent', { outcome: 'refused' });
  logger.warn('a security event was refused', { requestId, cause });
  return new GatewayError('invalid_body', 'This is no statement of Google for a project that is registered here.');
}

/** Counted in memory of this process: an address that exceeds the rate is refused before any other work. */
function boundRate({ recent, clock, metrics }: TakeStatementDependencies, address: string): void {
  const second = Math.floor(clock.nowMs() / 1000);
  const key = `${second} ${address}`;
  const count = (recent.get(key) ?? 0) + 1;
  if (count === 1) {
    for (const other of recent.keys()) if (!other.startsWith(`${second} `)) recent.delete(other);
  }
  recent.set(key, count);
  if (count <= SECURITY_EVENTS_PER_SEC) return;
  metrics.count('RateLimited', { limit: 'address' });
  throw new GatewayError(
    'rate_limited',
    `One address may send at most ${SECURITY_EVENTS_PER_SEC} statements a second.`,
    {
      retryAfterSec: 1,
    },
  );
}
