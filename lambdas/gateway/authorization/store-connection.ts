import type { PickRecord } from '../connections/authorized-session.rules.ts';
import {
  type Connection,
  type EndUser,
  NO_REFRESH_UNDER_WAY,
  NOTHING_KNOWN_OF_GRANT,
  type WholeConnection,
} from '../connections/connection.rules.ts';
import { healthWord, isUsed, nextLookAt } from '../connections/health.rules.ts';
import type { ConnectionStore } from '../connections/ports.ts';
import type { AuthorizedGrant, UnconfirmedGrant } from '../connections/unconfirmed-grant.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import { type ConnectionRef, numericId } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';
import { type LifecycleEvent, newEvent } from '../events/lifecycle-event.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { missingAccess, scopeChange } from '../providers/scopes.rules.ts';
import { nextRefreshAt, type RefreshPolicy } from '../tokens/freshness.rules.ts';
import type { ConnectSession } from './connect-session.rules.ts';
import { FlowFailure } from './flow-failure.ts';
import { type AccountRemark, checkAccount } from './identify-account.ts';

/** A grant with everything for its row. */
export interface ConnectionParts {
  readonly ref: ConnectionRef;
  readonly grant: AuthorizedGrant;
  readonly integration: Pick<Integration, 'publishingStatus' | 'audience'>;
  /** As the session has them. */
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** The row to be replaced, deleted ones included. */
  readonly previous: Connection | undefined;
  /** For a connection that is new. */
  readonly numericId: number;
  readonly nowMs: number;
  readonly refreshPolicy: RefreshPolicy;
}

/**
 * The connection after an authorization: new tokens and scopes, but the old identity, age, description and history. Its `sequence` is
 * still the previous one.
 */
export function authorizedConnection(parts: ConnectionParts): Connection {
  const { ref, grant, previous, nowMs } = parts;
  const existing = previous?.status === 'deleted' ? undefined : previous;
  const nowEpochSec = Math.floor(nowMs / 1000);
  const now = new Date(nowMs).toISOString();
  const epoch = (previous?.epoch ?? 0) + 1;
  const connection: WholeConnection = {
    ...ref,
    ...grant,
    status: 'active',
    death: undefined,
    // Raised, so that a refresh in flight for the old grant can no longer write; equal to the token epoch, so that its escrow is
    // outdated.
    epoch,
    tokenEpoch: epoch,
    ...NO_REFRESH_UNDER_WAY,
    ...NOTHING_KNOWN_OF_GRANT,
    delegated: undefined,
    tokenPrints: grant.tokenPrints,
    refreshAtEpochSec: undefined,
    // A new connection will be used soon, so it is kept fresh for its first day. One without any call stays unused.
    lastUsedAtEpochSec: existing === undefined || isUsed(existing) ? nowEpochSec : existing.lastUsedAtEpochSec,
    lastRefreshedAtEpochSec: undefined,
    sequence: previous?.sequence ?? 0,
    numericId: existing?.numericId ?? parts.numericId,
    endUser: parts.endUser ?? existing?.endUser,
    language: grant.language ?? existing?.language,
    tags: Object.keys(parts.tags).length > 0 ? parts.tags : (existing?.tags ?? {}),
    metadata: existing?.metadata,
    budget: existing?.budget,
    callsRecordedUntilEpochSec: existing?.callsRecordedUntilEpochSec,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
  };
  const refreshAt = nextRefreshAt(
    connection,
    connection.accessTokenExpiresAtEpochSec,
    nowEpochSec,
    nowEpochSec,
    parts.refreshPolicy,
  );
  // Without refreshes ahead of use, a known end is still reported in time and detected afterwards.
  const lookAt = nextLookAt(connection, parts.integration, nowEpochSec) ?? refreshAt;
  return { ...connection, refreshAtEpochSec: Math.min(refreshAt, lookAt) };
}

export interface StoreDependencies {
  readonly connections: Pick<ConnectionStore, 'read' | 'saveAuthorized'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshPolicy: RefreshPolicy;
}

/** A grant for a new or an existing connection. */
export interface FinishedAuthorization {
  readonly ref: ConnectionRef;
  readonly isReconnect: boolean;
  readonly session: Pick<ConnectSession, 'sessionHash' | 'endUser' | 'tags' | 'allowAccountChange'>;
  readonly grant: AuthorizedGrant;
  readonly integration: Pick<Integration, 'publishingStatus' | 'audience'>;
  /** The files picked with the consent. */
  readonly pick?: PickRecord | undefined;
  /** Set when the grant has waited for confirmation: it is removed in the same write. */
  readonly unconfirmed?: UnconfirmedGrant;
  readonly requestId: string;
  /** The actor, for the audit trail. */
  readonly actor: string;
}

/** The stored connection, and its missing scopes. */
export interface StoredConnection {
  readonly connection: Connection;
  readonly missingScopes: readonly string[];
}

/** How often another writer may win the row before the flow fails. */
const ATTEMPTS = 5;

/**
 * Stores the granted scopes, not the requested ones, with events and the session's end in one transaction.
 *
 * @throws FlowFailure
 */
export async function storeConnection(
  deps: StoreDependencies,
  finished: FinishedAuthorization,
): Promise<StoredConnection> {
  const { ref, session, grant } = finished;
  const missing = missingAccess(grant.requestedScopes, grant.grantedScopes);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const previous = await deps.connections.read(ref);
    const existing = checkExisting(previous, finished);
    const remark = checkAccount(existing, grant.providerAccount, session.allowAccountChange);
    const written = authorizedConnection({
      ref,
      grant,
      integration: finished.integration,
      endUser: session.endUser,
      tags: session.tags,
      previous,
      numericId: finished.unconfirmed?.numericId ?? numericId(deps.clock.nowMs(), deps.random),
      nowMs: deps.clock.nowMs(),
      refreshPolicy: deps.refreshPolicy,
    });
    const events = eventsOf(deps, finished, existing, written, remark);
    const connection = { ...written, sequence: written.sequence + events.length };
    const { pick, requestId } = finished;
    const picked =
      pick === undefined ? [] : [filesPicked(deps, ref, pick, { endUserId: connection.endUser?.id, requestId })];
    const saved = await deps.connections.saveAuthorized(connection, previous, [...events, ...picked], {
      sessionHash: session.sessionHash,
      // A confirmed connection needs a new session to request more scopes.
      mayAskAgain: missing.length > 0 && finished.unconfirmed === undefined,
      outcome: {
        integrationId: ref.integrationId,
        connectionId: ref.connectionId,
        errorType: undefined,
        message: undefined,
        missingScopes: missing,
        ...(pick === undefined ? {} : { pickId: pick.pickId }),
      },
      pick,
      unconfirmed: finished.unconfirmed,
    });
    if (saved === 'saved') return { connection, missingScopes: missing };
    if (saved === 'session_over') throw new FlowFailure('session_used');
  }
  throw new FlowFailure('changed_meanwhile');
}

/**
 * The existing connection of the grant, if any.
 *
 * @throws FlowFailure when it is required and missing
 */
export function checkExisting(
  previous: Connection | undefined,
  { isReconnect }: { readonly isReconnect: boolean },
): Connection | undefined {
  const existing = previous?.status === 'deleted' ? undefined : previous;
  if (isReconnect && existing === undefined) throw new FlowFailure('connection_deleted');
  return existing;
}

/** The connection's next events, in order: created or authorized again, then changes of its scopes. */
function eventsOf(
  deps: StoreDependencies,
  finished: FinishedAuthorization,
  existing: Connection | undefined,
  connection: Connection,
  remark: AccountRemark,
): LifecycleEvent[] {
  // The provider has just taken the client.
  const app = { ...finished.integration, clientFault: undefined };
  const health = healthWord(connection, app, epochSecNow(deps.clock));
  const event = (type: LifecycleEvent['eventType'], sequence: number, reason: string | undefined) =>
    newEvent(deps.clock, deps.random, type, {
      subject: {
        accountId: connection.accountId,
        integrationId: connection.integrationId,
        connectionId: connection.connectionId,
      },
      sequence: connection.sequence + sequence,
      endUserId: connection.endUser?.id,
      says: { reason },
      health,
      requestId: finished.requestId,
      actor: finished.actor,
    });
  if (existing === undefined) return [event('ConnectionCreated', 1, remark)];
  const reauthorized = event('ConnectionReauthorized', 1, remark);
  const change = scopeChange(existing.grantedScopes, connection.grantedScopes);
  return change === undefined ? [reauthorized] : [reauthorized, event('ConnectionScopesChanged', 2, change)];
}

/** The event of a pick: the number of files and the session; no event contains the ids (PK-14). */
export function filesPicked(
  deps: Pick<StoreDependencies, 'clock' | 'random'>,
  ref: ConnectionRef,
  record: PickRecord,
  about: { readonly endUserId: string | undefined; readonly requestId: string },
): LifecycleEvent {
  return newEvent(deps.clock, deps.random, 'FilesPicked', {
    subject: ref,
    sequence: 0,
    says: { files: String(record.files.length) },
    actor: record.actor,
    ...about,
  });
}
