import { epochSecNow } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { sha256Hex } from '../core/identifiers.ts';
import type { Clock } from '../core/ports.ts';
import { type ConnectSession, type VisibleStatus, visibleStatus } from './connect-session.rules.ts';
import type { ConnectSessionStore } from './ports.ts';

/** Longer texts cannot be tokens and are not hashed. */
const TOKEN_MAX_LENGTH = 200;

const UNKNOWN_LINK = 'This connect link is not valid or was withdrawn. Ask the app that sent you here for a new one.';
const A_SECRET_KEY =
  'This is a secret key. This route takes the token of a connect session (cs_…), which POST /connect/sessions returns.';

/**
 * The session of a token.
 *
 * @throws GatewayError `invalid_session_token` for an unknown one; expired sessions are returned, so that their state can be shown
 */
export async function findConnectSession(
  deps: { readonly sessions: ConnectSessionStore; readonly clock: Clock },
  token: string | undefined,
): Promise<{ readonly session: ConnectSession; readonly status: VisibleStatus }> {
  const session =
    token === undefined || token.length > TOKEN_MAX_LENGTH ? undefined : await deps.sessions.find(sha256Hex(token));
  if (session === undefined) {
    if (token?.startsWith('sk_') === true) throw new GatewayError('invalid_session_token', A_SECRET_KEY);
    throw new GatewayError('invalid_session_token', UNKNOWN_LINK, { forEndUser: 'link_not_valid' });
  }
  return { session, status: visibleStatus(session, epochSecNow(deps.clock)) };
}

/**
 * The open session of a token, for a start.
 *
 * @throws GatewayError `invalid_session_token`, `conflict`
 */
export async function openConnectSession(
  deps: { readonly sessions: ConnectSessionStore; readonly clock: Clock },
  token: string | undefined,
): Promise<ConnectSession> {
  const { session, status } = await findConnectSession(deps, token);
  const isOver = session.expiresAtEpochSec <= epochSecNow(deps.clock);
  if (status === 'expired' || isOver) {
    throw new GatewayError(
      'invalid_session_token',
      'This connect link has expired. Ask the app that sent you here for a new one.',
      { forEndUser: 'link_expired' },
    );
  }
  if (status === 'not_confirmed') {
    throw new GatewayError(
      'conflict',
      'The app did not confirm the result of this connect link. Ask the app that sent you here for a new one.',
      { forEndUser: 'link_not_confirmed' },
    );
  }
  if (status === 'pending_confirmation' || (status === 'connected' && session.mayAskAgain !== true)) {
    throw new GatewayError(
      'conflict',
      'This connect link has already been used. Ask the app that sent you here for a new one.',
      { forEndUser: 'link_used' },
    );
  }
  return session;
}
