import type { Connection, RefreshLease } from '../connections/connection.rules.ts';
import type { ConnectionStore } from '../connections/ports.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import type { Clock, Logger, Metrics, Random } from '../core/ports.ts';
import type { AuditTrail } from '../events/ports.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from '../integrations/ports.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import type {
  ConnectionUpkeep,
  ConsentLog,
  DeathCounter,
  EscrowStore,
  RevocationStore,
  TokenCipher,
  TokenEndpoint,
} from './ports.ts';
import type { RefreshPolicy } from './refresh-policy.rules.ts';
import type { RefreshTiming } from './refresh-timing.rules.ts';

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
  readonly endpoints: ProviderEndpoints;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly timing: RefreshTiming;
  readonly refreshPolicy: RefreshPolicy;
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
