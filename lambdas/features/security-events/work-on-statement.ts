import { createHash } from 'node:crypto';
import type { Connection } from '../../gateway/connections/connection.rules.ts';
import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { deadOfAccount, ofToken } from '../../gateway/connections/index-rows.rules.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { Gate } from '../../gateway/core/gate.ts';
import { type GrantDeath, whatHappened } from '../../gateway/core/grant-death.ts';
import {
  type ConnectionRef,
  cloudProjectOf,
  connectionRefKey,
  keptPrint,
  type ListName,
  printsOfToken,
  ulid,
} from '../../gateway/core/identifiers.ts';
import { SWEEP_PAGE_SIZE } from '../../gateway/core/limits.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { DueWorkDependencies } from '../../gateway/feature-dependencies.ts';
import { refreshTokenContext } from '../../gateway/tokens/ciphertexts.rules.ts';
import { deathWithEvidence } from '../../gateway/tokens/diagnosis.rules.ts';
import { refreshBackoffSec } from '../../gateway/tokens/freshness.rules.ts';
import { refOf } from '../../gateway/tokens/lease.ts';
import {
  STATEMENT_BUDGET_MS,
  STATEMENT_CONNECTIONS_MAX,
  STATEMENT_REFRESHES_AT_ONCE,
  STATEMENT_WORK_SEC,
} from './limits.rules.ts';
import type { DueStatement, SecurityProjects, StatementQueue, StatementRef } from './ports.ts';

export interface StatementWorkDependencies extends Omit<DueWorkDependencies, 'table'> {
  readonly statements: StatementQueue;
  readonly projects: Pick<SecurityProjects, 'read'>;
}

/** One run: its deadline, and the request id of its log lines. */
interface Run {
  readonly untilMs: number;
  readonly requestId: string;
}

/**
 * Acts on a statement of the provider (RI-10): each connection that it may concern is refreshed at once, and only the
 * provider's answer decides whether the grant is dead. For a connection that died earlier with a guessed cause, the statement makes the
 * cause certain. A repetition changes nothing.
 *
 * @param untilMs work that has not begun by then is postponed
 * @returns whether all of it is done; undefined where there is nothing to do
 */
export async function workOnStatement(
  deps: StatementWorkDependencies,
  ref: StatementRef,
  untilMs: number,
  requestId: string,
): Promise<boolean | undefined> {
  const statement = await deps.statements.read(ref);
  if (statement === undefined) return undefined;
  try {
    const concerned = await connectionsOf(deps, statement);
    const gate = new Gate(STATEMENT_REFRESHES_AT_ONCE);
    const work = concerned.map((connection) =>
      gate.run(() => workOnConnection(deps, statement, connection, { untilMs, requestId })),
    );
    // All of it is awaited, so that a failure for one connection does not keep another from its work.
    await Promise.allSettled(work);
    if ((await Promise.all(work)).every((isDone) => isDone)) {
      await deps.statements.finish(statement);
      return true;
    }
  } catch (error) {
    deps.metrics.count('SecurityEventWorkFailed');
    deps.logger.error('a security event could not be worked on', { requestId }, error);
  }
  await putOff(deps, statement);
  return false;
}

/** Works on a page of a shard's statements, each once; those that are not reached in time wait for the next tick. */
export async function sweepStatements(
  deps: StatementWorkDependencies,
  shard: number,
  untilMs: number,
  requestId: string,
): Promise<number> {
  const due = await deps.statements.due(shard, epochSecNow(deps.clock), SWEEP_PAGE_SIZE);
  for (const ref of due) {
    if (deps.clock.nowMs() >= untilMs) return due.length;
    try {
      await workOnStatement(deps, ref, untilMs, requestId);
    } catch (error) {
      deps.metrics.count('SecurityEventWorkFailed');
      deps.logger.error('a security event could not be worked on', { requestId }, error);
    }
  }
  return due.length;
}

/** Within a day the ordinary refresh meets the same fact, so a statement is not kept longer. */
async function putOff(
  { statements, clock, random }: StatementWorkDependencies,
  statement: DueStatement,
): Promise<void> {
  const now = epochSecNow(clock);
  if (now - statement.receivedAtEpochSec > STATEMENT_WORK_SEC) return statements.finish(statement);
  await statements.postpone(statement, now + refreshBackoffSec(statement.failureCount, undefined, random.number()));
}

/**
 * Connections of the account that a statement names: active ones by the index of grants, dead ones by a list; and those with the token
 * that it names, which may be its only content. Only decryption shows whether they match.
 */
async function connectionsOf(
  deps: StatementWorkDependencies,
  { cloudProject, event }: DueStatement,
): Promise<readonly Connection[]> {
  const { subject, tokenPrint } = event;
  const accountIds = (await deps.projects.read(cloudProject))?.accountIds ?? [];
  const refs = await Promise.all([
    subject === undefined ? [] : refsOfAccount(deps, cloudProject, accountIds, subject),
    tokenPrint === undefined ? [] : refsIn(deps, accountIds, ofToken(keptPrint(tokenPrint))),
  ]);
  const found = await Promise.all(distinct(refs.flat()).map((ref) => readConnection(deps, ref)));
  return found
    .filter((one) => one !== undefined)
    .filter(
      ({ status, clientId, providerAccount }) =>
        status !== 'deleted' &&
        cloudProjectOf(clientId) === cloudProject &&
        (subject === undefined || providerAccount?.subject === subject),
    );
}

async function refsOfAccount(
  deps: StatementWorkDependencies,
  cloudProject: string,
  accountIds: readonly string[],
  subject: string,
): Promise<readonly ConnectionRef[]> {
  const [living, dead] = await Promise.all([
    deps.connections.sharingGrant(clientOf(cloudProject), subject, STATEMENT_CONNECTIONS_MAX),
    refsIn(deps, accountIds, deadOfAccount(subject)),
  ]);
  // A grant that waits for its app's confirmation is no connection yet.
  return [...living.filter(({ unconfirmed }) => unconfirmed === undefined), ...dead];
}

/** The newest connections in a list, up to a maximum for each account. */
async function refsIn(
  { lists }: StatementWorkDependencies,
  accountIds: readonly string[],
  list: ListName,
): Promise<readonly ConnectionRef[]> {
  const wanted = { order: 'newest', after: undefined, count: STATEMENT_CONNECTIONS_MAX } as const;
  const pages = await Promise.all(accountIds.map((accountId) => lists.page(accountId, [list], undefined, wanted)));
  return pages.flatMap(({ refs }) => refs);
}

/** Any client of a project; a client whose id names no project is a project of its own. */
function clientOf(cloudProject: string): string {
  return /^\d+$/.test(cloudProject) ? `${cloudProject}-` : cloudProject;
}

function distinct(refs: readonly ConnectionRef[]): readonly ConnectionRef[] {
  return [
    ...new Map(
      refs.map(({ accountId, integrationId, connectionId }) => {
        const ref = { accountId, integrationId, connectionId };
        return [connectionRefKey(ref), ref];
      }),
    ).values(),
  ];
}

/** An unreadable row does not keep others from their work. */
async function readConnection(
  { connections, logger }: StatementWorkDependencies,
  ref: ConnectionRef,
): Promise<Connection | undefined> {
  try {
    return await connections.read(ref);
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
    logger.error('a connection that a security event concerns cannot be read', {}, error);
    return undefined;
  }
}

/** Acts on one connection. @returns false where it has to be tried again */
async function workOnConnection(
  deps: StatementWorkDependencies,
  statement: DueStatement,
  connection: Connection,
  run: Run,
): Promise<boolean> {
  const { event, issuedAtEpochSec } = statement;
  const { untilMs, requestId } = run;
  if (deps.clock.nowMs() >= untilMs) return false;
  // The statement concerns an earlier grant.
  if (issuedAtEpochSec < connection.consentedAtEpochSec) return true;
  if (event.tokenPrint !== undefined && !(await isItsToken(deps, connection, event.tokenPrint))) return true;
  await report(deps, statement, connection, requestId);
  switch (event.type) {
    case 'sessions-revoked':
    case 'account-credential-change-required':
    case 'verification':
      return true;
    case 'account-enabled':
      return !mayHaveBeenUnavailable(connection) || askProvider(deps, connection, run);
    case 'tokens-revoked':
    case 'token-revoked':
    case 'account-disabled':
    case 'account-purged':
      if (connection.death !== undefined) return explain(deps, connection, connection.death, requestId);
      // An attacker may be using it: from here on no call is sent with this grant.
      if (event.reason === 'hijacking') await deps.connections.dropAccessToken(connection);
      return askProvider(deps, connection, run);
  }
}

/** Its tokens may work again without the user, because the statement about the disabled account may have been lost. */
function mayHaveBeenUnavailable({ death }: Connection): boolean {
  return death !== undefined && (death.cause === 'account_unavailable' || !death.certain);
}

async function isItsToken(
  { cipher }: StatementWorkDependencies,
  connection: Connection,
  print: string,
): Promise<boolean> {
  const { encryptedRefreshToken } = connection;
  if (encryptedRefreshToken === undefined) return false;
  return printsOfToken(await cipher.decrypt(refreshTokenContext(connection), encryptedRefreshToken)).includes(print);
}

/** The provider's answer to the token decides, even for a connection marked dead. */
async function askProvider(
  deps: StatementWorkDependencies,
  connection: Connection,
  { untilMs, requestId }: Run,
): Promise<boolean> {
  const { integrations, refresher, clock } = deps;
  const integration = await integrations.get(connection);
  if (integration === undefined) return true;
  const outcome = await refresher.refresh(connection, integration, {
    wait: true,
    force: true,
    budgetMs: Math.min(STATEMENT_BUDGET_MS, Math.max(1_000, untilMs - clock.nowMs())),
    requestId,
  });
  switch (outcome.kind) {
    case 'dead':
    case 'gone':
      return true;
    case 'fresh':
      // A concurrent refresh of another process may have begun before the statement.
      return outcome.accessToken !== undefined;
    case 'transient':
      return outcome.refused === true;
    case 'client_fault':
    case 'busy':
      return false;
  }
}

/** Replaces a guessed cause of death by the stated one; a certain cause stays. */
async function explain(
  deps: StatementWorkDependencies,
  connection: Connection,
  death: GrantDeath,
  requestId: string,
): Promise<boolean> {
  const { clientId, providerAccount, consentedAtEpochSec, lastRefreshedAtEpochSec, encryptedRefreshToken } = connection;
  const prints =
    encryptedRefreshToken === undefined
      ? []
      : printsOfToken(await deps.cipher.decrypt(refreshTokenContext(connection), encryptedRefreshToken));
  const evidence = await deps.evidence.statedEnd({
    cloudProject: cloudProjectOf(clientId),
    subject: providerAccount?.subject,
    tokenPrints: prints,
    consentedAtEpochSec,
    diedAtEpochSec: Math.floor(Date.parse(death.since) / 1000),
    lastRefreshedAtEpochSec,
  });
  if (evidence === undefined) return true;
  const { server } = deps.endpointsOf(connection.provider);
  const proven = deathWithEvidence(death, evidence, connection.grantEndedAtEpochSec, server, connection.delegated);
  if (proven === undefined) {
    const areToGo = evidence.areTokensRevoked && encryptedRefreshToken !== undefined;
    return !areToGo || deps.connections.explainDeath(connection, { ...death, tokensRevoked: true }, undefined);
  }
  const event = newEvent(deps.clock, deps.random, 'ConnectionCauseProven', {
    subject: refOf(connection),
    sequence: connection.sequence + 1,
    endUserId: connection.endUser?.id,
    cause: proven.cause,
    health: 'dead',
    remedy: `${whatHappened(proven)} ${proven.remedy}`.trim(),
    requestId,
  });
  // False when another process has changed the connection meanwhile: it is read again.
  return deps.connections.explainDeath(connection, proven, event);
}

/** One event for each connection, with an id derived from both: a repetition overwrites the same item (RI-11). */
async function report(
  { clock, random, audit }: StatementWorkDependencies,
  { event, jti, index, issuedAtEpochSec, receivedAtEpochSec }: DueStatement,
  connection: Connection,
  requestId: string,
): Promise<void> {
  const digest = createHash('sha256')
    .update(`${jti}#${index}#${connectionRefKey(connection)}`)
    .digest();
  const reported = newEvent(clock, random, 'ConnectionSecurityEvent', {
    subject: refOf(connection),
    sequence: 0,
    endUserId: connection.endUser?.id,
    says: {
      security_event: event.type,
      stated_reason: event.reason,
      stated_at: new Date(issuedAtEpochSec * 1000).toISOString(),
    },
    requestId,
  });
  const eventId = ulid(receivedAtEpochSec * 1000, digest.subarray(0, 10));
  await audit.append({ ...reported, eventId, occurredAt: new Date(receivedAtEpochSec * 1000).toISOString() });
}
