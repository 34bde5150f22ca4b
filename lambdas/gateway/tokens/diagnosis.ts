import { type Connection, RESTORED_TOKEN } from '../connections/connection.rules.ts';
import { isDeclaredTesting } from '../connections/health.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import { type GrantDeath, type StatedEnd, whatHappened } from '../core/grant-death.ts';
import {
  cloudProjectOf,
  connectionRefKey,
  type IntegrationRef,
  printsOfToken,
  sha256Hex,
} from '../core/identifiers.ts';
import {
  CLIENT_FAULT_COOL_DOWN_SEC,
  DEATH_INCIDENT_COUNT,
  DEATH_INCIDENT_WINDOW_SEC,
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
} from '../core/limits.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import { explainClientFault, suspect } from '../integrations/client-fault.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { AuthorizationServer } from '../providers/authorization-server.rules.ts';
import { refreshTokenContext } from './ciphertexts.rules.ts';
import { type DeadGrantAnswer, deathByCredentialChange, diagnoseDeadGrant } from './diagnosis.rules.ts';
import {
  type HeldAttempt,
  type LeaseHolderDependencies,
  putOff,
  type RefreshOutcome,
  refOf,
  releaseUntouched,
} from './lease.ts';
import { adoptEscrow, newerEscrow } from './token-write.ts';

/** How often a faster process may interfere before an answer stays uncounted; the next one counts. */
const SUSPICION_ROUNDS = 3;

/**
 * The provider refuses the OAuth client: the integration is marked, with one event, and pauses; no connection is touched
 * (TK-4, F19).
 */
export async function reportClientFault(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  error: string,
  closed: boolean,
): Promise<RefreshOutcome> {
  try {
    const current = await deps.integrations.get(integrationOf(attempt));
    if (current !== undefined) await mark(deps, attempt, current, error, CLIENT_FAULT_COOL_DOWN_SEC);
  } catch (failure) {
    // The next refusal marks it again; the caller's answer is the same.
    deps.logger.error('a client fault could not be noted', { requestId: attempt.requestId }, failure);
  }
  await releaseUntouched(deps, attempt, closed);
  return { kind: 'client_fault', error, retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC };
}

/**
 * The provider refuses this connection's token for an unlisted reason: the connection alone backs off, and its integration continues
 * (TK-4). When three connections got the same answer and none was refreshed meanwhile, the integration is marked, with one event. Other
 * connections are still not paused, because the mark is a guess that the next success removes.
 */
export async function reportRefusal(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  error: string,
  closed: boolean,
): Promise<RefreshOutcome> {
  try {
    await countRefusal(deps, attempt, error);
  } catch (failure) {
    deps.logger.error('a refusal could not be counted', { requestId: attempt.requestId }, failure);
  }
  return putOff(deps, attempt, {
    reason: error,
    retryAfterSec: undefined,
    closed,
    answer: { error, isRefusal: true },
  });
}

async function countRefusal(deps: LeaseHolderDependencies, attempt: HeldAttempt, error: string): Promise<void> {
  const ref = integrationOf(attempt);
  for (let round = 0; round < SUSPICION_ROUNDS; round++) {
    const current = await deps.integrations.get(ref);
    if (current === undefined || current.clientFault !== undefined) return;
    const before = current.suspectedFault;
    const { next, agreed } = suspect(before, error, attempt.connection.connectionId, epochSecNow(deps.clock));
    if (next !== before && !(await deps.integrations.noteSuspicion(ref, before, next))) continue;
    if (agreed) await mark(deps, attempt, current, error, 0);
    return;
  }
}

/** @param pauseSec pauses the integration's token calls for so long; 0 pauses none */
async function mark(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  current: Integration,
  error: string,
  pauseSec: number,
): Promise<void> {
  const { integrations, clock, random, metrics } = deps;
  const now = epochSecNow(clock);
  const ref = integrationOf(attempt);
  if (current.clientFault === undefined) metrics.count('IntegrationRejected', { error });
  const { explanation, remedy } = explainClientFault(error, serverOf(deps, attempt));
  await integrations.markClientFault(
    ref,
    { error, sinceEpochSec: current.clientFault?.sinceEpochSec ?? now, retryAtEpochSec: now + pauseSec },
    newEvent(clock, random, 'IntegrationCredentialsRejected', {
      subject: ref,
      sequence: current.sequence + 1,
      says: { provider_error: error },
      health: 'refused',
      remedy: `${explanation} ${remedy} The connections are not at fault.`,
      requestId: attempt.requestId,
    }),
  );
}

function serverOf(deps: LeaseHolderDependencies, { connection }: HeldAttempt): AuthorizationServer {
  return deps.endpointsOf(connection.provider).server;
}

function integrationOf({ integration }: HeldAttempt): IntegrationRef {
  return { accountId: integration.accountId, integrationId: integration.integrationId };
}

const DEATH_ROUNDS = 3;

/**
 * The provider reports a dead grant. First the row is read strongly consistent: a newer token, stored or in escrow, counts more than
 * the refusal of an old one (step 7 of the protocol; F16, F18).
 */
export async function recordDeadGrant(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  answer: DeadGrantAnswer,
  ambiguous: boolean,
): Promise<RefreshOutcome> {
  const current = await deps.connections.read(attempt.connection);
  if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
  const settled = await settledMeanwhile(deps, attempt, current);
  if (settled !== undefined) return settled;
  const death = diagnoseDeadGrant(
    answer,
    {
      grantedScopes: current.grantedScopes,
      consentedAtEpochSec: current.consentedAtEpochSec,
      lastRefreshedAtEpochSec: current.lastRefreshedAtEpochSec,
      refreshTokenExpiresAtEpochSec: current.refreshTokenExpiresAtEpochSec,
      testingAtConsent: current.testingAtConsent,
      externalTesting: isDeclaredTesting(attempt.integration),
      account: current.providerAccount,
      newerGrantsOfAccount: await newerGrants(deps, current),
      rotationLost: ambiguous || attempt.lostHash === sha256Hex(attempt.refreshToken),
      endedWithSharer: current.grantEndedAtEpochSec !== undefined,
      endedWithSharerAtEpochSec: current.grantEndedAtEpochSec,
      evidence: await statedOf(deps, attempt, current),
      restored: attempt.lostHash === RESTORED_TOKEN,
    },
    epochSecNow(deps.clock),
    serverOf(deps, attempt),
  );
  return markDead(deps, attempt, death);
}

/** The provider's statement about the account or the token. Without it the diagnosis is a guess, but the death is recorded. */
async function statedOf(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  { clientId, providerAccount, consentedAtEpochSec, lastRefreshedAtEpochSec }: Connection,
): Promise<StatedEnd | undefined> {
  if (serverOf(deps, attempt).grants.endsAreStated !== true) return undefined;
  try {
    return await deps.evidence.statedEnd({
      cloudProject: cloudProjectOf(clientId),
      subject: providerAccount?.subject,
      tokenPrints: printsOfToken(attempt.refreshToken),
      consentedAtEpochSec,
      diedAtEpochSec: epochSecNow(deps.clock),
      lastRefreshedAtEpochSec,
    });
  } catch (error) {
    deps.logger.warn('statements of the provider could not be read', {
      code: error instanceof Error ? error.name : 'unknown',
    });
    return undefined;
  }
}

/** The integration moved to another OAuth client, under which the grant is unusable. */
export function recordClientChange(deps: LeaseHolderDependencies, attempt: HeldAttempt): Promise<RefreshOutcome> {
  return markDead(deps, attempt, deathByCredentialChange(epochSecNow(deps.clock), serverOf(deps, attempt)));
}

async function settledMeanwhile(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  current: Connection,
): Promise<RefreshOutcome | undefined> {
  // The stored token is not the refused one: a newer grant has arrived meanwhile.
  if (current.encryptedRefreshToken !== undefined && current.tokenEpoch !== attempt.connection.tokenEpoch) {
    const stored = await deps.cipher.decrypt(refreshTokenContext(current), current.encryptedRefreshToken);
    if (stored !== attempt.refreshToken) return { kind: 'fresh', connection: current, accessToken: undefined };
  }
  const escrowed = await newerEscrow(deps, current);
  if (escrowed !== undefined && current.epoch === attempt.lease.epoch) return adoptEscrow(deps, attempt, escrowed);
  return undefined;
}

/** How many consents of the same account to the same client came later; undefined when unknown. */
async function newerGrants(deps: LeaseHolderDependencies, connection: Connection): Promise<number | undefined> {
  const subject = connection.providerAccount?.subject;
  if (subject === undefined) return undefined;
  try {
    const { clientId, consentedAtEpochSec } = connection;
    const limit = REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT * 2;
    const [sharers, times] = await Promise.all([
      deps.connections.sharingGrant(clientId, subject, limit),
      deps.consents.times(clientId, subject),
    ]);
    const self = connectionRefKey(connection);
    // A consent of the same second may be older or newer; it counts as newer, because tokens were issued in a burst.
    const others = sharers.filter(
      (sharer) =>
        sharer.clientId === clientId &&
        sharer.consentedAtEpochSec >= consentedAtEpochSec &&
        connectionRefKey(sharer) !== self,
    ).length;
    // The log includes consents of deleted and replaced connections; one entry of that second is this connection's own.
    const later = times.filter((at) => at > consentedAtEpochSec).length;
    const inThatSecond = times.filter((at) => at === consentedAtEpochSec).length;
    return Math.max(others, later + Math.max(0, inThatSecond - 1));
  } catch (error) {
    // Without this the diagnosis is less certain; the death must be recorded anyway.
    deps.logger.warn('grant history could not be read', { code: error instanceof Error ? error.name : 'unknown' });
    return undefined;
  }
}

/** Marks the connection and writes its one event, unless a later epoch owns the row. */
export async function markDead(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  death: GrantDeath,
): Promise<RefreshOutcome> {
  const { connections, clock, random } = deps;
  for (let round = 0; round < DEATH_ROUNDS; round++) {
    const current = await connections.read(attempt.connection);
    if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
    if (current.death !== undefined) {
      await releaseUntouched(deps, attempt, true);
      return { kind: 'dead', connection: current, death: current.death };
    }
    if (current.epoch !== attempt.lease.epoch) return { kind: 'busy', connection: current };
    const event = newEvent(clock, random, 'ConnectionReauthorizationRequired', {
      subject: refOf(current),
      sequence: current.sequence + 1,
      endUserId: current.endUser?.id,
      cause: death.cause,
      health: 'dead',
      remedy: `${whatHappened(death)} ${death.remedy}`.trim(),
      requestId: attempt.requestId,
    });
    if (await connections.markDead(current, attempt.lease, death, event)) {
      deps.metrics.count('ConnectionStatusChanged', { status: 'reauthorization_required' });
      await noteIncident(deps, attempt, death);
      return { kind: 'dead', death, connection: { ...current, status: 'reauthorization_required', death } };
    }
  }
  return putOff(deps, attempt, { reason: 'conflicting_writes', retryAfterSec: undefined, closed: true });
}

/** Many deaths under one client suggest the client or an administrator instead of users: one event reports that. */
async function noteIncident(deps: LeaseHolderDependencies, attempt: HeldAttempt, death: GrantDeath): Promise<void> {
  const { accountId, integrationId } = attempt.integration;
  const subject = { accountId, integrationId };
  try {
    if ((await deps.deaths.note(subject, epochSecNow(deps.clock))) !== DEATH_INCIDENT_COUNT) return;
    deps.metrics.count('GrantDeathIncident');
    await deps.audit.append(
      newEvent(deps.clock, deps.random, 'IntegrationGrantsFailing', {
        subject,
        sequence: 0,
        cause: death.cause,
        remedy: `${DEATH_INCIDENT_COUNT} connections of this integration ended within ${DEATH_INCIDENT_WINDOW_SEC / 60} minutes, the latest of them ${death.certain ? '' : 'probably '}with cause ${death.cause}. Check its OAuth client, its publishing status and Workspace administrators' policies before you ask the users.`,
        requestId: attempt.requestId,
      }),
    );
  } catch (error) {
    // The death itself is recorded; only the grouping is lost.
    deps.logger.error('a death could not be counted', { requestId: attempt.requestId }, error);
  }
}
