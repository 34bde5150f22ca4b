import { type Connection, RESTORED_TOKEN } from '../connections/connection.rules.ts';
import { sha256Hex } from '../core/digest.ts';
import { type GrantDeath, whatHappened } from '../core/grant-death.ts';
import { connectionRefKey } from '../core/identifiers.ts';
import {
  DEATH_INCIDENT_COUNT,
  DEATH_INCIDENT_WINDOW_SEC,
  REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT,
} from '../core/limits.ts';
import { newEvent } from '../events/record-event.ts';
import { refreshTokenContext } from './cipher-contexts.ts';
import { isDeclaredTesting } from './forecast.rules.ts';
import { type DeadGrantAnswer, deathByCredentialChange, diagnoseDeadGrant } from './grant-diagnosis.rules.ts';
import {
  type HeldAttempt,
  type LeaseHolderDependencies,
  nowEpochSec,
  type RefreshOutcome,
  refOf,
} from './refresh-attempt.ts';
import { putOff, releaseUntouched } from './release-lease.ts';
import { adoptEscrow, newerEscrow } from './store-refreshed-tokens.ts';

const ROUNDS = 3;

/**
 * The provider says the grant is dead. Before that is believed the row is read strongly: a newer token, be it stored or in
 * escrow, counts more than the refusal of an old one (steps 5, 10 and 11 of the protocol; F16, F18).
 */
export async function recordDeadGrant(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  answer: DeadGrantAnswer,
  ambiguous: boolean,
): Promise<RefreshOutcome> {
  const current = await deps.connections.read(attempt.connection);
  const settled = await settledMeanwhile(deps, attempt, current);
  if (settled !== undefined) return settled;
  if (current === undefined) return { kind: 'gone' };
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
      restored: attempt.lostHash === RESTORED_TOKEN,
    },
    nowEpochSec(deps.clock),
  );
  return die(deps, attempt, death);
}

/** The integration moved to another OAuth client: the grant cannot be used any more, whatever the provider would say. */
export function recordClientChange(deps: LeaseHolderDependencies, attempt: HeldAttempt): Promise<RefreshOutcome> {
  return die(deps, attempt, deathByCredentialChange(nowEpochSec(deps.clock)));
}

async function settledMeanwhile(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  current: Connection | undefined,
): Promise<RefreshOutcome | undefined> {
  if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
  // The stored token is not the one that was refused: a newer grant has arrived meanwhile.
  if (current.encryptedRefreshToken !== undefined && current.tokenEpoch !== attempt.connection.tokenEpoch) {
    const stored = await deps.cipher.decrypt(refreshTokenContext(current), current.encryptedRefreshToken);
    if (stored !== attempt.refreshToken) return { kind: 'fresh', connection: current, accessToken: undefined };
  }
  const escrowed = await newerEscrow(deps, current);
  if (escrowed !== undefined && current.epoch === attempt.lease.epoch) return adoptEscrow(deps, attempt, escrowed);
  return undefined;
}

/** How many consents of the same account came after this one under the same client; undefined when not known. */
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
    // A consent of the same second may be older or newer: it counts, as the tokens were minted in a burst.
    const others = sharers.filter(
      (sharer) =>
        sharer.clientId === clientId &&
        sharer.consentedAtEpochSec >= consentedAtEpochSec &&
        connectionRefKey(sharer) !== self,
    ).length;
    // Connections that were made anew or deleted have left their tokens at the provider; one of that second is this one's.
    const later = times.filter((at) => at > consentedAtEpochSec).length;
    const inThatSecond = times.filter((at) => at === consentedAtEpochSec).length;
    return Math.max(others, later + Math.max(0, inThatSecond - 1));
  } catch (error) {
    // The diagnosis is less sure without this; the death must be recorded all the same.
    deps.logger.warn('grant history could not be read', { code: error instanceof Error ? error.name : 'unknown' });
    return undefined;
  }
}

/** Marks the connection and writes its one event, unless a later epoch owns the row. */
async function die(deps: LeaseHolderDependencies, attempt: HeldAttempt, death: GrantDeath): Promise<RefreshOutcome> {
  const { connections, clock, random } = deps;
  for (let round = 0; round < ROUNDS; round++) {
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

/** Many deaths under one client point at the client or an administrator, not at users: one event says so. */
async function noteIncident(deps: LeaseHolderDependencies, attempt: HeldAttempt, death: GrantDeath): Promise<void> {
  const { accountId, integrationId } = attempt.integration;
  const subject = { accountId, integrationId };
  try {
    if ((await deps.deaths.note(subject, nowEpochSec(deps.clock))) !== DEATH_INCIDENT_COUNT) return;
    deps.metrics.count('GrantDeathIncident');
    await deps.audit.append(
      newEvent(deps.clock, deps.random, 'IntegrationGrantsFailing', {
        subject,
        sequence: 0,
        cause: death.cause,
        remedy: `${DEATH_INCIDENT_COUNT} connections of this integration died within ${DEATH_INCIDENT_WINDOW_SEC / 60} minutes, the latest of them ${death.certain ? '' : 'probably '}with cause ${death.cause}. Look at its OAuth client, its publishing status and Workspace administrators' policies before asking the users.`,
        requestId: attempt.requestId,
      }),
    );
  } catch (error) {
    // The death itself is recorded; only the grouping is lost.
    deps.logger.error('a death could not be counted', { requestId: attempt.requestId }, error);
  }
}
