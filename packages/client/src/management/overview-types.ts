import type { ConnectionRef } from '../http/headers.ts';

/** The account at a glance. Days are UTC such as `2026-01-31`, other times ISO 8601 UTC. */
export interface Overview {
  readonly readAt: string;
  /**
   * When all connections were last counted. `statuses` and `causes` are moved on by what was counted since; `failing`, `refusedByProvider` and the ends
   * are of this count. Undefined before the first.
   */
  readonly countedAt: string | undefined;
  readonly integrations: number;
  readonly statuses: StatusCounts & {
    /** Active ones whose calls Google refuses. */
    readonly failing: number;
    /** Active connections whose tokens Google does not renew; 0 of a gateway that does not tell. */
    readonly refusedByProvider: number;
  };
  /** Of dead connections, most first. */
  readonly causes: readonly CauseCount[];
  /** Connections at the end of each of the last days, oldest first; from the first day on that changes were counted. */
  readonly statusByDay: readonly StatusDay[];
  /** What became of connections on the same days. */
  readonly changesByDay: readonly ChangeDay[];
  /** Connections known to end within seven days. */
  readonly endingTotal: number;
  readonly endingByDay: readonly { readonly day: string; readonly count: number }[];
  /** The next 20 of them. */
  readonly ending: readonly EndingConnection[];
  readonly rejectedIntegrations: readonly RejectedIntegration[];
  /** Provider accounts near the limit of refresh tokens, each by its newest connection. */
  readonly crowdedAccounts: readonly CrowdedAccount[];
}

/** Connections by status. */
export interface StatusCounts {
  readonly active: number;
  readonly reauthorizationRequired: number;
}

/** How many died of a cause. */
export interface CauseCount {
  readonly cause: string;
  readonly count: number;
}

/** What became of connections. */
export interface CountedChanges {
  readonly created: number;
  readonly deleted: number;
  /** Those that began to need a new authorization. */
  readonly died: number;
  /** Most first. */
  readonly diedByCause: readonly CauseCount[];
  /** Those that came back from it. */
  readonly mended: number;
  /** Attempts to refresh, by how they ended: `refused` found the grant dead, `failed` is tried again. */
  readonly refreshes: {
    readonly renewed: number;
    readonly refused: number;
    readonly clientRefused: number;
    readonly failed: number;
  };
}

/** What became of connections on a day. */
export interface ChangeDay extends CountedChanges {
  readonly day: string;
}

/** Connections by status at the end of a day. */
export interface StatusDay extends StatusCounts {
  readonly day: string;
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
