import { fake } from '../../../../dev/support/fake.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { BoundedCache } from '../../../../lambdas/gateway/core/bounded-cache.ts';
import { DUE_SHARDS } from '../../../../lambdas/gateway/core/contract.ts';
import { connectionRefKey, dueShardOf, type IntegrationRef } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { Logger } from '../../../../lambdas/gateway/core/ports.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { RefreshOutcome } from '../../../../lambdas/gateway/tokens/lease.ts';
import type { RefreshOptions } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { type SweepDependencies, shardsOf } from '../../../../lambdas/refresh/sweep.ts';
import { endpointsAt } from '../../support/google.ts';
import { connection, integration, START_SEC } from './connection.ts';

/** A run that nobody else stands in the way of, over the whole index. */
export const WHOLE = { shards: shardsOf({ index: 0, count: 1 }), count: 1, isHeld: () => true };
/** Five minutes after the start. */
export const DEADLINE_MS = START_SEC * 1000 + 300_000;

/** This many connections, all due. */
export function dueRows(count: number): Connection[] {
  return Array.from({ length: count }, (_, i) => connection({ connectionId: `c${i}` }));
}

/** A refresh that brings tokens. */
export async function fresh(row: Connection): Promise<RefreshOutcome> {
  return { kind: 'fresh', connection: row, accessToken: 'new' };
}

/** A schedule over these rows; `refresh` stands for what a refresh would come to. */
export function schedule(rows: readonly Connection[], refresh: (row: Connection) => Promise<RefreshOutcome>) {
  const refreshed: string[] = [];
  const asked: RefreshOptions[] = [];
  const postponed: string[] = [];
  /** Due times of rows that were put off, and of those that were rescheduled; undefined takes a row out of the index. */
  const postponedTo: number[] = [];
  const rescheduled: (number | undefined)[] = [];
  const sideWork: string[] = [];
  const metrics = new Map<string, number>();
  const logged: unknown[][] = [];
  const loaded: IntegrationRef[] = [];
  const state = { nowMs: START_SEC * 1000, random: 0.5 };
  const byKey = new Map(rows.map((row) => [connectionRefKey(row), row]));
  const script = {
    read: async (ref: Connection): Promise<Connection | undefined> => byKey.get(connectionRefKey(ref)),
    integration: async (): Promise<Integration | undefined> => integration(),
    postpone: async (): Promise<void> => {},
    hasDue: (_partition: number): boolean => true,
  };
  const log =
    (level: string): Logger['error'] =>
    (...line) =>
      void logged.push([level, ...line.map((part) => (part instanceof Error ? part.message : part))]);
  const side = (name: string) => ({
    due: async (shard: number) => {
      sideWork.push(`${name} ${shard}`);
      return [];
    },
  });
  const deps: SweepDependencies = {
    deathsInARow: new BoundedCache(10),
    connections: fake({
      read: (ref: Connection) => script.read(ref),
      reschedule: async (_: Connection, at: number | undefined) => void rescheduled.push(at),
    }),
    consents: fake({ times: async () => [] }),
    upkeep: fake({
      duePage: async (shard: number, _: number, limit: number, after: { from: number } | undefined) => {
        const due = rows.filter((row) => dueShardOf(row, DUE_SHARDS) === shard);
        const from = after?.from ?? 0;
        return {
          refs: due.slice(from, from + limit),
          next: from + limit < due.length ? { from: from + limit } : undefined,
        };
      },
      hasDue: async (partition: number) => script.hasDue(partition),
      postpone: (ref: Connection, at: number) => {
        postponed.push(ref.connectionId);
        postponedTo.push(at);
        return script.postpone();
      },
    }),
    integrations: fake({
      get: (ref: IntegrationRef) => {
        loaded.push(ref);
        return script.integration();
      },
    }),
    escrow: fake(side('escrow')),
    revocations: fake(side('revocations')),
    unconfirmed: fake({}),
    refresher: fake({
      refresh: (row: Connection, _: Integration, options: RefreshOptions) => {
        refreshed.push(row.connectionId);
        asked.push(options);
        return refresh(row);
      },
    }),
    tokenEndpoint: fake({}),
    credentials: fake({}),
    endpointsOf: () => endpointsAt({}),
    cipher: fake({}),
    clock: { nowMs: () => state.nowMs },
    random: { bytes: () => new Uint8Array(10), number: () => state.random },
    metrics: { count: (name, _, value = 1) => void metrics.set(name, value) },
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
  };
  return {
    deps,
    script,
    state,
    refreshed,
    asked,
    postponed,
    postponedTo,
    rescheduled,
    sideWork,
    metrics,
    logged,
    loaded,
  };
}
