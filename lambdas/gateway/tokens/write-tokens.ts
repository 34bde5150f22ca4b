import type { Connection } from '../connections/connection.rules.ts';
import type { StoredTokens } from '../connections/ports.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import { newEvent } from '../events/record-event.ts';
import { scopeChange } from '../providers/scopes.rules.ts';
import { type HeldAttempt, type LeaseHolderDependencies, refOf } from './refresh-attempt.ts';

/** Events that come between are few: a warning, a change of tags. */
const ROUNDS = 5;

/**
 * Writes new tokens under the lease's epoch, and in the same transaction the events of what else they change: a connection
 * marked dead lives again, the granted scopes are others than before (LG-5). A plain refresh writes no event.
 *
 * @returns number of the connection's last event; undefined when the row is not this lease's to write, or written already
 * @throws Error when the table does not take the write, or other events keep coming between
 */
export async function writeTokens(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  stored: StoredTokens,
): Promise<number | undefined> {
  const { lease } = attempt;
  let row = attempt.connection;
  for (let round = 0; round < ROUNDS; round++) {
    const events = eventsOf(deps, attempt.requestId, row, stored);
    if (events.length === 0) return (await deps.connections.storeTokens(row, lease, stored)) ? row.sequence : undefined;
    if (await deps.upkeep.storeWithEvents(row, lease, stored, events)) {
      if (row.death !== undefined) deps.metrics.count('ConnectionStatusChanged', { status: 'active' });
      return row.sequence + events.length;
    }
    const current = await deps.connections.read(row);
    const isOurs = current?.epoch === lease.epoch && current.tokenEpoch !== lease.epoch;
    if (!isOurs || current.status !== row.status) return undefined;
    // Only the number of the last event stood in the way: somebody wrote another one while the lease was held.
    row = current;
  }
  throw new Error('Other events of the connection kept coming between');
}

/** In their order: it lives again, its scopes are others. */
function eventsOf(
  { clock, random }: LeaseHolderDependencies,
  requestId: string,
  row: Connection,
  { grantedScopes }: StoredTokens,
): LifecycleEvent[] {
  const events: LifecycleEvent[] = [];
  const add = (type: LifecycleEvent['eventType'], cause: string): void => {
    const sequence = row.sequence + events.length + 1;
    const facts = { subject: refOf(row), sequence, endUserId: row.endUser?.id, cause, requestId };
    events.push(newEvent(clock, random, type, facts));
  };
  if (row.death !== undefined) add('ConnectionRecovered', row.death.cause);
  const change = scopeChange(row.grantedScopes, grantedScopes);
  if (change !== undefined) add('ConnectionScopesChanged', change);
  return events;
}
