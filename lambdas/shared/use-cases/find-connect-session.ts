import type { ConnectSession } from '../domain/connect-session.ts';
import { sha256Hex } from '../domain/digest.ts';
import { GatewayError } from '../domain/errors.ts';
import type { Clock, ConnectSessionStore } from '../ports.ts';

/** A session as the world sees it: over when its time is over, whatever its row says. */
export type VisibleStatus = ConnectSession['status'] | 'expired';

export function visibleStatus(session: ConnectSession, nowEpochSec: number): VisibleStatus {
  const open = session.status === 'pending' || session.status === 'authorizing';
  return open && session.expiresAtEpochSec <= nowEpochSec ? 'expired' : session.status;
}

/**
 * The session behind a token.
 *
 * @throws GatewayError `invalid_session_token` for an unknown one; expired sessions are found, so that they can say so
 */
export async function findConnectSession(
  deps: { readonly sessions: ConnectSessionStore; readonly clock: Clock },
  token: string | undefined,
): Promise<{ readonly session: ConnectSession; readonly status: VisibleStatus }> {
  const session =
    token === undefined || token.length > 200 ? undefined : await deps.sessions.find(sha256Hex(token));
  if (session === undefined) {
    throw new GatewayError('invalid_session_token', 'The connect session token is not valid. Ask for a new link.');
  }
  return { session, status: visibleStatus(session, Math.floor(deps.clock.nowMs() / 1000)) };
}

/** The same for routes that only open sessions may use. */
export async function openConnectSession(
  deps: { readonly sessions: ConnectSessionStore; readonly clock: Clock },
  token: string | undefined,
): Promise<ConnectSession> {
  const { session, status } = await findConnectSession(deps, token);
  if (status === 'expired') {
    throw new GatewayError('invalid_session_token', 'This connect session has expired. Ask for a new link.');
  }
  if (status === 'connected') {
    throw new GatewayError('conflict', 'This connect session has already been used. Ask for a new link.');
  }
  return session;
}
