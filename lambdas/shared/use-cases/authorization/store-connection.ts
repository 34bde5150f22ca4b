import type { ConnectSession, PendingAuthorization } from '../../domain/connect-session.ts';
import type { Connection, ProviderAccount, TokenSet } from '../../domain/connection.ts';
import type { Integration } from '../../domain/integration.ts';
import type { LifecycleEvent } from '../../domain/lifecycle-event.ts';
import type { RefreshPolicy } from '../../domain/refresh-policy.ts';
import { missingAccess } from '../../domain/requested-access.ts';
import { scopeChange } from '../../domain/scopes.ts';
import type { Clock, ConnectionStore, Random, TokenCipher } from '../../ports.ts';
import { sessionActor } from '../actor.ts';
import { accessTokenContext, refreshTokenContext } from '../cipher-contexts.ts';
import { newEvent } from '../record-event.ts';
import { authorizedConnection } from './authorized-connection.ts';
import { FlowFailure } from './flow-failure.ts';
import { type AccountRemark, checkAccount } from './identify-account.ts';

export interface StoreDependencies {
  readonly connections: Pick<ConnectionStore, 'read' | 'saveAuthorized'>;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshPolicy: RefreshPolicy;
}

/** A finished flow: what was pending and what came of it. */
export interface GrantedAuthorization {
  readonly pending: PendingAuthorization;
  readonly session: ConnectSession;
  readonly integration: Integration;
  readonly tokens: TokenSet;
  readonly account: ProviderAccount | undefined;
  readonly requestId: string;
}

/** What was stored, and the scopes that it lacks. */
export interface StoredConnection {
  readonly connection: Connection;
  readonly missingScopes: readonly string[];
}

/** Another writer may win the row this often before the flow gives up. */
const ATTEMPTS = 5;

/**
 * Stores what was granted, not what was asked, with its events and the session's end in one transaction.
 *
 * @throws FlowFailure
 */
export async function storeConnection(
  deps: StoreDependencies,
  granted: GrantedAuthorization,
): Promise<StoredConnection> {
  const { pending, session, tokens, account } = granted;
  const ref = {
    accountId: pending.accountId,
    integrationId: pending.integrationId,
    connectionId: pending.connectionId,
  };
  const [encryptedAccessToken, encryptedRefreshToken] = await Promise.all([
    deps.cipher.encrypt(accessTokenContext(ref), tokens.accessToken),
    deps.cipher.encrypt(refreshTokenContext(ref), tokens.refreshToken ?? ''),
  ]);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const previous = await deps.connections.read(ref);
    const existing = previous?.status === 'deleted' ? undefined : previous;
    if (pending.isReconnect && existing === undefined) throw new FlowFailure('connection_deleted');
    const remark = checkAccount(existing, account, session);
    const written = authorizedConnection({
      ...granted,
      ref,
      previous,
      encryptedAccessToken,
      encryptedRefreshToken,
      nowMs: deps.clock.nowMs(),
      random: deps.random,
      refreshPolicy: deps.refreshPolicy,
    });
    const events = eventsOf(deps, granted, existing, written, remark);
    const connection = { ...written, sequence: written.sequence + events.length };
    const missing = missingAccess(pending.requestedScopes, connection.grantedScopes);
    const saved = await deps.connections.saveAuthorized(connection, previous, events, {
      sessionHash: session.sessionHash,
      mayAskAgain: missing.length > 0,
      outcome: {
        integrationId: ref.integrationId,
        connectionId: ref.connectionId,
        errorType: undefined,
        message: undefined,
        missingScopes: missing,
      },
    });
    if (saved === 'saved') return { connection, missingScopes: missing };
    if (saved === 'session_over') throw new FlowFailure('session_used');
  }
  throw new FlowFailure('changed_meanwhile');
}

/** The connection's next events, in order: made or authorized again, then what changed in its scopes. */
function eventsOf(
  deps: StoreDependencies,
  granted: GrantedAuthorization,
  existing: Connection | undefined,
  connection: Connection,
  remark: AccountRemark,
): LifecycleEvent[] {
  const event = (type: LifecycleEvent['eventType'], sequence: number, cause: string | undefined) =>
    newEvent(deps.clock, deps.random, type, {
      subject: {
        accountId: connection.accountId,
        integrationId: connection.integrationId,
        connectionId: connection.connectionId,
      },
      sequence: connection.sequence + sequence,
      endUserId: connection.endUser?.id,
      cause,
      requestId: granted.requestId,
      actor: sessionActor(granted.session),
    });
  if (existing === undefined) return [event('ConnectionCreated', 1, remark)];
  const reauthorized = event('ConnectionReauthorized', 1, remark);
  const change = scopeChange(existing.grantedScopes, connection.grantedScopes);
  return change === undefined ? [reauthorized] : [reauthorized, event('ConnectionScopesChanged', 2, change)];
}
