import type { ConnectionRef } from '../http/headers.ts';

/** The account at a glance. Days are UTC such as `2026-01-31`, other times ISO 8601 UTC. */
export interface Overview {
  readonly readAt: string;
  readonly covered: OverviewCoverage;
  readonly integrations: number;
  readonly statuses: StatusCounts;
  /** Of dead connections, most first. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
  /** All connections as last counted, where `covered` is not complete; undefined where it is or nothing was counted yet. */
  readonly totals: ConnectionTotals | undefined;
  /** Today's connections at the end of each of the last days, oldest first. */
  readonly statusByDay: readonly StatusDay[];
  /** Dead connections that count as dead from the day they were made. */
  readonly undatedDeaths: number;
  /** The latest refresh of each connection by day, oldest first; earlier refreshes are not kept. */
  readonly refreshesByDay: readonly RefreshDay[];
  /** Connections known to end within days, the next one first. */
  readonly ending: readonly EndingConnection[];
  readonly rejectedIntegrations: readonly RejectedIntegration[];
  /** Provider accounts near the limit of refresh tokens, each by its newest connection. */
  readonly crowdedAccounts: readonly CrowdedAccount[];
}

/** How much of the account an overview is of. */
export interface OverviewCoverage {
  /** The newest connections, which every count is of. */
  readonly connections: number;
  /** Whether these are all. */
  readonly complete: boolean;
  /** How many of them were read in full: ends and refreshes are of these. */
  readonly inDetail: number;
}

/** Connections by status. */
export interface StatusCounts {
  readonly active: number;
  readonly reauthorizationRequired: number;
}

/** A count of all connections, made a part at a time. */
export interface ConnectionTotals extends StatusCounts {
  /** Of dead connections, most first. */
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
  /** When the count ended. */
  readonly countedAt: string;
}

/** Connections by status at the end of a day. */
export interface StatusDay extends StatusCounts {
  readonly day: string;
}

/** Latest refreshes of a day. */
export interface RefreshDay {
  readonly day: string;
  readonly renewed: number;
  readonly refused: number;
}

/** A connection whose end is known. */
export interface EndingConnection extends ConnectionRef {
  readonly endUser: { readonly id: string; readonly email: string | undefined } | undefined;
  readonly endsAt: string;
  /** `testing_mode` or `time_limited_access`. */
  readonly reason: string;
}

/** An integration whose OAuth client the provider refuses. */
export interface RejectedIntegration {
  readonly uniqueKey: string;
  readonly displayName: string;
  /** The provider's code, such as `invalid_client`. */
  readonly error: string;
  readonly since: string;
}

/** A provider account near the limit of refresh tokens. */
export interface CrowdedAccount extends ConnectionRef {
  readonly email: string | undefined;
  readonly live: number;
  readonly limit: number;
}
