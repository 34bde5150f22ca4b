import type { GrantSharer, UnconfirmedGrantStore } from '../connections/ports.ts';
import type { UnconfirmedGrant } from '../connections/unconfirmed-grant.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import {
  attemptRevocation,
  isSharedInProject,
  newRevocation,
  type RevocationReport,
  type RevokeGrantDependencies,
  revocationReport,
  stillLive,
} from './revoke-grant.ts';

/** Enough to detect that a grant is shared. */
const SHARERS_MAX = 50;
/** Seconds to wait for another revocation of the same name. */
const OTHER_REVOCATION_WAIT_SEC = 300;

export interface EndUnconfirmedDependencies extends RevokeGrantDependencies {
  readonly unconfirmed: UnconfirmedGrantStore;
}

/** Why a grant did not become a connection. */
export type NotConfirmedCause =
  | 'not_confirmed_in_time'
  | 'other_end_user'
  | 'withdrawn'
  | 'integration_gone'
  | 'connection_deleted'
  | 'wrong_account';

/**
 * Erases a grant that will not become a connection and asks the provider to end it. Not while an active connection shares it (that
 * of a reconnect, or another one of the same account), or another grant of the account can still be confirmed: the provider
 * would end them all (CS-15, TK-9).
 *
 * @returns undefined when it was confirmed or ended meanwhile
 */
export async function endUnconfirmed(
  deps: EndUnconfirmedDependencies,
  unconfirmed: UnconfirmedGrant,
  cause: NotConfirmedCause,
  request: { readonly requestId: string; readonly actor?: string | undefined },
): Promise<RevocationReport | undefined> {
  const { ref, grant } = unconfirmed;
  const nowEpochSec = epochSecNow(deps.clock);
  const sharers = isSharedInProject(deps.endpointsOf(grant.provider))
    ? await deps.connections.sharingGrant(grant.clientId, grant.providerAccount.subject, SHARERS_MAX)
    : [];
  const live = await stillLive(
    deps.connections,
    sharers.filter((sharer) => sharer.unconfirmed === undefined),
  );
  const waiting = await stillWaiting(deps, unconfirmed, sharers, nowEpochSec);
  const sharing = live.length + waiting.length;
  const revocation =
    sharing > 0
      ? undefined
      : newRevocation(
          {
            ref,
            provider: grant.provider,
            encryptedRefreshToken: grant.encryptedRefreshToken,
            clientId: grant.clientId,
            subject: grant.providerAccount.subject,
            endUserId: unconfirmed.endUser?.id,
          },
          nowEpochSec,
        );
  const event = newEvent(deps.clock, deps.random, 'ConnectionNotConfirmed', {
    subject: ref,
    sequence: 0,
    endUserId: unconfirmed.endUser?.id,
    says: { reason: cause },
    ...request,
  });
  const ended = await deps.unconfirmed.end(unconfirmed, event, revocation);
  if (ended === 'gone') return undefined;
  if (ended === 'revocation_pending') {
    const retryAtEpochSec = nowEpochSec + OTHER_REVOCATION_WAIT_SEC;
    await deps.unconfirmed.close(unconfirmed, retryAtEpochSec);
    return { ...revocationReport('pending', 'another_revocation_pending', 0), retryAtEpochSec };
  }
  if (revocation === undefined) return revocationReport('skipped', 'grant_is_shared', sharing);
  return attemptRevocation(deps, revocation, 0, request.requestId);
}

/** Other grants of the account that can still be confirmed; the last of them to end is revoked. */
async function stillWaiting(
  deps: EndUnconfirmedDependencies,
  ending: UnconfirmedGrant,
  sharers: readonly GrantSharer[],
  nowEpochSec: number,
): Promise<readonly UnconfirmedGrant[]> {
  const found = await Promise.all(
    sharers.map(({ unconfirmed, ...ref }) =>
      unconfirmed === undefined ? undefined : deps.unconfirmed.read(ref, unconfirmed.reconnectSession),
    ),
  );
  return found
    .filter((one) => one !== undefined)
    .filter((one) => one.sessionHash !== ending.sessionHash && one.confirmUntilEpochSec > nowEpochSec);
}
