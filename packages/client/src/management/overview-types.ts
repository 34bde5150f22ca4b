import type { ConnectionRef } from '../http/headers.ts';

/** The account at a glance. Days are UTC such as `2026-01-31`, other times ISO 8601 UTC. */
export interface Overview {
  readonly readAt: string;
  /**
   * When all connections were last counted. `statuses` and `causes` include later changes; `failing`, `refusedByProvider` and the ends
   * are of this count. Undefined before the first.
   */
  readonly countedAt: string | undefined;
  readonly integrations: number;
  readonly statuses: StatusCounts & {
    /** Active ones whose calls Google refuses. */
    readonly failing: number;
    /** Active connections whose tokens Google does not renew; 0 from a gateway that does not send it. */
    readonly refusedByProvider: number;
  };
  /** Every connection counted in one member; undefined from a gateway that does not send it. */
  readonly health: HealthCounts | undefined;
  /** The same for each integration; empty from a gateway that does not send it. */
  readonly byIntegration: readonly IntegrationFigures[];
  /** Problems that need attention: errors first, then the newest first. Empty from a gateway that does not send it. */
  readonly attention: readonly Attention[];
  /** Of dead connections, most first. */
  readonly causes: readonly CauseCount[];
  /** Connections at the end of each of the last days, oldest first; from the first day on that changes were counted. */
  readonly statusByDay: readonly StatusDay[];
  /** Changes of connections on the same days. */
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

/** Connections by whether they work, and what stops those that do not. */
export interface HealthCounts {
  readonly working: number;
  /** Google refuses their calls. */
  readonly failing: number;
  /** Google does not renew their tokens. */
  readonly refusedByProvider: number;
  /** Google refuses the OAuth client of their integration. */
  readonly clientRefused: number;
  /** They need a new authorization. */
  readonly dead: number;
}

/** The state of an integration's connections. */
export interface IntegrationFigures extends HealthCounts {
  readonly uniqueKey: string;
  readonly displayName: string;
  /** Their changes in the last seven days, today included. */
  readonly week: Pick<CountedChanges, 'created' | 'deleted' | 'died' | 'mended'>;
}

/** Something that does not work or soon will not, with who can fix it and how. Undefined members do not apply. */
export interface Attention {
  /** `client`, `incident`, `webhook`, `feed`, `account` or `key`; a newer gateway may know more. */
  readonly kind: string;
  /** `error`: something does not work. `warning`: it will fail soon, or is unused. */
  readonly severity: string;
  /** The problem. */
  readonly title: string;
  readonly explanation: string;
  /** The party that can fix it: `end_user`, `developer` or `workspace_admin`. */
  readonly who: string;
  /** The fix, in steps. */
  readonly steps: readonly string[];
  /** The danger of a fix while its first step is not done. */
  readonly warning: string | undefined;
  readonly since: string | undefined;
  /** Of an incident: when the last connection stopped. */
  readonly until: string | undefined;
  /** Connections, or other things of the kind. */
  readonly count: number;
  /** Of an incident: all connections of this integration, state and reason, also from other times. */
  readonly total: number | undefined;
  readonly providerConfigKey: string | undefined;
  /** Of an incident: `dead`, `refused_by_provider` or `failing`. */
  readonly state: string | undefined;
  /** Cause of death, Google's reason or error code. */
  readonly reason: string | undefined;
  /** Of the connection, webhook, feed or key, where it is about one. */
  readonly id: string | undefined;
}

/** How many died of a cause. */
export interface CauseCount {
  readonly cause: string;
  readonly count: number;
}

/** Changes of connections. */
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

/** Changes of connections on a day. */
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
