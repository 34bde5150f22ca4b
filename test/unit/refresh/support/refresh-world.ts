import { fake } from '../../../../dev/support/fake.ts';
import { evidence } from '../../../../lambdas/features/security-events/evidence.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../../lambdas/gateway/connections/connection.store.ts';
import { connectionUpkeep, revocationStore } from '../../../../lambdas/gateway/connections/due.store.ts';
import type { PendingRevocation } from '../../../../lambdas/gateway/connections/ports.ts';
import type { GrantDeath } from '../../../../lambdas/gateway/core/grant-death.ts';
import { keptPrints } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { Clock, Logger, Metrics, Random } from '../../../../lambdas/gateway/core/ports.ts';
import { auditTrail } from '../../../../lambdas/gateway/events/event.store.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { integrationStore } from '../../../../lambdas/gateway/integrations/integration.store.ts';
import type { Table } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import { consentLog } from '../../../../lambdas/gateway/tokens/consent-log.store.ts';
import { deathCounter } from '../../../../lambdas/gateway/tokens/death-counter.store.ts';
import { escrowStore } from '../../../../lambdas/gateway/tokens/escrow.store.ts';
import { DEFAULT_REFRESH_POLICY, refreshTiming } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { LeaseHolderDependencies, RefreshOutcome } from '../../../../lambdas/gateway/tokens/lease.ts';
import type { EscrowedTokens, TokenCallResult } from '../../../../lambdas/gateway/tokens/ports.ts';
import { ConnectionRefresher, LeaseHolder, type RefreshOptions } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { endpointsAt } from '../../support/google.ts';
import { connection, integration, START_SEC } from './connection.ts';
import { RefreshTable } from './refresh-table.ts';

/**
 * A step in front of every call that leaves a process. `isShared`: it concerns the connection or its escrow, or asks the
 * provider; what else is read and written stands in no other process's way.
 */
export type Step = <T>(effect: () => Promise<T>, isShared: boolean) => Promise<T>;

/** Calls go through at once. */
export const direct: Step = (effect) => effect();

/** One question to the provider. */
export interface Asked {
  readonly clientId: string;
  readonly secret: string;
  readonly refreshToken: string;
  readonly timeoutMs: number;
}

type Provider = (refreshToken: string, clientSecret: string) => TokenCallResult | Promise<TokenCallResult>;

/** An answer of the token endpoint. */
export function answer(status: number, body: unknown, retryAfter?: string): TokenCallResult {
  return {
    kind: 'answered',
    response: { status, body: typeof body === 'string' ? body : JSON.stringify(body), retryAfter },
  };
}

/** New tokens that work for an hour. */
export function tokens(more: Record<string, unknown> = {}): TokenCallResult {
  return answer(200, { access_token: 'access-1', token_type: 'Bearer', expires_in: 3599, ...more });
}

export const ROTATED = tokens({ refresh_token: 'refresh-1' });
export const INVALID_GRANT = answer(400, { error: 'invalid_grant' });
/** No answer came: the provider may have acted on the call. */
export const LOST: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_timeout', ambiguous: true };
/** The call never left. */
export const UNSENT: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_unreachable', ambiguous: false };

/** A provider that gives these answers one after the other, and the last one for ever. */
export function answers(...all: readonly TokenCallResult[]): Provider {
  let asked = 0;
  return () => all[Math.min(asked++, all.length - 1)] ?? LOST;
}

/** A death as another process may have recorded it. */
export const DEATH: GrantDeath = {
  status: 'reauthorization_required',
  cause: 'user_revoked',
  certain: false,
  likelyCauses: [],
  remedy: 'Ask the user to connect again.',
  providerError: 'invalid_grant',
  since: '2027-01-15T08:00:00.000Z',
};

/** Tokens in escrow that are newer than the row's. */
export function escrowed(changes: Partial<EscrowedTokens> = {}): EscrowedTokens {
  return {
    ref: { accountId: 'default', integrationId: 'drive', connectionId: 'c1' },
    epoch: 2,
    encryptedAccessToken: 'enc:access-1',
    encryptedRefreshToken: 'enc:refresh-1',
    tokenPrints: keptPrints('refresh-1', true),
    accessTokenExpiresAtEpochSec: START_SEC + 3599,
    grantedScopes: connection().grantedScopes,
    createdAtEpochSec: START_SEC,
    ...changes,
  };
}

/** A row that another process is refreshing, its lease with `leftSec` to go. */
export function leased(leftSec: number, changes: Partial<Connection> = {}): Connection {
  const refreshLease = { owner: 'another', epoch: 2, expiresAtEpochSec: START_SEC + leftSec };
  return connection({ epoch: 2, refreshLease, ...changes });
}

/** The stores of refreshes, over a table. */
function storesOf(table: Table) {
  return {
    connections: connectionStore(table),
    upkeep: connectionUpkeep(table),
    escrow: escrowStore(table),
    revocations: revocationStore(table),
    integrations: integrationStore(table),
    consents: consentLog(table),
    evidence: evidence({ table }),
    deaths: deathCounter(table),
    audit: auditTrail(table),
  };
}

export interface World {
  readonly table: RefreshTable;
  /** The stores as nobody else stands in their way. */
  readonly stores: ReturnType<typeof storesOf>;
  /** What is in escrow for the connection, and what is still to be revoked of it. */
  escrowed(): Promise<EscrowedTokens | undefined>;
  revocation(): Promise<PendingRevocation | undefined>;
  readonly clock: Clock & { advance(sec: number): void };
  readonly random: Random;
  /** Every metric counted, with its dimensions' values behind its name. */
  readonly counted: string[];
  /** Every log line: level, message, fields and the message of an error. */
  readonly logged: unknown[][];
  /** Every question to the provider. */
  readonly asked: Asked[];
  /** Milliseconds of every pause; the clock continues by each. */
  readonly pauses: number[];
  /** Methods of stores that fail, such as `connections.storeTokens`. */
  readonly failing: Set<string>;
  /** What a process works with. */
  deps(step: Step, overrides?: Partial<LeaseHolderDependencies>): LeaseHolderDependencies;
  /** A process: its own refresher, with its own memory, on the shared table. */
  refresher(owner: string, step: Step, overrides?: Partial<LeaseHolderDependencies>): ConnectionRefresher;
  /** One refresh of the stored row, or of one that was read earlier, by the process `me`. */
  refresh(options?: Partial<RefreshOptions>, known?: Connection, app?: Integration): Promise<RefreshOutcome>;
}

/** A table with one connection, a clock that stands still, a provider, and processes that refresh. */
export function refreshWorld(
  row: Connection | undefined = connection(),
  app: Integration = integration(),
  provider: Provider = () => tokens(),
  overridesOfMe: Partial<LeaseHolderDependencies> = {},
): World {
  const table = new RefreshTable(row, app);
  let nowMs = START_SEC * 1000;
  const clock = {
    nowMs: () => nowMs,
    advance: (sec: number) => {
      nowMs += sec * 1000;
    },
  };
  const counted: string[] = [];
  const logged: unknown[][] = [];
  const asked: Asked[] = [];
  const pauses: number[] = [];
  const failing = new Set<string>();
  const metrics: Metrics = {
    count: (name, dimensions) => void counted.push([name, ...Object.values(dimensions ?? {})].join(' ')),
  };
  const log =
    (level: string): Logger['error'] =>
    (...line) =>
      void logged.push([level, ...line.map((part) => (part instanceof Error ? part.message : part))]);
  let processes = 0;
  // Repeatable, and each process's own: a path must mean the same on every replay, whatever the others do.
  const newRandom = (): Random => {
    const process = ++processes % 256;
    let drawn = 0;
    return { bytes: (length) => new Uint8Array(length).fill(process).fill(++drawn % 256, 1), number: () => 0.5 };
  };
  const timing = refreshTiming();
  /** A store whose methods fail when a test says so. */
  const failable = <T extends object>(store: string, methods: T): T =>
    new Proxy(methods, {
      get(target, method) {
        const name = `${store}.${String(method)}`;
        if (!failing.has(name)) return Reflect.get(target, method);
        return () => Promise.reject(Object.assign(new Error(`${name} is away`), { name: 'Away' }));
      },
    });
  const clientId = row?.clientId ?? connection().clientId;
  const stores = storesOf(table.memory.table);
  let me: ConnectionRefresher | undefined;
  const world: World = {
    table,
    stores,
    escrowed: () => stores.escrow.read(connection()),
    revocation: () => stores.revocations.read(connection()),
    clock,
    random: newRandom(),
    counted,
    logged,
    asked,
    pauses,
    failing,
    deps(step, overrides = {}) {
      const own = storesOf(table.memory.through((call, { pk }) => step(call, /^(CONNECTION|ESCROW)#/.test(`${pk}`))));
      return {
        connections: failable('connections', own.connections),
        upkeep: failable('upkeep', own.upkeep),
        escrow: failable('escrow', own.escrow),
        revocations: own.revocations,
        integrations: failable('integrations', own.integrations),
        consents: own.consents,
        deaths: failable('deaths', own.deaths),
        evidence: failable('evidence', own.evidence),
        audit: own.audit,
        credentials: { get: async () => ({ clientId, clientSecret: 'secret', previousClientSecret: undefined }) },
        tokenEndpoint: fake({
          refresh: (_: unknown, client: string, secret: string, refreshToken: string, timeoutMs: number) =>
            step(async () => {
              asked.push({ clientId: client, secret, refreshToken, timeoutMs });
              return provider(refreshToken, secret);
            }, true),
        }),
        endpointsOf: () => endpointsAt({}),
        cipher: {
          encrypt: async (_, plaintext) => `enc:${plaintext}`,
          decrypt: async (_, ciphertext) => ciphertext.replace(/^enc:/, ''),
        },
        clock,
        random: newRandom(),
        metrics,
        logger: { info: log('info'), warn: log('warn'), error: log('error') },
        timing,
        refreshPolicy: DEFAULT_REFRESH_POLICY,
        pause: async (ms) => {
          pauses.push(ms);
          nowMs += ms;
        },
        ...overrides,
      };
    },
    refresher(owner, step, overrides = {}) {
      const deps = world.deps(step, overrides);
      return new ConnectionRefresher({ ...deps, holder: new LeaseHolder(deps), owner });
    },
    refresh(options = {}, known = table.row ?? connection(), current = table.integration ?? app) {
      me ??= world.refresher('me', direct, overridesOfMe);
      return me.refresh(known, current, { wait: false, force: false, requestId: 'request-1', ...options });
    },
  };
  return world;
}
