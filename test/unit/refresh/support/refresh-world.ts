import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type { Clock, Logger, Metrics, Random } from '../../../../lambdas/gateway/core/ports.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { DEFAULT_REFRESH_POLICY, refreshTiming } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { LeaseHolderDependencies } from '../../../../lambdas/gateway/tokens/lease.ts';
import type { TokenCallResult } from '../../../../lambdas/gateway/tokens/ports.ts';
import { ConnectionRefresher, LeaseHolder } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { memoryConsents } from '../../support/memory-consents.ts';
import { START_SEC } from './connection.ts';
import { MemoryTable } from './memory-table.ts';

/** A step in front of every call that leaves a process. */
export type Step = <T>(effect: () => Promise<T>) => Promise<T>;

export interface World {
  readonly table: MemoryTable;
  readonly clock: Clock & { advance(sec: number): void };
  readonly counts: Map<string, number>;
  /** A process: its own refresher, with its own memory, on the shared table. */
  refresher(owner: string, step: Step, overrides?: Partial<LeaseHolderDependencies>): ConnectionRefresher;
}

/** A table with one connection, a clock that stands still, and processes that refresh. */
export function refreshWorld(
  row: Connection,
  integration: Integration,
  callProvider: (refreshToken: string, clientSecret: string) => TokenCallResult | Promise<TokenCallResult>,
): World {
  const table = new MemoryTable(row, integration);
  let nowMs = START_SEC * 1000;
  const clock = {
    nowMs: () => nowMs,
    advance: (sec: number) => {
      nowMs += sec * 1000;
    },
  };
  const counts = new Map<string, number>();
  const metrics: Metrics = { count: (name, _, value = 1) => void counts.set(name, (counts.get(name) ?? 0) + value) };
  let drawn = 0;
  // Repeatable: a path must mean the same on every replay.
  const random: Random = { bytes: (length) => new Uint8Array(length).fill(++drawn % 256), number: () => 0.5 };
  const timing = refreshTiming();
  return {
    table,
    clock,
    counts,
    refresher(owner, step, overrides = {}) {
      const deps: LeaseHolderDependencies = {
        connections: fake({
          read: (ref: never) => step(() => table.connections.read(ref)),
          takeLease: (known: never, request: never) => step(() => table.connections.takeLease(known, request)),
          storeTokens: (one: never, lease: never, tokens: never) =>
            step(() => table.connections.storeTokens(one, lease, tokens)),
          releaseLease: (one: never, lease: never, next: never) =>
            step(() => table.connections.releaseLease(one, lease, next)),
          markDead: (one: never, lease: never, death: never, event: never) =>
            step(() => table.connections.markDead(one, lease, death, event)),
          sharingGrant: async () => [],
        }),
        upkeep: fake({
          storeWithEvents: (one: never, lease: never, tokens: never, events: never) =>
            step(() => table.upkeep.storeWithEvents(one, lease, tokens, events)),
        }),
        escrow: fake({
          put: (tokens: never) => step(() => table.escrow.put(tokens)),
          read: (ref: never) => step(() => table.escrow.read(ref)),
        }),
        revocations: fake({
          put: async (pending: never) => {
            table.revocation = pending;
          },
        }),
        integrations: fake({
          get: async () => table.integration,
          markClientFault: async (_: unknown, clientFault: Integration['clientFault']) => {
            table.integration = { ...table.integration, clientFault };
          },
          noteSuspicion: async (_: unknown, before: unknown, suspectedFault: Integration['suspectedFault']) => {
            if (table.integration.suspectedFault !== before) return false;
            table.integration = { ...table.integration, suspectedFault };
            return true;
          },
          clearClientFault: async () => {
            table.integration = { ...table.integration, clientFault: undefined };
          },
        }),
        consents: memoryConsents().log,
        deaths: { note: async () => 1 },
        audit: { append: async () => {} },
        credentials: {
          get: async () => ({ clientId: row.clientId, clientSecret: 'secret', previousClientSecret: undefined }),
        },
        tokenEndpoint: fake({
          refresh: (_: unknown, __: unknown, secret: string, token: string) =>
            step(async () => callProvider(token, secret)),
        }),
        endpoints: fake({}),
        cipher: {
          encrypt: async (_, plaintext) => `enc:${plaintext}`,
          decrypt: async (_, ciphertext) => ciphertext.replace(/^enc:/, ''),
        },
        clock,
        random,
        metrics,
        logger: silent,
        timing,
        refreshPolicy: DEFAULT_REFRESH_POLICY,
        pause: async () => {},
        ...overrides,
      };
      return new ConnectionRefresher({ ...deps, holder: new LeaseHolder(deps), owner });
    },
  };
}

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** A port of which only these methods may be called; any other is a test's mistake and throws. */
export function fake<T extends object>(methods: object): T {
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (method === undefined && name !== 'then') throw new Error(`The test does not expect ${String(name)}`);
      return method;
    },
  }) as T;
}
