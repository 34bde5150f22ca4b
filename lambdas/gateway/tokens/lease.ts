import type { Connection, LeaseRelease, RefreshLease } from '../connections/connection.rules.ts';
import type { RefreshCounter } from '../connections/count-refreshes.ts';
import { healthWord } from '../connections/health.rules.ts';
import type { ConnectionStore, ConnectionUpkeep, RevocationStore } from '../connections/ports.ts';
import {
  isNamed,
  isReportDue,
  type RefreshRefusal,
  type RefusedAnswer,
  refusedOnceMore,
} from '../connections/refresh-refusal.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { REFRESH_BACKOFF_BASE_SEC, REFRESH_BACKOFF_MAX_SEC, TOKEN_ENDPOINT_BACKOFF_MAX_SEC } from '../core/limits.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import type { AuditTrail } from '../events/ports.ts';
import { explainRefusal } from '../integrations/client-fault.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../integrations/ports.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import { type RefreshPolicy, type RefreshTiming, refreshBackoffSec } from './freshness.rules.ts';
import type { ConsentLog, DeathCounter, EndEvidence, EscrowStore, TokenEndpoint } from './ports.ts';

/**
 * The refresh protocol: who may refresh, and whose writes count. Comments elsewhere cite its steps.
 *
 *   process A                   table (epoch)                process B
 *   1 take(epoch 7) ----------> 8, lease A
 *                               8, lease A            <----- 1 take(epoch 7): refused, sees A's lease, waits or uses the old token
 *   2 escrow? none              lease A runs out
 *   3 token call ...            9, lease B, lostHash  <----- 1 take(epoch 8): A's attempt never closed, its token may be used up
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
  /** `accessToken` is in clear when this process got it. */
  | { readonly kind: 'fresh'; readonly connection: Connection; readonly accessToken: string | undefined }
  /** `ofDomain`: the reason is a domain without delegation, not the connection's row; retried after so long. */
  | {
      readonly kind: 'dead';
      readonly connection: Connection;
      readonly death: GrantDeath;
      readonly ofDomain?: { readonly retryAfterSec: number };
    }
  | { readonly kind: 'client_fault'; readonly error: string; readonly retryAfterSec: number }
  /** `refused`: the provider answers this connection's token with `reason`, now or at the last try; no other connection is concerned. */
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterSec: number; readonly refused?: true }
  /** Another process is refreshing and this caller does not wait. */
  | { readonly kind: 'busy'; readonly connection: Connection }
  | { readonly kind: 'gone' };

/** State of a lease holder. */
export interface HeldAttempt {
  /** The row before the lease was taken. */
  readonly connection: Connection;
  readonly integration: Integration;
  readonly lease: RefreshLease;
  readonly refreshToken: string;
  /** SHA-256 of the refresh token of an earlier attempt that never closed. */
  readonly lostHash: string | undefined;
  /** Look for escrowed tokens first, whatever the row says. */
  readonly adopt: boolean;
  /** Set when the refresh serves a call now. */
  readonly usedAtEpochSec: number | undefined;
  /** No token call runs past this, epoch milliseconds. */
  readonly callUntilMs: number;
  /** No repeat of the token write starts after this. */
  readonly writeUntilMs: number;
  readonly requestId: string;
}

/** Refreshes connections without a person, in functions that may meet them. */
export interface SubjectRefresher {
  /** The state of a connection that needs no request; undefined where the provider has to be asked, under a lease. */
  settled(connection: Connection, isForced: boolean): Promise<RefreshOutcome | undefined>;
  refresh(deps: LeaseHolderDependencies, attempt: HeldAttempt): Promise<RefreshOutcome>;
}

/** Dependencies of a lease holder. */
export interface LeaseHolderDependencies {
  readonly connections: ConnectionStore;
  readonly upkeep: ConnectionUpkeep;
  readonly escrow: EscrowStore;
  readonly revocations: RevocationStore;
  readonly integrations: IntegrationStore;
  readonly consents: ConsentLog;
  readonly deaths: DeathCounter;
  readonly evidence: EndEvidence;
  readonly audit: AuditTrail;
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  /** @default none: connections without a person are not refreshed */
  readonly delegation?: SubjectRefresher;
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

/** Only the identity, for records that must contain nothing else. */
export function refOf(connection: Connection): ConnectionRef {
  return {
    accountId: connection.accountId,
    integrationId: connection.integrationId,
    connectionId: connection.connectionId,
  };
}

/** Waits; callers pass small numbers, because no wait may be unbounded. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Why an attempt brought no tokens. */
export interface Failure {
  readonly reason: string;
  readonly retryAfterSec: number | undefined;
  /** Whether the provider answered or was never reached; otherwise the refresh token may be used up. */
  readonly closed: boolean;
  /** An answer without tokens. A refusal of this connection's token makes only this connection back off, longer each time. */
  readonly answer?: RefusedAnswer;
}

/** Ends an attempt that brought no tokens and ended no grant (step 6): the connection backs off, and the old token remains in use. */
export async function putOff(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  failure: Failure,
): Promise<RefreshOutcome> {
  const { connection } = attempt;
  const now = epochSecNow(deps.clock);
  const failureCount = connection.failureCount + 1;
  const waitSec = refreshBackoffSec(
    failureCount - 1,
    failure.retryAfterSec,
    deps.random.number(),
    failure.answer?.isRefusal === true ? REFRESH_BACKOFF_MAX_SEC : TOKEN_ENDPOINT_BACKOFF_MAX_SEC,
  );
  const refusal =
    failure.answer === undefined || connection.status !== 'active'
      ? undefined
      : refusedOnceMore(connection.refreshRefusal, failure.answer, connection.tokenEpoch, now);
  const next = { retryAtEpochSec: now + waitSec, failureCount, answered: failure.closed, refusal };
  const reported = refusal === undefined ? undefined : await reportRefusal(deps, attempt, { ...next, refusal }, now);
  if (reported === undefined) await release(deps, attempt, next);
  deps.logger.warn('refresh failed for now', {
    accountId: attempt.connection.accountId,
    integrationId: attempt.connection.integrationId,
    cause: failure.reason,
    requestId: attempt.requestId,
  });
  const outcome = { kind: 'transient', reason: failure.reason, retryAfterSec: waitSec } as const;
  const known = reported ?? refusal;
  if (known !== undefined && isNamed(known)) return { ...outcome, reason: known.error, refused: true };
  return failure.answer?.isRefusal === true ? { ...outcome, refused: true } : outcome;
}

/** Other events of a connection are rare: after this many conflicts the next refusal reports it. */
const REPORT_ROUNDS = 3;

/**
 * Reports once that the provider does not renew a connection's tokens, in the write that returns the lease.
 *
 * @returns undefined where there is nothing to report yet, or it failed: then the lease is still held
 */
async function reportRefusal(
  deps: LeaseHolderDependencies,
  { connection, integration, lease, requestId }: HeldAttempt,
  next: LeaseRelease & { readonly refusal: RefreshRefusal },
  now: number,
): Promise<RefreshRefusal | undefined> {
  if (!isReportDue(next.refusal, now)) return undefined;
  const refusal = { ...next.refusal, toldAtEpochSec: now };
  const { explanation, remedy } = explainRefusal(refusal.error, deps.endpointsOf(connection.provider).server);
  try {
    let row = connection;
    for (let round = 0; round < REPORT_ROUNDS; round++) {
      const event = newEvent(deps.clock, deps.random, 'ConnectionRefreshRefused', {
        subject: refOf(row),
        sequence: row.sequence + 1,
        endUserId: row.endUser?.id,
        says: { provider_error: refusal.error },
        remedy: `${explanation} ${remedy}`,
        health: healthWord({ ...row, refreshRefusal: refusal }, integration, now),
        requestId,
      });
      if (await deps.connections.reportRefusal(row, lease, { ...next, refusal }, event)) return refusal;
      const current = await deps.connections.read(row);
      if (current?.epoch !== lease.epoch || current.status !== 'active') return undefined;
      row = current;
    }
  } catch (error) {
    // The next refusal reports it; the caller's answer is the same.
    deps.logger.error('a refusal could not be reported', { requestId }, error);
  }
  return undefined;
}

/** Returns the lease without a back-off (step 6), because the failure is not the connection's. */
export function releaseUntouched(deps: LeaseHolderDependencies, attempt: HeldAttempt, closed: boolean): Promise<void> {
  return release(deps, attempt, {
    retryAtEpochSec: undefined,
    failureCount: attempt.connection.failureCount,
    answered: closed,
  });
}

/** The attempt's own deadline has passed for its waiting callers; the lease ends by time. */
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
