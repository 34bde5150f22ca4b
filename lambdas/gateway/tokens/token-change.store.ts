import type { Connection, RefreshLease } from '../connections/connection.rules.ts';
import type { StoredTokens } from '../connections/ports.ts';
import { DUE_SHARDS } from '../contract.ts';
import { dueShardOf } from './freshness.rules.ts';

/** Parts of the one update that writes new tokens; whoever uses them adds the condition on `epoch` (value `:epoch`). */
export interface TokenChange {
  readonly sets: readonly string[];
  readonly removes: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** New tokens, the end of the lease and the next due time: one write, so that no reader sees half of it (TK-2). */
export function tokenChange(connection: Connection, lease: RefreshLease, tokens: StoredTokens): TokenChange {
  const sets = [
    'encryptedAccessToken = :access',
    'accessTokenExpiresAtEpochSec = :expires',
    'grantedScopes = :scopes',
    'tokenEpoch = :epoch',
    'refreshAt = :refreshAt',
    'dueShard = :shard',
    'lastRefreshedAtEpochSec = :now',
    'failureCount = :zero',
  ];
  const values: Record<string, unknown> = {
    ':access': tokens.encryptedAccessToken,
    ':expires': tokens.accessTokenExpiresAtEpochSec,
    ':scopes': tokens.grantedScopes,
    ':epoch': lease.epoch,
    ':refreshAt': tokens.refreshAtEpochSec,
    ':shard': dueShardOf(connection, DUE_SHARDS),
    ':now': tokens.nowEpochSec,
    ':zero': 0,
  };
  if (tokens.encryptedRefreshToken !== undefined) {
    sets.push('encryptedRefreshToken = :refresh');
    values[':refresh'] = tokens.encryptedRefreshToken;
  }
  if (tokens.refreshTokenExpiresAtEpochSec !== undefined) {
    sets.push('refreshTokenExpiresAtEpochSec = :grantEnds');
    values[':grantEnds'] = tokens.refreshTokenExpiresAtEpochSec;
  }
  if (tokens.lastUsedAtEpochSec !== undefined) {
    sets.push('lastUsedAtEpochSec = :used');
    values[':used'] = tokens.lastUsedAtEpochSec;
  }
  return { sets, removes: ['refreshLease', 'attemptHash', 'lostHash', 'retryAt'], values };
}
