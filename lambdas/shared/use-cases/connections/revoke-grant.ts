import type { ProviderEndpoints } from '../../domain/provider.ts';
import { refreshBackoffSec } from '../../domain/token-freshness.ts';
import { parseRetryAfter } from '../../domain/token-response.ts';
import type {
  Clock,
  ConnectionStore,
  Logger,
  Metrics,
  PendingRevocation,
  Random,
  RevocationStore,
  TokenCipher,
  TokenEndpoint,
} from '../../ports.ts';
import { refreshTokenContext } from '../cipher-contexts.ts';
import { newEvent } from '../record-event.ts';

export interface RevokeGrantDependencies {
  readonly revocations: RevocationStore;
  readonly connections: ConnectionStore;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpoints: ProviderEndpoints;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** How one attempt to revoke ended. */
export type RevocationResult =
  /** The provider has ended the grant, or had before. */
  | { readonly kind: 'revoked' }
  /** The account consented anew meanwhile: ending the old grant would end the new one. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'pending'; readonly reason: string; readonly retryAtEpochSec: number };

/**
 * One bounded attempt to have the provider end a deleted connection's grant (RFC 7009). What fails stays due.
 */
export async function revokeGrant(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  requestId: string,
): Promise<RevocationResult> {
  if (await consentedAnew(deps, pending)) {
    await finish(deps, pending, 'superseded_by_new_consent', requestId);
    return { kind: 'superseded' };
  }
  const refreshToken = await deps.cipher.decrypt(refreshTokenContext(pending.ref), pending.encryptedRefreshToken);
  const result = await deps.tokenEndpoint.revoke(deps.endpoints, refreshToken);
  const nowEpochSec = Math.floor(deps.clock.nowMs() / 1000);
  if (result.kind === 'answered') {
    const { status, body, retryAfter } = result.response;
    if (status === 200) {
      await finish(deps, pending, 'revoked', requestId);
      return { kind: 'revoked' };
    }
    if (isAlreadyInvalid(status, body)) {
      await finish(deps, pending, 'already_invalid', requestId);
      return { kind: 'revoked' };
    }
    return postpone(deps, pending, `provider_answered_${status}`, parseRetryAfter(retryAfter, nowEpochSec), requestId);
  }
  return postpone(deps, pending, result.reason, undefined, requestId);
}

/** A grant is (Cloud project, account): a consent after the deletion belongs to the same one (TK-9). */
async function consentedAnew(deps: RevokeGrantDependencies, pending: PendingRevocation): Promise<boolean> {
  if (pending.subject === undefined) return false;
  const sharers = await deps.connections.sharingGrant(pending.clientId, pending.subject, 200);
  return sharers.some(({ consentedAtEpochSec }) => consentedAtEpochSec > pending.requestedAtEpochSec);
}

async function finish(
  deps: RevokeGrantDependencies,
  pending: PendingRevocation,
  cause: string,
  requestId: string,
): Promise<void> {
  deps.metrics.count('Revocation', { outcome: cause });
  await deps.revocations.finish(
    pending,
    newEvent(deps.clock, deps.random, 'ConnectionGrantRevoked', {
      subject: pending.ref,
      sequence: 0,
      endUserId: pending.endUserId,
      cause,
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
  const retryAtEpochSec = Math.floor(deps.clock.nowMs() / 1000) + waitSec;
  deps.metrics.count('Revocation', { outcome: 'failed' });
  deps.logger.warn('revocation failed for now', { accountId: pending.ref.accountId, cause: reason, requestId });
  await deps.revocations.postpone(pending, retryAtEpochSec);
  return { kind: 'pending', reason, retryAtEpochSec };
}

/** `invalid_token` names a token that is dead already (RFC 7009 section 2.2; Google answers 400). */
function isAlreadyInvalid(status: number, body: string): boolean {
  if (status !== 400 && status !== 401) return false;
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === 'object' && json !== null && 'error' in json && json.error === 'invalid_token';
  } catch {
    return false;
  }
}
