import type { Connection } from '../connections/connection.rules.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { connectionRefKey, integrationRefKey } from '../core/identifiers.ts';
import { CACHE_MAX_ENTRIES } from '../core/limits.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { RefreshOutcome } from './refresh-attempt.ts';

/**
 * What one process learned from its own refreshes: callers come with rows that are seconds old, and without this each of
 * them would write to the table, or ask the provider, to learn it again.
 */
export class RefreshMemory {
  readonly #backOffs = new BoundedCache<number>(CACHE_MAX_ENTRIES);
  readonly #faults = new BoundedCache<{ readonly error: string; readonly retryAtEpochSec: number }>(CACHE_MAX_ENTRIES);

  note(connection: Connection, outcome: RefreshOutcome, nowEpochSec: number): void {
    const key = stateKey(connection);
    if (outcome.kind === 'transient') {
      const retryAtEpochSec = nowEpochSec + outcome.retryAfterSec;
      this.#backOffs.set(key, retryAtEpochSec, retryAtEpochSec * 1000);
      return;
    }
    this.#backOffs.delete(key);
    if (outcome.kind === 'client_fault') {
      const retryAtEpochSec = nowEpochSec + outcome.retryAfterSec;
      this.#faults.set(
        integrationRefKey(connection),
        { error: outcome.error, retryAtEpochSec },
        retryAtEpochSec * 1000,
      );
    } else if (outcome.kind === 'fresh') {
      this.#faults.delete(integrationRefKey(connection));
    }
  }

  /** Not to be asked for before this, epoch seconds; 0 when nothing is known. */
  retryAt(connection: Connection, nowEpochSec: number): number {
    return this.#backOffs.get(stateKey(connection), nowEpochSec * 1000) ?? 0;
  }

  /** The fault of the integration's OAuth client while it cools down: as the row says, or as this process has just seen. */
  clientFault(integration: Integration, nowEpochSec: number): RefreshOutcome | undefined {
    const own = this.#faults.get(integrationRefKey(integration), nowEpochSec * 1000);
    const stored = integration.clientFault;
    const fault = stored !== undefined && stored.retryAtEpochSec > nowEpochSec ? stored : own;
    if (fault === undefined) return undefined;
    return {
      kind: 'client_fault',
      error: fault.error,
      retryAfterSec: Math.max(1, fault.retryAtEpochSec - nowEpochSec),
    };
  }
}

/** A back-off belongs to the tokens that failed: new ones start anew. */
function stateKey(connection: Connection): string {
  return `${connectionRefKey(connection)}#${connection.tokenEpoch}`;
}
