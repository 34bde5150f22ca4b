import { isUnreadableRow } from '../connections/find-connection.ts';
import type { ConnectionStore, GrantSharer, PendingRevocation, RevocationStore } from '../connections/ports.ts';
import { epochSecNow } from '../core/clock.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { REFRESH_BACKOFF_BASE_SEC } from '../core/limits.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import type { ClientCredentials } from '../integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../integrations/ports.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import { refreshTokenContext } from './ciphertexts.rules.ts';
import { refreshBackoffSec } from './freshness.rules.ts';
import type { ConsentLog, TokenEndpoint } from './ports.ts';
import { parseRetryAfter } from './token-response.rules.ts';

/** A Google account with more connections than this under one project is a test account. */
const SHARERS_MAX = 200;

export interface RevokeGrantDependencies {
  readonly revocations: RevocationStore;
  readonly connections: ConnectionStore;
  readonly consents: ConsentLog;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** How one attempt to revoke ended. */
export type RevocationResult =
  /** The provider has ended the grant, now or earlier. */
  | { readonly kind: 'revoked' }
  /** The account consented again meanwhile: ending the old grant would end the new one. */
  | { readonly kind: 'superseded' }
  /** The provider can never be asked. */
  | { readonly kind: 'impossible'; readonly reason: string }
  | { readonly kind: 'pending'; readonly reason: string; readonly retryAtEpochSec: number };

/** One bounded attempt to have the provider end a deleted connection's grant (RFC 7009). A failed one stays due. */
export async function revokeGrant(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  requestId: string,
): Promise<RevocationResult> {
  const sharers = await sharersOf(deps, pending);
  // A grant is identified by (Cloud project, account): a consent after the deletion belongs to the same one (TK-9).
  if (sharers.some(({ consentedAtEpochSec }) => consentedAtEpochSec > pending.requestedAtEpochSec)) {
    await finish(deps, pending, 'superseded_by_new_consent', requestId);
    return { kind: 'superseded' };
  }
  const refreshToken = await deps.cipher.decrypt(refreshTokenContext(pending.ref), pending.encryptedRefreshToken);
  const endpoints = deps.endpointsOf(pending.provider);
  const client = endpoints.server.grants.revocationNeedsClient === true ? await clientOf(deps, pending) : undefined;
  if (client === 'gone') return giveUp(deps, pending, 'client_gone', requestId);
  const result = await deps.tokenEndpoint.revoke(endpoints, refreshToken, client);
  if (result === undefined) return giveUp(deps, pending, 'no_revocation_endpoint', requestId);
  const nowEpochSec = epochSecNow(deps.clock);
  if (result.kind === 'answered') {
    const { status, body, retryAfter } = result.response;
    if (status === 200) {
      await reportSharers(deps, sharers, nowEpochSec, requestId);
      await forgetConsents(deps, pending, requestId);
      await finish(deps, pending, 'revoked', requestId);
      return { kind: 'revoked' };
    }
    if (isAlreadyInvalid(status, body)) {
      // Only this token is known to be dead: the account's consents still count.
      await finish(deps, pending, 'already_invalid', requestId);
      return { kind: 'revoked' };
    }
    return postpone(deps, pending, `provider_answered_${status}`, parseRetryAfter(retryAfter, nowEpochSec), requestId);
  }
  return postpone(deps, pending, result.reason, undefined, requestId);
}

/** The outcome of revoking a grant at the provider. */
export interface RevocationReport {
  readonly status: 'not_requested' | 'revoked' | 'pending' | 'skipped';
  /** Why it was skipped or is pending. */
  readonly reason: string | undefined;
  readonly retryAtEpochSec: number | undefined;
  /** Other active connections that share the grant and end with it; undefined when unknown. */
  readonly sharing: number | undefined;
}

export function revocationReport(
  status: RevocationReport['status'],
  reason?: string,
  sharing?: number,
): RevocationReport {
  return { status, reason, retryAtEpochSec: undefined, sharing };
}

/** A grant to end at the provider. */
export type GrantToEnd = Pick<
  PendingRevocation,
  'ref' | 'provider' | 'encryptedRefreshToken' | 'clientId' | 'subject' | 'endUserId'
>;

/** A revocation whose first attempt follows at once; the schedule takes over if that never ended. */
export function newRevocation(grant: GrantToEnd, nowEpochSec: number): PendingRevocation {
  return {
    ...grant,
    requestedAtEpochSec: nowEpochSec,
    retryAtEpochSec: nowEpochSec + REFRESH_BACKOFF_BASE_SEC,
    failureCount: 0,
  };
}

/**
 * The first attempt of a revocation whose tokens are erased already: after a failure it stays pending.
 *
 * @param sharing how many other connections end with the grant, where known
 */
export async function attemptRevocation(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  sharing: number | undefined,
  requestId: string,
): Promise<RevocationReport> {
  try {
    const result = await revokeGrant(deps, pending, requestId);
    switch (result.kind) {
      case 'revoked':
        return revocationReport('revoked', undefined, sharing);
      case 'superseded':
        return revocationReport('skipped', 'account_consented_anew', sharing);
      case 'impossible':
        return revocationReport('skipped', result.reason, sharing);
      case 'pending':
        return {
          ...revocationReport('pending', result.reason, sharing),
          retryAtEpochSec: result.retryAtEpochSec,
        };
    }
  } catch (error) {
    deps.logger.error('revocation could not be attempted', { requestId }, error);
    return {
      ...revocationReport('pending', 'internal_error', sharing),
      retryAtEpochSec: pending.retryAtEpochSec,
    };
  }
}

/** The index may still contain connections that were just deleted, so their rows decide. An unreadable one counts as active. */
export async function stillLive(
  connections: ConnectionStore,
  refs: readonly ConnectionRef[],
): Promise<ConnectionRef[]> {
  const lives = await Promise.all(
    refs.map(async (ref) => {
      try {
        return (await connections.read(ref))?.status === 'active';
      } catch (error) {
        if (isUnreadableRow(error)) return true;
        throw error;
      }
    }),
  );
  return refs.filter((_, i) => lives[i] === true);
}

/** The client of the grant, for servers that require it; `gone` where its integration has another or none. */
async function clientOf(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
): Promise<ClientCredentials | 'gone'> {
  const integration = await deps.integrations.get(pending.ref);
  const client = integration === undefined ? undefined : await deps.credentials.get(integration);
  return client?.clientId === pending.clientId ? client : 'gone';
}

async function giveUp(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  reason: string,
  requestId: string,
): Promise<RevocationResult> {
  await finish(deps, pending, reason, requestId);
  return { kind: 'impossible', reason };
}

/** Whether ending one grant of an account ends all it has given to the project. */
export function isSharedInProject({ server }: ProviderEndpoints): boolean {
  return server.grants.sharedInProject === true;
}

/** Active connections of the same grant; none where the grant's account is unknown. */
async function sharersOf(deps: RevokeGrantDependencies, pending: PendingRevocation): Promise<readonly GrantSharer[]> {
  if (pending.subject === undefined || !isSharedInProject(deps.endpointsOf(pending.provider))) return [];
  return deps.connections.sharingGrant(pending.clientId, pending.subject, SHARERS_MAX);
}

/** Their refresh tokens are dead now: the cause is recorded for when they are used. */
async function reportSharers(
  deps: RevokeGrantDependencies,
  sharers: readonly GrantSharer[],
  nowEpochSec: number,
  requestId: string,
): Promise<void> {
  const noted = await Promise.allSettled(sharers.map((sharer) => deps.connections.noteGrantEnded(sharer, nowEpochSec)));
  const failed = noted.find((one) => one.status === 'rejected');
  // The grant is ended anyway; a sharer without the record only lacks this explanation.
  if (failed !== undefined) deps.logger.error('a shared grant was ended without a note', { requestId }, failed.reason);
}

/** Every refresh token of the account is dead now, so none counts towards the provider's limit. */
async function forgetConsents(
  deps: RevokeGrantDependencies,
  { clientId, subject }: PendingRevocation,
  requestId: string,
): Promise<void> {
  if (subject === undefined) return;
  try {
    await deps.consents.forget(clientId, subject);
  } catch (error) {
    deps.logger.error('consents of an ended grant could not be forgotten', { requestId }, error);
  }
}

async function finish(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  outcome: string,
  requestId: string,
): Promise<void> {
  deps.metrics.count('Revocation', { outcome });
  await deps.revocations.finish(
    pending,
    newEvent(deps.clock, deps.random, 'ConnectionGrantRevoked', {
      subject: pending.ref,
      sequence: 0,
      endUserId: pending.endUserId,
      says: { outcome },
      requestId,
    }),
  );
}

async function postpone(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  reason: string,
  retryAfterSec: number | undefined,
  requestId: string,
): Promise<RevocationResult> {
  const waitSec = refreshBackoffSec(pending.failureCount, retryAfterSec, deps.random.number());
  const retryAtEpochSec = epochSecNow(deps.clock) + waitSec;
  deps.metrics.count('Revocation', { outcome: 'failed' });
  deps.logger.warn('revocation failed for now', { accountId: pending.ref.accountId, cause: reason, requestId });
  await deps.revocations.postpone(pending, retryAtEpochSec);
  return { kind: 'pending', reason, retryAtEpochSec };
}

/** `invalid_token` means that the token is dead already (RFC 7009 section 2.2; Google answers 400). */
function isAlreadyInvalid(status: number, body: string): boolean {
  if (status !== 400 && status !== 401) return false;
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === 'object' && json !== null && 'error' in json && json.error === 'invalid_token';
  } catch {
    return false;
  }
}
