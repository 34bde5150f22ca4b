import type { ConnectSession } from '../gateway/authorization/connect-session.rules.ts';
import { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import { checkAccount } from '../gateway/authorization/identify-account.ts';
import { checkExisting } from '../gateway/authorization/store-connection.ts';
import type { ConnectionStore, UnconfirmedGrantStore } from '../gateway/connections/ports.ts';
import { type AuthorizedGrant, confirmationHandle } from '../gateway/connections/unconfirmed-grant.rules.ts';
import { type ConnectionRef, numericId, sha256Hex } from '../gateway/core/identifiers.ts';
import { CONFIRMATION_LIFETIME_SEC } from '../gateway/core/limits.ts';
import type { Clock, Random } from '../gateway/core/ports.ts';
import { newEvent, sessionActor } from '../gateway/events/lifecycle-event.rules.ts';
import { missingAccess } from '../gateway/providers/scopes.rules.ts';

export interface KeepUnconfirmedDependencies {
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly unconfirmed: Pick<UnconfirmedGrantStore, 'save'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** A stored grant, and the handle that lets it become a connection. */
export interface KeptGrant {
  readonly missingScopes: readonly string[];
  /** Only for the browser that finished the flow. */
  readonly confirmation: { readonly handle: string; readonly untilEpochSec: number };
}

/**
 * Stores a grant until the app's backend confirms it (CS-15). The account must be known: an unconfirmed grant is
 * ended, and that must not end another connection's.
 *
 * @throws FlowFailure
 */
export async function keepUnconfirmed(
  deps: KeepUnconfirmedDependencies,
  finished: {
    readonly ref: ConnectionRef;
    readonly isReconnect: boolean;
    readonly session: ConnectSession;
    readonly grant: AuthorizedGrant;
    readonly requestId: string;
  },
): Promise<KeptGrant> {
  const { ref, isReconnect, session, grant } = finished;
  const { providerAccount } = grant;
  if (providerAccount === undefined) throw new FlowFailure('account_unproven');
  const existing = checkExisting(await deps.connections.read(ref), finished);
  checkAccount(existing, providerAccount, session.allowAccountChange);
  const handle = confirmationHandle(session.sessionHash, deps.random.bytes(32));
  const untilEpochSec = grant.consentedAtEpochSec + CONFIRMATION_LIFETIME_SEC;
  const missingScopes = missingAccess(grant.requestedScopes, grant.grantedScopes);
  const endUser = session.endUser ?? existing?.endUser;
  const event = newEvent(deps.clock, deps.random, 'ConnectionConfirmationPending', {
    subject: ref,
    sequence: 0,
    endUserId: endUser?.id,
    requestId: finished.requestId,
    actor: sessionActor(session),
  });
  const kept = await deps.unconfirmed.save(
    {
      ref,
      sessionHash: session.sessionHash,
      isReconnect,
      endUser,
      tags: session.tags,
      allowAccountChange: session.allowAccountChange,
      grant: { ...grant, providerAccount },
      numericId: numericId(deps.clock.nowMs(), deps.random),
      confirmUntilEpochSec: untilEpochSec,
      failureCount: 0,
    },
    {
      confirmationHash: sha256Hex(handle),
      outcome: {
        integrationId: ref.integrationId,
        connectionId: ref.connectionId,
        errorType: undefined,
        message: undefined,
        missingScopes,
      },
    },
    event,
  );
  if (!kept) throw new FlowFailure('session_used');
  return { missingScopes, confirmation: { handle, untilEpochSec } };
}
