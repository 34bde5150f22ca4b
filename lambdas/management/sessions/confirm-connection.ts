import { type ConnectSession, isReconnected } from '../../gateway/authorization/connect-session.rules.ts';
import { FlowFailure } from '../../gateway/authorization/flow-failure.ts';
import type { ConnectSessionStore } from '../../gateway/authorization/ports.ts';
import {
  type StoreDependencies,
  type StoredConnection,
  storeConnection,
} from '../../gateway/authorization/store-connection.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { sessionHashOfHandle } from '../../gateway/connections/unconfirmed-grant.rules.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { type ConnectionRef, equalDigests, sha256Hex } from '../../gateway/core/identifiers.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import {
  type EndUnconfirmedDependencies,
  endUnconfirmed,
  type NotConfirmedCause,
} from '../../gateway/tokens/end-unconfirmed.ts';

export interface ConfirmDependencies extends EndUnconfirmedDependencies, StoreDependencies {
  readonly sessions: Pick<ConnectSessionStore, 'find'>;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly connections: ConnectionStore;
}

/** A backend's statement about the browser that returned. */
export interface Confirmation {
  readonly accountId: string;
  /** As the browser brought it. */
  readonly handle: string;
  /** The signed-in end user of the app in that browser. */
  readonly endUserId: string;
  readonly requestId: string;
  readonly actor: string;
}

/**
 * Turns the grant of a handle into a connection, if the user who returned is the one that the session was created for. Otherwise
 * the grant is ended at once, because another person's account would have been connected (CS-15).
 *
 * @param checkReach refuses an integration that the caller may not reach
 * @throws GatewayError `invalid_body`, `not_found`, `conflict`, `unknown_integration`, and errors of `checkReach`
 */
export async function confirmConnection(
  deps: ConfirmDependencies,
  confirmation: Confirmation,
  checkReach: (integrationId: string) => void,
): Promise<StoredConnection & { readonly isReconnect: boolean }> {
  const { requestId, actor } = confirmation;
  const session = await sessionOf(deps, confirmation);
  const { integrationId, connectionId } = session.outcome ?? {};
  if (integrationId === undefined || connectionId === undefined) throw nothingToConfirm();
  checkReach(integrationId);
  const ref = { accountId: session.accountId, integrationId, connectionId };
  if (session.status === 'connected') throw usedBefore(ref);
  const isReconnect = isReconnected(session);
  const unconfirmed = await deps.unconfirmed.read(ref, isReconnect ? session.sessionHash : undefined);
  if (unconfirmed === undefined || unconfirmed.confirmUntilEpochSec * 1000 <= deps.clock.nowMs()) {
    // Another call may have confirmed it between the two reads.
    const { status } = (await deps.sessions.find(session.sessionHash)) ?? session;
    throw status === 'connected' ? usedBefore(ref) : nothingToConfirm();
  }
  const end = (cause: NotConfirmedCause) => endUnconfirmed(deps, unconfirmed, cause, { requestId, actor });
  if (unconfirmed.endUser?.id !== confirmation.endUserId) {
    await end('other_end_user');
    throw new GatewayError(
      'conflict',
      'The connect link was created for a different end user from the one who came back, so nothing was connected and the grant was ended. Create a new session for the user who is signed in.',
    );
  }
  const integration = await deps.integrations.get(ref);
  if (integration === undefined) {
    await end('integration_gone');
    throw new GatewayError(
      'unknown_integration',
      'The integration was removed in the meantime, so nothing was connected.',
    );
  }
  try {
    const { sessionHash, endUser, tags, allowAccountChange, grant } = unconfirmed;
    const stored = await storeConnection(deps, {
      ref,
      isReconnect,
      session: { sessionHash, endUser, tags, allowAccountChange },
      grant,
      integration,
      unconfirmed,
      requestId,
      actor,
    });
    return { ...stored, isReconnect };
  } catch (error) {
    if (!(error instanceof FlowFailure)) throw error;
    const cause = causeOf(error);
    if (cause !== undefined) await end(cause);
    throw new GatewayError('conflict', `${error.text.happened} ${error.text.next}`, { cause: error });
  }
}

/** The session of a valid handle; one answer for every unknown handle and another account's. */
async function sessionOf(deps: ConfirmDependencies, { handle, accountId }: Confirmation): Promise<ConnectSession> {
  const sessionHash = sessionHashOfHandle(handle);
  if (sessionHash === undefined) {
    throw refusal('invalid_body', [
      { path: 'handle', message: 'send the confirmation_handle of the return URL, or confirmationHandle of connect()' },
    ]);
  }
  const session = await deps.sessions.find(sessionHash);
  const expected = session?.confirmationHash;
  if (session === undefined || expected === undefined || session.accountId !== accountId) throw nothingToConfirm();
  if (!equalDigests(expected, sha256Hex(handle))) throw nothingToConfirm();
  return session;
}

function causeOf({ kind }: FlowFailure): NotConfirmedCause | undefined {
  if (kind === 'connection_deleted') return 'connection_deleted';
  return kind === 'wrong_account' || kind === 'account_unproven' ? 'wrong_account' : undefined;
}

function usedBefore({ integrationId, connectionId }: ConnectionRef): GatewayError {
  return new GatewayError(
    'conflict',
    `This handle was already used: the connection ${connectionId} under ${integrationId} is confirmed.`,
  );
}

function nothingToConfirm(): GatewayError {
  return new GatewayError(
    'not_found',
    'There is nothing to confirm with this handle: it is from another gateway, was not confirmed within 15 minutes, or its grant was ended. Create a new session.',
  );
}
