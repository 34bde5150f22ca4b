import { type Connection, type EndUser, NO_REFRESH_UNDER_WAY } from '../connections/connection.rules.ts';
import type { AuthorizedGrant } from '../connections/unconfirmed-grant.rules.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { nextWarningAt } from '../tokens/forecast.rules.ts';
import { nextRefreshAt, type RefreshPolicy } from '../tokens/freshness.rules.ts';

/** A grant with everything that goes into its row. */
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
 * The connection after an authorization: new tokens and scopes, the old identity, age, description and history. Its
 * `sequence` is still the previous one.
 */
export function authorizedConnection(parts: ConnectionParts): Connection {
  const { ref, grant, previous, nowMs } = parts;
  const existing = previous?.status === 'deleted' ? undefined : previous;
  const nowEpochSec = Math.floor(nowMs / 1000);
  const now = new Date(nowMs).toISOString();
  const epoch = (previous?.epoch ?? 0) + 1;
  const connection: Connection = {
    ...ref,
    ...grant,
    status: 'active',
    death: undefined,
    // Raised, so that a refresh in flight for the old grant can no longer write; equal, so that its escrow is outdated.
    epoch,
    tokenEpoch: epoch,
    ...NO_REFRESH_UNDER_WAY,
    refreshAtEpochSec: undefined,
    // A new connection is about to be used: keep it warm for its first day.
    lastUsedAtEpochSec: nowEpochSec,
    lastRefreshedAtEpochSec: undefined,
    sequence: previous?.sequence ?? 0,
    numericId: existing?.numericId ?? parts.numericId,
    endUser: parts.endUser ?? existing?.endUser,
    tags: Object.keys(parts.tags).length > 0 ? parts.tags : (existing?.tags ?? {}),
    metadata: existing?.metadata,
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
  // Where nothing is refreshed ahead of use, a known end is announced in time all the same.
  const warningAt = nextWarningAt(connection, parts.integration, nowEpochSec) ?? refreshAt;
  return { ...connection, refreshAtEpochSec: Math.min(refreshAt, warningAt) };
}
