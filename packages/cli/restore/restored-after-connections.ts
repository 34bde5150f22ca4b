import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { Kind } from './kinds.ts';
import type { Outcome, RestoreContext } from './restore-context.ts';

/** What a run that brings connections back gives to rows that belong to them. */
export interface BroughtConnections {
  /** Whether a connection that is not in the table would be restored; for a dry run. */
  readonly isComing: (ref: ConnectionRef) => boolean;
  /** Counts a row that comes with another one. */
  readonly count: (kind: Kind, outcome: Outcome) => void;
}

/** Brings a row of a feature back, after the connections. */
export type BringAfterConnections = (
  context: RestoreContext,
  item: Item,
  connections: BroughtConnections,
) => Promise<Outcome>;
