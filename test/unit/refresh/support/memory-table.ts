import type { Connection, RefreshLease } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type {
  ConnectionStore,
  LeaseRequest,
  LeaseResult,
  StoredTokens,
} from '../../../../lambdas/gateway/connections/ports.ts';
import { LEASE_CLOCK_TOLERANCE_SEC } from '../../../../lambdas/gateway/core/limits.ts';
import type { LifecycleEvent } from '../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../../../lambdas/gateway/integrations/ports.ts';
import type {
  ConnectionUpkeep,
  EscrowedTokens,
  EscrowStore,
  PendingRevocation,
} from '../../../../lambdas/gateway/tokens/ports.ts';
import { fake } from '../../support/fake.ts';
import { memoryConsents } from '../../support/memory-consents.ts';

/**
 * One connection's items, with the conditions of the real stores: every method is one write or read of the table, and
 * throws where a row would break an invariant no write may break (I2, I8).
 */
export class MemoryTable {
  row: Connection | undefined;
  integration: Integration;
  escrowed: EscrowedTokens | undefined;
  revocation: PendingRevocation | undefined;
  readonly events: LifecycleEvent[] = [];
  /** Events of the integration. */
  readonly integrationEvents: LifecycleEvent[] = [];
  integrationReads = 0;
  integrationWrites = 0;
  readonly consents = memoryConsents();
  /** Leases that were overridden because their time had passed. */
  lostLeases = 0;

  constructor(row: Connection | undefined, integration: Integration) {
    this.row = row;
    this.integration = integration;
  }

  readonly connections: Pick<ConnectionStore, 'read' | 'takeLease' | 'storeTokens' | 'releaseLease' | 'markDead'> & {
    sharingGrant: ConnectionStore['sharingGrant'];
    reschedule: ConnectionStore['reschedule'];
  } = {
    read: async () => this.row,
    sharingGrant: async () => [],
    takeLease: async (known, request) => this.#takeLease(known, request),
    storeTokens: async (_, lease, tokens) => this.#storeTokens(lease, tokens),
    releaseLease: async (_, lease, next) => {
      const { row } = this;
      if (row === undefined || row.epoch !== lease.epoch || row.refreshLease?.owner !== lease.owner) return;
      this.put({
        ...row,
        refreshLease: undefined,
        attemptHash: next.answered ? undefined : row.attemptHash,
        failureCount: next.failureCount,
        retryAtEpochSec: next.retryAtEpochSec,
        refreshAtEpochSec: next.retryAtEpochSec ?? row.refreshAtEpochSec,
      });
    },
    markDead: async (_, lease, death, event) => {
      const { row } = this;
      if (row?.status !== 'active' || row.epoch !== lease.epoch || row.sequence !== event.sequence - 1) return false;
      this.put({
        ...row,
        status: 'reauthorization_required',
        death,
        sequence: event.sequence,
        refreshLease: undefined,
        attemptHash: undefined,
        lostHash: undefined,
        retryAtEpochSec: undefined,
        refreshAtEpochSec: undefined,
      });
      this.events.push(event);
      return true;
    },
    reschedule: async (_, refreshAtEpochSec) => {
      if (this.row !== undefined) this.put({ ...this.row, refreshAtEpochSec });
    },
  };

  readonly integrations: IntegrationStore = fake({
    get: async () => {
      this.integrationReads++;
      return this.#isIntegrationGone ? undefined : this.integration;
    },
    markClientFault: async (_: unknown, clientFault: Integration['clientFault'], event: LifecycleEvent) => {
      const isNew = this.integration.clientFault === undefined;
      if (isNew && this.integration.sequence !== event.sequence - 1)
        throw new Error('The number of the event is taken');
      this.#changeIntegration({ clientFault, ...(isNew ? { sequence: event.sequence } : {}) }, isNew ? [event] : []);
    },
    noteSuspicion: async (_: unknown, before: unknown, suspectedFault: Integration['suspectedFault']) => {
      if (JSON.stringify(this.integration.suspectedFault) !== JSON.stringify(before)) return false;
      this.#changeIntegration({ suspectedFault }, []);
      return true;
    },
    clearClientFault: async (_: unknown, event: LifecycleEvent) => {
      if (this.integration.clientFault === undefined) return;
      this.#changeIntegration({ clientFault: undefined, sequence: event.sequence }, [event]);
    },
    noteClientWorks: async (_: unknown, clientWorksSinceEpochSec: number) => {
      this.#changeIntegration({ clientWorksSinceEpochSec }, []);
    },
    noteTesting: async (_: unknown, what: 'seen' | 'over', at: number) => {
      this.#changeIntegration(what === 'seen' ? { testingSeenAtEpochSec: at } : { testingOverAtEpochSec: at }, []);
    },
  });
  #isIntegrationGone = false;

  readonly upkeep: Pick<ConnectionUpkeep, 'storeWithEvents' | 'warn'> = {
    warn: async (known, warning, event) => {
      const { row } = this;
      if (row?.status !== 'active' || row.sequence !== known.sequence) return false;
      const noted = warning.kind === 'expiry' ? { expiryWarnings: warning.number } : { limitWarned: true };
      this.put({ ...row, ...noted, sequence: event.sequence });
      this.events.push(event);
      return true;
    },
    storeWithEvents: async (known, lease, tokens, events) => {
      const { row } = this;
      const holds = row?.status === known.status && row.epoch === lease.epoch && row.sequence === known.sequence;
      if (row === undefined || !holds) return false;
      const sequence = row.sequence + events.length;
      this.put({ ...withTokens(row, lease, tokens), status: 'active', death: undefined, sequence });
      this.events.push(...events);
      return true;
    },
  };

  readonly escrow: Pick<EscrowStore, 'put' | 'read' | 'remove'> = {
    put: async (tokens) => {
      if (this.escrowed === undefined || this.escrowed.epoch < tokens.epoch) this.escrowed = tokens;
    },
    read: async () => this.escrowed,
    remove: async (tokens) => {
      if (this.escrowed?.epoch === tokens.epoch) this.escrowed = undefined;
    },
  };

  /** Deletion as the store does it, in one transaction. */
  delete(event: LifecycleEvent): void {
    const { row } = this;
    if (row === undefined || row.status === 'deleted') return;
    this.put({
      ...row,
      status: 'deleted',
      death: undefined,
      encryptedAccessToken: undefined,
      encryptedRefreshToken: undefined,
      refreshLease: undefined,
      attemptHash: undefined,
      lostHash: undefined,
      refreshAtEpochSec: undefined,
      epoch: row.epoch + 1,
      sequence: row.sequence + 1,
    });
    this.events.push(event);
  }

  deleteIntegration(): void {
    this.#isIntegrationGone = true;
  }

  #changeIntegration(changes: Partial<Integration>, events: readonly LifecycleEvent[]): void {
    this.integrationWrites++;
    this.integration = { ...this.integration, ...changes };
    this.integrationEvents.push(...events);
  }

  /** Every write passes here. */
  put(row: Connection): void {
    const before = this.row;
    if (before !== undefined && (row.epoch < before.epoch || row.tokenEpoch < before.tokenEpoch)) {
      throw new Error('I2: an epoch fell');
    }
    if (before?.status === 'deleted' && row.status !== 'deleted')
      throw new Error('I8: a deleted connection lives again');
    this.row = row;
  }

  #takeLease(known: Connection, request: LeaseRequest): LeaseResult {
    const { row } = this;
    const statusOk =
      row?.status === 'active' || (request.evenIfDead === true && row?.status === 'reauthorization_required');
    const ends = row?.refreshLease?.expiresAtEpochSec ?? 0;
    const free = ends <= request.nowEpochSec || ends > request.expiresAtEpochSec + LEASE_CLOCK_TOLERANCE_SEC;
    const same =
      row?.epoch === known.epoch && row.tokenEpoch === known.tokenEpoch && row.attemptHash === known.attemptHash;
    if (row === undefined || !statusOk || !free || !same) return { taken: false, current: row };
    if (row.refreshLease !== undefined) this.lostLeases++;
    const lease: RefreshLease = {
      owner: request.owner,
      epoch: row.epoch + 1,
      expiresAtEpochSec: request.expiresAtEpochSec,
    };
    const lostHash = known.attemptHash ?? known.lostHash;
    const { attemptId, attemptHash } = request;
    const forced = request.afterRefusal === true ? { forcedRefreshAtEpochSec: request.nowEpochSec } : {};
    this.put({ ...row, refreshLease: lease, epoch: lease.epoch, attemptId, attemptHash, lostHash, ...forced });
    return { taken: true, lease, lostHash };
  }

  #storeTokens(lease: RefreshLease, tokens: StoredTokens): boolean {
    const { row } = this;
    if (row?.status !== 'active' || row.epoch !== lease.epoch) {
      return row?.status === 'active' && row.tokenEpoch === lease.epoch;
    }
    this.put(withTokens(row, lease, tokens));
    return true;
  }
}

function withTokens(row: Connection, lease: RefreshLease, tokens: StoredTokens): Connection {
  return {
    ...row,
    encryptedAccessToken: tokens.encryptedAccessToken,
    encryptedRefreshToken: tokens.encryptedRefreshToken ?? row.encryptedRefreshToken,
    accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
    grantedScopes: tokens.grantedScopes,
    tokenEpoch: lease.epoch,
    refreshAtEpochSec: tokens.refreshAtEpochSec,
    refreshTokenExpiresAtEpochSec: tokens.refreshTokenExpiresAtEpochSec ?? row.refreshTokenExpiresAtEpochSec,
    lastRefreshedAtEpochSec: tokens.nowEpochSec,
    lastUsedAtEpochSec: tokens.lastUsedAtEpochSec ?? row.lastUsedAtEpochSec,
    failureCount: 0,
    refreshLease: undefined,
    attemptHash: undefined,
    lostHash: undefined,
    retryAtEpochSec: undefined,
  };
}
