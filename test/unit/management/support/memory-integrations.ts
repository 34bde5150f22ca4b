import { integrationRefKey } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../../../lambdas/gateway/integrations/ports.ts';
import type { MemoryEvents } from './memory-events.ts';
import { notUsed } from './not-used.ts';

/** Integrations in memory, refusing what the table's conditions refuse. */
export function memoryIntegrations(events: MemoryEvents) {
  const rows = new Map<string, Integration>();
  const store: IntegrationStore = {
    get: async (ref) => rows.get(integrationRefKey(ref)),
    secretIdOf: async (ref) => rows.get(integrationRefKey(ref))?.secretId,
    list: async (accountId) =>
      [...rows.values()]
        .filter((row) => row.accountId === accountId)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt)),
    async create(integration, event) {
      const key = integrationRefKey(integration);
      if (rows.has(key)) return false;
      events.write(event);
      rows.set(key, integration);
      return true;
    },
    async update(integration, expectedVersion, event) {
      const key = integrationRefKey(integration);
      if (rows.get(key)?.version !== expectedVersion) return false;
      events.write(event);
      rows.set(key, integration);
      return true;
    },
    async delete(ref, event) {
      const key = integrationRefKey(ref);
      if (!rows.has(key)) return false;
      events.write(event);
      rows.delete(key);
      return true;
    },
    async rename(from, to, event) {
      if (rows.has(integrationRefKey(to))) return 'taken';
      if (rows.get(integrationRefKey(from))?.version !== from.version) return 'conflict';
      events.write(event);
      rows.delete(integrationRefKey(from));
      rows.set(integrationRefKey(to), to);
      return 'renamed';
    },
    markClientFault: notUsed,
    noteSuspicion: notUsed,
    async noteTesting(ref, what, atEpochSec) {
      const key = integrationRefKey(ref);
      const row = rows.get(key);
      if (row === undefined) return;
      const name = what === 'seen' ? 'testingSeenAtEpochSec' : 'testingOverAtEpochSec';
      rows.set(key, { ...row, [name]: atEpochSec });
    },
    async noteClientWorks(ref, nowEpochSec) {
      const key = integrationRefKey(ref);
      const row = rows.get(key);
      if (row !== undefined) rows.set(key, { clientWorksSinceEpochSec: nowEpochSec, ...row });
    },
    clearClientFault: notUsed,
  };
  return { rows, store };
}
