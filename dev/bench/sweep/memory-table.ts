/** A table in memory that takes a stated time for each operation: what an instance does when the table is not the limit. */

import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { connectionRefKey, dueShardOf } from '../../../lambdas/gateway/core/identifiers.ts';
import { INTEGRATION } from './fixtures.ts';
import type { SweepStores } from './run-sweep.ts';

/**
 * Stores over these rows; each operation answers after `operationMs`. Does what a sweep without any failure needs and
 * refuses the rest.
 */
export function memoryTable(rows: readonly Connection[], operationMs: number): SweepStores {
  const byKey = new Map(rows.map((row) => [connectionRefKey(row), row]));
  const byShard = Map.groupBy(rows, (row) => dueShardOf(row, DUE_SHARDS));
  const answer = async <T>(value: T): Promise<T> => {
    await new Promise((resolve) => setTimeout(resolve, operationMs));
    return value;
  };
  return {
    connections: only('connections', {
      read: (ref) => answer(byKey.get(connectionRefKey(ref))),
      takeLease: (known, { owner, expiresAtEpochSec }) =>
        answer({ taken: true, lease: { owner, epoch: known.epoch + 1, expiresAtEpochSec }, lostHash: undefined }),
      storeTokens: () => answer(true),
    }),
    upkeep: only('upkeep', {
      duePage(shard, _until, limit, after) {
        const due = byShard.get(shard) ?? [];
        const from = Number(after?.from ?? 0);
        const next = from + limit < due.length ? { from: from + limit } : undefined;
        return answer({ refs: due.slice(from, from + limit), next });
      },
      hasDue: () => answer(false),
    }),
    escrow: only('escrow', {}),
    revocations: only('revocations', {}),
    unconfirmed: only('unconfirmed', {}),
    integrations: only('integrations', { get: () => answer(INTEGRATION) }),
    consents: only('consents', {}),
    deaths: only('deaths', {}),
    evidence: only('evidence', {}),
    audit: only('audit', {}),
  };
}

/** A store of which only some methods exist; using another is an error that names it. */
function only<Name extends keyof SweepStores>(name: Name, methods: Partial<SweepStores[Name]>): SweepStores[Name] {
  const missing = new Proxy(methods, {
    get(target, method) {
      const found: unknown = Reflect.get(target, method);
      if (found === undefined) throw new Error(`The table in memory has no ${name}.${String(method)}`);
      return found;
    },
  });
  // The proxy answers for every method of the store, by throwing.
  return missing as SweepStores[Name];
}
