import type { Connection, RefreshLease } from '../connections/connection.rules.ts';
import type { RefreshCounter } from '../connections/count-refreshes.ts';
import type { ConnectionStore } from '../connections/ports.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { REFRESH_BACKOFF_BASE_SEC, REFRESH_BACKOFF_MAX_SEC, TOKEN_ENDPOINT_BACKOFF_MAX_SEC } from '../core/limits.ts';
import type { Clock, Logger, Metrics, Random } from '../core/ports.ts';
import type { AuditTrail } from '../events/ports.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../integrations/ports.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import { type RefreshPolicy, type RefreshTiming, refreshBackoffSec } from './freshness.rules.ts';
import type {
  ConnectionUpkeep,
  ConsentLog,
  DeathCounter,
  EscrowStore,
  RevocationStore,
  TokenCipher,
  TokenEndpoint,
} from './ports.ts';

/**
 * The refresh protocol: who may refresh, and whose writes count. Comments elsewhere cite its steps.
 *
 *   process A                   table (epoch)                process B
 *   1 take(epoch 7) ----------> 8, lease A
 *                               8, lease A            <----- 1 take(epoch 7): refused, sees A's lease, waits or uses the old token
 *   2 escrow? none              lease A runs out
 *   3 token call ...            9, lease B, lostHash  <----- 1 take(epoch 8): A's attempt never closed, its token may be spent
 *                               escrow of A? none     <----- 2 look for escrowed tokens, and adopt newer ones, before asking
 *                                                            3 token call ...
 *   4 store if 8 -------------> refused: 9                   A's late answer changes nothing
 *   5 escrow if rotated ------> escrow(8)                    ... but a rotated token is kept, and adopted if it is newer
 *                               9, tokens of B        <----- 4 store if 9, which ends the lease
 *   6 release if 8, A --------> refused                      only an attempt without tokens releases; B's lease would have stayed
 *
 * Where the call of step 3 is answered by a refusal of the token, row and escrow are read once more before the connection is
 * marked dead (step 7, fenced like step 4): a newer token counts more than the refusal of an old one.
 *
 * The clock only decides when to try. What is written is decided by `epoch` alone. Re-authorization and delete raise it too,
 * so an attempt in flight is fenced by them as by another holder.
 */

/** How a refresh ended. */
export type RefreshOutcome =
  /** `accessToken` is in clear when this process made it. */
  | { readonly kind: 'fresh'; readonly connection: Connection; readonly accessToken: string | undefined }
  | { readonly kind: 'dead'; readonly connection: Connection; readonly death: GrantDeath }
  | { readonly kind: 'client_fault'; readonly error: string; readonly retryAfterSec: number }
  /** `refused`: the provider answered this connection's token with `reason`; nobody else is concerned. */
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterSec: number; readonly refused?: true }
  /** Somebody else is refreshing and this caller does not wait. */
  | { readonly kind: 'busy'; readonly connection: Connection }
  | { readonly kind: 'gone' };

/** What the holder of a lease knows. */
export interface HeldAttempt {
  /** The row as it was before the lease was taken. */
  readonly connection: Connection;
  readonly integration: Integration;
  readonly lease: RefreshLease;
  readonly refreshToken: string;
  /** SHA-256 of the refresh token of an earlier attempt that never closed. */
  readonly lostHash: string | undefined;
  /** Look for escrowed tokens first, whatever the row says. */
  readonly adopt: boolean;
  /** Set when the refresh serves a call at this moment. */
  readonly usedAtEpochSec: number | undefined;
  /** No token call runs past this, epoch milliseconds. */
  readonly callUntilMs: number;
  /** No repeat of the token write starts after this. */
  readonly writeUntilMs: number;
  readonly requestId: string;
}

/** What a lease holder works with. */
export interface LeaseHolderDependencies {
  readonly connections: ConnectionStore;
  readonly upkeep: ConnectionUpkeep;
  readonly escrow: EscrowStore;
  readonly revocations: RevocationStore;
  readonly integrations: IntegrationStore;
  readonly consents: ConsentLog;
  readonly deaths: DeathCounter;
  readonly audit: AuditTrail;
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly timing: RefreshTiming;
  readonly refreshPolicy: RefreshPolicy;
  /** Counts how attempts end. */
  readonly changes?: Pick<RefreshCounter, 'refreshed'>;
  /** Waits some milliseconds. @default a timer */
  readonly pause?: (ms: number) => Promise<void>;
}

/** Seconds since the epoch. */
export function nowEpochSec(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}

/** The identity alone, for records that must carry nothing else. */
export function refOf(connection: Connection): ConnectionRef {
  return {
    accountId: connection.accountId,
    integrationId: connection.integrationId,
    connectionId: connection.connectionId,
  };
}

/** Waits; unbounded waits are nobody's, so callers pass small numbers. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Why an attempt brought no tokens. */
export interface Failure {
  readonly reason: string;
  readonly retryAfterSec: number | undefined;
  /** The provider has answered, or was never reached; else the refresh token may have been spent. */
  readonly closed: boolean;
  /** The provider refused this connection's token and no other: it waits longer and longer, alone. */
  readonly refused?: true;
}

/** Ends an attempt that brought no tokens and ended no grant (step 6): the connection backs off, the old token keeps serving. */
export async function putOff(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  failure: Failure,
): Promise<RefreshOutcome> {
  const failureCount = attempt.connection.failureCount + 1;
  const waitSec = refreshBackoffSec(
    failureCount - 1,
    failure.retryAfterSec,
    deps.random.number(),
    failure.refused === true ? REFRESH_BACKOFF_MAX_SEC : TOKEN_ENDPOINT_BACKOFF_MAX_SEC,
  );
  await release(deps, attempt, {
    retryAtEpochSec: nowEpochSec(deps.clock) + waitSec,
    failureCount,
    answered: failure.closed,
  });
  deps.logger.warn('refresh failed for now', {
    accountId: attempt.connection.accountId,
    integrationId: attempt.connection.integrationId,
    cause: failure.reason,
    requestId: attempt.requestId,
  });
  const outcome = { kind: 'transient', reason: failure.reason, retryAfterSec: waitSec } as const;
  return failure.refused === true ? { ...outcome, refused: true } : outcome;
}

/** Gives the lease back without any back-off (step 6): the connection is not what failed. */
export function releaseUntouched(deps: LeaseHolderDependencies, attempt: HeldAttempt, closed: boolean): Promise<void> {
  return release(deps, attempt, {
    retryAtEpochSec: undefined,
    failureCount: attempt.connection.failureCount,
    answered: closed,
  });
}

/** The attempt's own deadline has passed for whoever waits; the lease ends by time. */
export function timedOut(): RefreshOutcome {
  return { kind: 'transient', reason: 'refresh_timed_out', retryAfterSec: REFRESH_BACKOFF_BASE_SEC };
}

async function release(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  next: Parameters<LeaseHolderDependencies['connections']['releaseLease']>[2],
): Promise<void> {
  try {
    await deps.connections.releaseLease(attempt.connection, attempt.lease, next);
  } catch (error) {
    // The lease ends by time; the caller's answer does not depend on it.
    deps.logger.error('a lease could not be given back', { requestId: attempt.requestId }, error);
  }
}
