import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type { GrantSharer } from '../../../../lambdas/gateway/connections/ports.ts';
import type { GrantDeath } from '../../../../lambdas/gateway/core/grant-death.ts';
import type { Logger } from '../../../../lambdas/gateway/core/ports.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { DEFAULT_REFRESH_POLICY, refreshTiming } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { HeldAttempt, LeaseHolderDependencies } from '../../../../lambdas/gateway/tokens/lease.ts';
import type { EscrowedTokens } from '../../../../lambdas/gateway/tokens/ports.ts';
import { connection, integration, START_SEC } from './connection.ts';
import { fake } from './refresh-world.ts';

/** The epoch of the lease that an attempt of this world holds. */
export const LEASE_EPOCH = 2;

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
    epoch: LEASE_EPOCH,
    encryptedAccessToken: 'enc:access-1',
    encryptedRefreshToken: 'enc:refresh-1',
    accessTokenExpiresAtEpochSec: START_SEC + 3599,
    grantedScopes: connection().grantedScopes,
    createdAtEpochSec: START_SEC,
    ...changes,
  };
}

/**
 * The holder of a lease on ports that note every call: `row`, `integration` and `escrow` are what reads find, `accepts` what
 * conditional writes answer, and a name in `failing` makes that call of a port fail.
 */
export function heldWorld(row: Connection = connection({ epoch: LEASE_EPOCH })) {
  const calls: [name: string, ...args: unknown[]][] = [];
  const counted: string[] = [];
  const logged: unknown[][] = [];
  const state = {
    row: row as Connection | undefined,
    integration: integration() as Integration | undefined,
    escrow: undefined as EscrowedTokens | undefined,
    sharers: [] as GrantSharer[],
    consents: [] as number[],
    deaths: 1,
    accepts: true,
    nowMs: START_SEC * 1000,
  };
  const failing = new Set<string>();
  const port =
    (name: string, result: () => unknown = () => undefined) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      if (failing.has(name)) throw Object.assign(new Error(`${name} is away`), { name: 'Away' });
      return result();
    };
  const log =
    (level: string): Logger['error'] =>
    (...line) =>
      void logged.push([level, ...line.map((part) => (part instanceof Error ? part.message : part))]);
  const written = () => state.accepts;
  const deps: LeaseHolderDependencies = {
    connections: fake({
      read: port('read', () => state.row),
      storeTokens: port('storeTokens', written),
      releaseLease: port('releaseLease'),
      markDead: port('markDead', written),
      sharingGrant: port('sharingGrant', () => state.sharers),
    }),
    upkeep: fake({ storeWithEvents: port('storeWithEvents', written), warn: port('warn', written) }),
    escrow: fake({
      read: port('escrow.read', () => state.escrow),
      put: port('escrow.put'),
      remove: port('escrow.remove'),
    }),
    revocations: fake({ put: port('revocations.put') }),
    integrations: fake({
      get: port('integrations.get', () => state.integration),
      markClientFault: port('markClientFault'),
      noteSuspicion: port('noteSuspicion', written),
      clearClientFault: port('clearClientFault'),
      noteTesting: port('noteTesting'),
    }),
    consents: fake({
      times: port('consents.times', () => state.consents),
      forget: port('consents.forget'),
    }),
    deaths: fake({ note: port('deaths.note', () => state.deaths) }),
    audit: fake({ append: port('audit.append') }),
    credentials: fake({}),
    tokenEndpoint: fake({}),
    endpoints: fake({}),
    cipher: {
      encrypt: async (_, text) => `enc:${text}`,
      decrypt: async (_, text) => text.replace('enc:', ''),
    },
    clock: { nowMs: () => state.nowMs },
    random: { bytes: (length) => new Uint8Array(length), number: () => 0.5 },
    metrics: {
      count: (name, dimensions) => void counted.push([name, ...Object.values(dimensions ?? {})].join(' ')),
    },
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
    timing: refreshTiming(),
    refreshPolicy: DEFAULT_REFRESH_POLICY,
    // Time passes, so that what fails for good ends here as it does anywhere.
    pause: async (ms) => {
      state.nowMs += ms;
    },
  };
  return {
    deps,
    state,
    failing,
    calls,
    counted,
    logged,
    /** Arguments of every call of a port's method, in order. */
    callsOf: (name: string) => calls.filter(([called]) => called === name).map(([, ...args]) => args),
  };
}

/** An attempt that began on a live row of epoch 1 and took the lease of epoch 2. */
export function held(changes: Partial<HeldAttempt> = {}): HeldAttempt {
  return {
    connection: connection(),
    integration: integration(),
    lease: { owner: 'me', epoch: LEASE_EPOCH, expiresAtEpochSec: START_SEC + 30 },
    refreshToken: 'refresh-0',
    lostHash: undefined,
    adopt: false,
    usedAtEpochSec: undefined,
    callUntilMs: START_SEC * 1000 + 20_000,
    writeUntilMs: START_SEC * 1000 + 27_000,
    requestId: 'request-1',
    ...changes,
  };
}
