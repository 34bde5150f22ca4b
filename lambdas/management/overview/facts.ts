import type { CountedConnections } from '../../gateway/connections/census.rules.ts';
import type { Connection, ConnectionSummary } from '../../gateway/connections/connection.rules.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { RefreshTokenLimit } from '../../gateway/tokens/forecast.rules.ts';

/** A provider account near the limit of refresh tokens, with its newest connection. */
export interface CrowdedAccount {
  readonly connection: Connection;
  readonly limit: RefreshTokenLimit;
}

/** What an overview is made of. */
export interface OverviewFacts {
  readonly integrations: readonly Integration[];
  /** Newest first. */
  readonly connections: readonly ConnectionSummary[];
  /** Whether these are all connections. */
  readonly isComplete: boolean;
  /** The newest of each status, in full. */
  readonly details: readonly Connection[];
  /** A count of all connections, of those that are not all here; undefined where there is none or the caller may not see them all. */
  readonly counted: CountedConnections | undefined;
  readonly crowded: readonly CrowdedAccount[];
}
