import { secondsLeft } from '../../gateway/calls/admission.ts';
import type { RateCounter } from '../../gateway/calls/ports.ts';
import {
  type Connection,
  type EndUser,
  NO_REFRESH_UNDER_WAY,
  NOTHING_KNOWN_OF_GRANT,
  type WholeConnection,
} from '../../gateway/connections/connection.rules.ts';
import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { healthWord } from '../../gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { type IntegrationRef, numericId } from '../../gateway/core/identifiers.ts';
import { NEW_SUBJECTS_WINDOW_SEC } from '../../gateway/core/limits.ts';
import type { Clock, Metrics, Random, TokenCipher } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import {
  connectionIdOfSubject,
  domainOf,
  isAllowedSubject,
  SUBJECT_NOT_ALLOWED,
  storedClientId,
  subjectOf,
} from '../../gateway/integrations/delegation.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { refreshTokenContext } from '../../gateway/tokens/ciphertexts.rules.ts';
import { mirroredTags } from './update-description.ts';

export interface ConnectSubjectDependencies {
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly rates: RateCounter;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
}

/** A user for a service account to act for. */
export interface SubjectToConnect {
  readonly subject: string;
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string;
  readonly actor: string;
}

/**
 * Connects a user without their presence: a repeated call returns the same connection. The provider is asked at the first
 * call, so that unused rows cost nothing (SA-25).
 *
 * @throws GatewayError `unknown_integration`, `invalid_body`, `subject_not_allowed`, `rate_limited`, `conflict`
 */
export async function connectSubject(
  deps: ConnectSubjectDependencies,
  integrationRef: IntegrationRef,
  wanted: SubjectToConnect,
): Promise<{ readonly connection: Connection; readonly integration: Integration }> {
  const integration = await findIntegration(deps, integrationRef);
  const { delegation } = integration;
  if (delegation === undefined) {
    const message = 'only integrations of kind delegated have subjects; send credentials, or have the user connect';
    throw refusal('invalid_body', [{ path: 'subject', message }]);
  }
  const address = subjectOf(wanted.subject);
  if (address === undefined || !isAllowedSubject(address, delegation.subjects)) {
    throw new GatewayError(...SUBJECT_NOT_ALLOWED);
  }
  const ref = { ...integrationRef, connectionId: connectionIdOfSubject(delegation, address) };
  const previous = await deps.connections.read(ref);
  if (previous !== undefined && previous.status !== 'deleted') return { connection: previous, integration };
  await countNew(deps, integration, delegation.newSubjectsPerHour);
  const nowMs = deps.clock.nowMs();
  const nowEpochSec = Math.floor(nowMs / 1000);
  const epoch = (previous?.epoch ?? 0) + 1;
  const connection: WholeConnection = {
    ...ref,
    provider: integration.provider,
    delegated: true,
    status: 'active',
    death: undefined,
    encryptedAccessToken: undefined,
    // Encrypted for this row only: a token can only be requested for the row's own user (SA-22).
    encryptedRefreshToken: await deps.cipher.encrypt(refreshTokenContext(ref), address),
    accessTokenExpiresAtEpochSec: 0,
    requestedScopes: integration.scopes,
    grantedScopes: integration.scopes,
    clientId: storedClientId(delegation),
    providerAccount: { subject: address, email: address, hostedDomain: domainOf(address) },
    consentedAtEpochSec: nowEpochSec,
    refreshTokenExpiresAtEpochSec: undefined,
    epoch,
    tokenEpoch: epoch,
    ...NO_REFRESH_UNDER_WAY,
    ...NOTHING_KNOWN_OF_GRANT,
    tokenPrints: undefined,
    testingAtConsent: undefined,
    language: undefined,
    callsRecordedUntilEpochSec: undefined,
    budget: undefined,
    refreshAtEpochSec: undefined,
    lastUsedAtEpochSec: undefined,
    lastRefreshedAtEpochSec: undefined,
    sequence: (previous?.sequence ?? 0) + 1,
    numericId: numericId(nowMs, deps.random),
    endUser: wanted.endUser,
    tags: mirroredTags(wanted.tags, wanted.endUser),
    metadata: wanted.metadata,
    createdAt: new Date(nowMs).toISOString(),
    updatedAt: new Date(nowMs).toISOString(),
  };
  const event = newEvent(deps.clock, deps.random, 'ConnectionCreated', {
    subject: ref,
    sequence: connection.sequence,
    endUserId: wanted.endUser?.id,
    says: { reason: 'delegated' },
    health: healthWord(connection, integration, nowEpochSec),
    requestId: wanted.requestId,
    actor: wanted.actor,
  });
  if (await deps.connections.save(connection, previous, event)) return { connection, integration };
  // Of two concurrent requests the other one's connection counts.
  const current = await deps.connections.read(ref);
  if (current !== undefined && current.status !== 'deleted') return { connection: current, integration };
  throw new GatewayError('conflict', 'The connection is being changed by others at the moment. Try again.');
}

/** Limits how fast a stolen key can connect to a domain (SA-27). */
async function countNew(
  { rates, clock, metrics }: ConnectSubjectDependencies,
  { accountId, integrationId }: Integration,
  most: number,
): Promise<void> {
  const nowEpochSec = epochSecNow(clock);
  if (await rates.count(accountId, `new_subjects.${integrationId}`, most, nowEpochSec, NEW_SUBJECTS_WINDOW_SEC)) return;
  metrics.count('RateLimited', { limit: 'new_subjects' });
  const resetSec = secondsLeft(clock.nowMs(), NEW_SUBJECTS_WINDOW_SEC);
  throw new GatewayError(
    'rate_limited',
    `This integration may be connected to at most ${most} new users an hour (delegation.new_subjects_per_hour). Continue after the time in Retry-After.`,
    {
      retryAfterSec: resetSec,
      rate: { policy: 'new-subjects', quota: most, windowSec: NEW_SUBJECTS_WINDOW_SEC, left: 0, resetSec },
    },
  );
}
