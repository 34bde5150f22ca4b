import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type { LeaseRequest, LeaseResult } from '../../../../lambdas/gateway/connections/ports.ts';
import { refreshTiming } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { HeldAttempt, RefreshOutcome } from '../../../../lambdas/gateway/tokens/lease.ts';
import { ConnectionRefresher, type RefreshOptions } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { connection, integration, START_SEC } from './connection.ts';
import { LEASE_EPOCH } from './held-world.ts';
import { fake } from './refresh-world.ts';

/** The lease every granted request of this world gets. */
export const LEASE = { owner: 'me', epoch: LEASE_EPOCH, expiresAtEpochSec: START_SEC + 30 };

/** A row that another process is refreshing, its lease with `leftSec` to go. */
export function leased(leftSec: number, changes: Partial<Connection> = {}): Connection {
  const refreshLease = { owner: 'another', epoch: LEASE_EPOCH, expiresAtEpochSec: START_SEC + leftSec };
  return connection({ epoch: LEASE_EPOCH, refreshLease, ...changes });
}

/** A refresher on scripted answers: leases, rows that reads find one after the other, and what comes of an attempt. */
export function refresherWorld() {
  const leases: LeaseRequest[] = [];
  const attempts: HeldAttempt[] = [];
  const pauses: number[] = [];
  const counted: string[] = [];
  const state = { nowMs: START_SEC * 1000, reads: 0, encrypted: 0 };
  const script = {
    lease: async (): Promise<LeaseResult> => ({ taken: true, lease: LEASE, lostHash: undefined }),
    attempt: async (_: HeldAttempt): Promise<RefreshOutcome> => ({
      kind: 'fresh',
      connection: connection({ tokenEpoch: LEASE_EPOCH, accessTokenExpiresAtEpochSec: START_SEC + 3599 }),
      accessToken: 'access-1',
    }),
    /** What a strong read finds; the last one stays. */
    rows: [connection()] as (Connection | undefined)[],
  };
  const refresher = new ConnectionRefresher({
    connections: fake({
      read: async () => {
        state.reads++;
        return script.rows.length > 1 ? script.rows.shift() : script.rows[0];
      },
      takeLease: (_: Connection, request: LeaseRequest) => {
        leases.push(request);
        return script.lease();
      },
    }),
    holder: fake({
      refresh: (attempt: HeldAttempt) => {
        attempts.push(attempt);
        return script.attempt(attempt);
      },
    }),
    cipher: {
      encrypt: async (context, text) => {
        if (context.field === 'accessToken') state.encrypted++;
        return text;
      },
      decrypt: async (_, text) => text.replace('enc:', ''),
    },
    clock: { nowMs: () => state.nowMs },
    random: { bytes: (length) => new Uint8Array(length).fill(255), number: () => 0.5 },
    metrics: { count: (name) => void counted.push(name) },
    timing: refreshTiming(),
    owner: 'me',
    pause: async (ms) => {
      pauses.push(ms);
      state.nowMs += ms;
    },
  });
  return {
    refresher,
    state,
    script,
    leases,
    attempts,
    pauses,
    counted,
    refresh: (options: Partial<RefreshOptions> = {}, known = connection(), app = integration()) =>
      refresher.refresh(known, app, { wait: false, force: false, requestId: 'request-1', ...options }),
  };
}
