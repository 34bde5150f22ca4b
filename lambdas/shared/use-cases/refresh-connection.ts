import type { Connection, RefreshLease } from '../domain/connection.ts';
import { sha256Hex } from '../domain/digest.ts';
import type { GrantDeath } from '../domain/grant-death.ts';
import { connectionRefKey } from '../domain/identifiers.ts';
import type { Integration } from '../domain/integration.ts';
import { LEASE_SEC, REFRESH_POLL_MS, REFRESH_WAIT_MS } from '../domain/limits.ts';
import { tokenFreshness } from '../domain/token-freshness.ts';
import type { Clock, ConnectionStore, Logger, Metrics, Random, TokenCipher } from '../ports.ts';
import { refreshTokenContext } from './cipher-contexts.ts';
import type { LeaseHolder } from './refresh-under-lease.ts';

/** How a refresh ended. */
export type RefreshOutcome =
  /** `accessToken` is in clear when this process made it. */
  | { readonly kind: 'fresh'; readonly connection: Connection; readonly accessToken: string | undefined }
  | { readonly kind: 'dead'; readonly connection: Connection; readonly death: GrantDeath }
  | { readonly kind: 'client_fault'; readonly error: string; readonly retryAfterSec: number }
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterSec: number }
  /** Somebody else is refreshing and this caller does not wait. */
  | { readonly kind: 'busy'; readonly connection: Connection }
  | { readonly kind: 'gone' };

export interface RefreshOptions {
  /** Wait for another holder's result; callers whose token still works do not. */
  readonly wait: boolean;
  /** Refresh although the token looks fresh, and past a back-off: the provider refused it, or an operator asks. */
  readonly force: boolean;
  readonly requestId: string;
}

export interface RefresherDependencies {
  readonly connections: ConnectionStore;
  readonly cipher: TokenCipher;
  readonly holder: LeaseHolder;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Names this process in leases. */
  readonly owner: string;
}

/**
 * Refreshes connections: one attempt per connection in this process, one across processes.
 *
 *   caller 1 ──┐
 *   caller 2 ──┼─ one promise ── take lease ──┬─ taken:   token call ── store under epoch ── fresh
 *   caller 3 ──┘                              └─ refused: look at the winner's row ── adopt, or wait for it
 */
export class ConnectionRefresher {
  readonly #deps: RefresherDependencies;
  readonly #inFlight = new Map<string, Promise<RefreshOutcome>>();

  constructor(deps: RefresherDependencies) {
    this.#deps = deps;
  }

  /** @param known the connection as last seen; the lease proves whether that is still so */
  refresh(known: Connection, integration: Integration, options: RefreshOptions): Promise<RefreshOutcome> {
    // A caller that must not wait may not join one that does, and the other way round loses nothing.
    const key = `${connectionRefKey(known)}#${options.wait ? 'wait' : 'try'}`;
    const running = this.#inFlight.get(key);
    if (running !== undefined) return running;
    const attempt = this.#run(known, integration, options).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, attempt);
    return attempt;
  }

  async #run(known: Connection, integration: Integration, options: RefreshOptions): Promise<RefreshOutcome> {
    const { clock, random, metrics } = this.#deps;
    const deadlineMs = clock.nowMs() + REFRESH_WAIT_MS;
    let connection = known;
    for (let round = 0; ; round++) {
      const settled = this.#settledWithoutCall(connection, known, integration, options);
      if (settled !== undefined) return settled;
      if (clock.nowMs() > deadlineMs) {
        metrics.count('RefreshWaitTimedOut');
        return { kind: 'transient', reason: 'refresh_in_progress', retryAfterSec: 1 };
      }
      if (!isLeased(connection, clock)) {
        const attempt = await this.#attempt(connection, integration, options);
        if (attempt.outcome !== undefined && attempt.outcome.kind !== 'busy') return attempt.outcome;
        const current = attempt.outcome?.connection ?? attempt.current;
        if (current === undefined) return { kind: 'gone' };
        connection = current;
        if (!isLeased(connection, clock)) continue;
        if (settlesNow(connection, known, clock)) continue;
      }
      if (!options.wait) return { kind: 'busy', connection };
      const pauseMs = Math.min(REFRESH_POLL_MS * 1.5 ** Math.min(round, 6), 500);
      await pause(pauseMs * (0.5 + random.number() / 2));
      const current = await this.#deps.connections.read(connection);
      if (current === undefined) return { kind: 'gone' };
      connection = current;
    }
  }

  /** What can be said from the rows alone. */
  #settledWithoutCall(
    connection: Connection,
    known: Connection,
    integration: Integration,
    options: RefreshOptions,
  ): RefreshOutcome | undefined {
    const nowEpochSec = Math.floor(this.#deps.clock.nowMs() / 1000);
    if (connection.status === 'deleted') return { kind: 'gone' };
    if (connection.death !== undefined) return { kind: 'dead', connection, death: connection.death };
    if (settlesNow(connection, known, this.#deps.clock)) return { kind: 'fresh', connection, accessToken: undefined };
    const fault = integration.clientFault;
    if (fault !== undefined && fault.retryAtEpochSec > nowEpochSec && !options.force) {
      return { kind: 'client_fault', error: fault.error, retryAfterSec: fault.retryAtEpochSec - nowEpochSec };
    }
    const retryAt = connection.retryAtEpochSec;
    if (retryAt !== undefined && retryAt > nowEpochSec && !options.force) {
      return { kind: 'transient', reason: 'refresh_backoff', retryAfterSec: retryAt - nowEpochSec };
    }
    return undefined;
  }

  async #attempt(
    connection: Connection,
    integration: Integration,
    options: RefreshOptions,
  ): Promise<{ readonly outcome?: RefreshOutcome; readonly current?: Connection | undefined }> {
    const { connections, cipher, holder, clock, random, owner } = this.#deps;
    const encrypted = connection.encryptedRefreshToken;
    if (encrypted === undefined) return { outcome: { kind: 'gone' } };
    // Before the lease: a failing key service must not leave leases behind.
    const refreshToken = await cipher.decrypt(refreshTokenContext(connection), encrypted);
    const nowEpochSec = Math.floor(clock.nowMs() / 1000);
    const result = await connections.takeLease(connection, {
      owner,
      attemptId: Buffer.from(random.bytes(16)).toString('base64url'),
      attemptHash: sha256Hex(refreshToken),
      nowEpochSec,
      expiresAtEpochSec: nowEpochSec + LEASE_SEC,
    });
    if (!result.taken) return { current: result.current };
    const lease: RefreshLease = result.lease;
    return {
      outcome: await holder.refresh({
        connection,
        integration,
        lease,
        refreshToken,
        lostHash: result.lostHash,
        requestId: options.requestId,
      }),
    };
  }
}

/** Somebody has stored newer tokens than the ones this call began with, and they can be used. */
function settlesNow(connection: Connection, known: Connection, clock: Clock): boolean {
  return (
    connection.tokenEpoch !== known.tokenEpoch &&
    tokenFreshness(connection, Math.floor(clock.nowMs() / 1000)) !== 'expired'
  );
}

function isLeased(connection: Connection, clock: Clock): boolean {
  const lease = connection.refreshLease;
  return lease !== undefined && lease.expiresAtEpochSec > Math.floor(clock.nowMs() / 1000);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
