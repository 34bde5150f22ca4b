import type { ConnectSession, PendingAuthorization } from '../../domain/connect-session.ts';
import type { Connection, ProviderAccount, TokenSet } from '../../domain/connection.ts';
import type { Integration } from '../../domain/integration.ts';
import { uniqueScopes } from '../../domain/scopes.ts';
import { nextRefreshAt } from '../../domain/token-freshness.ts';
import type { Clock, ConnectionStore, Random, TokenCipher } from '../../ports.ts';
import { accessTokenContext, refreshTokenContext } from '../cipher-contexts.ts';
import { numericId } from '../numeric-id.ts';
import { newEvent } from '../record-event.ts';
import { FlowFailure } from './flow-failure.ts';

export interface StoreDependencies {
  readonly connections: ConnectionStore;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
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

/** Stores what was granted, not what was asked, with its event and the session's end in one transaction. */
export async function storeConnection(deps: StoreDependencies, granted: GrantedAuthorization): Promise<Connection> {
  const { pending, session, integration, tokens, account, requestId } = granted;
  const ref = { accountId: pending.accountId, integrationId: pending.integrationId, connectionId: pending.connectionId };
  const nowMs = deps.clock.nowMs();
  const nowEpochSec = Math.floor(nowMs / 1000);
  const [encryptedAccessToken, encryptedRefreshToken] = await Promise.all([
    deps.cipher.encrypt(accessTokenContext(ref), tokens.accessToken),
    deps.cipher.encrypt(refreshTokenContext(ref), tokens.refreshToken ?? ''),
  ]);
  for (let attempt = 0; attempt < 5; attempt++) {
    const previous = await deps.connections.read(ref);
    const existing = previous?.status === 'deleted' ? undefined : previous;
    if (pending.isReconnect && existing === undefined) {
      throw new FlowFailure(409, 'callback_err', 'The connection was deleted meanwhile. Nothing was connected.');
    }
    if (existing !== undefined) checkSameAccount(existing, account, session.allowAccountChange);
    const epoch = (previous?.epoch ?? 0) + 1;
    const fresh: Connection = {
      ...ref,
      provider: integration.provider,
      status: 'active',
      death: undefined,
      encryptedAccessToken,
      encryptedRefreshToken,
      accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
      requestedScopes: pending.requestedScopes,
      grantedScopes: uniqueScopes(tokens.grantedScopes ?? pending.requestedScopes),
      clientId: pending.clientId,
      providerAccount: account,
      consentedAtEpochSec: nowEpochSec,
      refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec,
      // Raised, so that a refresh in flight for the old grant can no longer write; equal, so that its escrow is outdated.
      epoch,
      tokenEpoch: epoch,
      refreshLease: undefined,
      attemptId: undefined,
      attemptHash: undefined,
      lostHash: undefined,
      retryAtEpochSec: undefined,
      failureCount: 0,
      refreshAtEpochSec: undefined,
      // A new connection is about to be used: keep it warm for its first day.
      lastUsedAtEpochSec: nowEpochSec,
      lastRefreshedAtEpochSec: undefined,
      sequence: (previous?.sequence ?? 0) + 1,
      numericId: existing?.numericId ?? numericId(nowMs, deps.random),
      endUser: session.endUser ?? existing?.endUser,
      tags: Object.keys(session.tags).length > 0 ? session.tags : (existing?.tags ?? {}),
      metadata: existing?.metadata,
      createdAt: existing?.createdAt ?? new Date(nowMs).toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
    };
    const connection = {
      ...fresh,
      refreshAtEpochSec: nextRefreshAt(fresh, fresh.accessTokenExpiresAtEpochSec, nowEpochSec, nowEpochSec),
    };
    const event = newEvent(deps.clock, deps.random, existing === undefined ? 'ConnectionCreated' : 'ConnectionReauthorized', {
      subject: ref,
      sequence: connection.sequence,
      endUserId: connection.endUser?.id,
      requestId,
    });
    const saved = await deps.connections.saveAuthorized(connection, previous, event, {
      sessionHash: session.sessionHash,
      outcome: { integrationId: ref.integrationId, connectionId: ref.connectionId, errorType: undefined, message: undefined },
    });
    if (saved === 'saved') return connection;
    if (saved === 'session_over') {
      throw new FlowFailure(409, 'state_err', 'This connect session has already been used. Nothing more was connected.');
    }
  }
  throw new FlowFailure(409, 'callback_err', 'The connection was changed at the same time. Start again.');
}

/** Another account of the provider may take a connection over only where the backend said so (CS-6). */
function checkSameAccount(existing: Connection, account: ProviderAccount | undefined, allowChange: boolean): void {
  const before = existing.providerAccount;
  if (before === undefined || account === undefined || before.subject === account.subject || allowChange) return;
  throw new FlowFailure(
    409,
    'callback_err',
    `This connection belongs to ${before.email ?? 'another Google account'}, but you chose ${account.email ?? 'a different one'}. Nothing was changed; start again with the first account.`,
  );
}
