import type { ConnectSession } from '../../../../lambdas/gateway/authorization/connect-session.rules.ts';
import type { ConnectSessionStore } from '../../../../lambdas/gateway/authorization/ports.ts';
import type { SecretKeyRecord } from '../../../../lambdas/gateway/keys/credentials.rules.ts';
import type { SecretKeyStore } from '../../../../lambdas/gateway/keys/ports.ts';
import type { MemoryEvents } from './memory-events.ts';
import { notUsed } from './not-used.ts';

/** Secret keys in memory; a digest is taken once and for all. */
export function memorySecretKeys(events: MemoryEvents) {
  const rows = new Map<string, SecretKeyRecord>();
  const store: SecretKeyStore = {
    find: async (keyHash) => rows.get(keyHash),
    async create(record, event) {
      if (rows.has(record.keyHash)) return false;
      events.write(event);
      rows.set(record.keyHash, record);
      return true;
    },
    list: async (accountId) => [...rows.values()].filter((row) => row.accountId === accountId),
    async revoke(accountId, keyHash, revokedAt, event) {
      const row = rows.get(keyHash);
      if (row?.accountId !== accountId || row.revokedAt !== undefined) return false;
      events.write(event);
      rows.set(keyHash, { ...row, revokedAt });
      return true;
    },
    async noteUse(keyHash, nowEpochSec) {
      const row = rows.get(keyHash);
      if (row !== undefined) rows.set(keyHash, { ...row, lastUsedAtEpochSec: nowEpochSec });
    },
  };
  return { rows, store };
}

/** Connect sessions in memory. */
export function memorySessions(events: MemoryEvents) {
  const rows = new Map<string, ConnectSession>();
  const store: ConnectSessionStore = {
    async create(session, event) {
      if (rows.has(session.sessionHash)) throw new Error('ConditionalCheckFailedException');
      events.write(event);
      rows.set(session.sessionHash, session);
    },
    find: async (sessionHash) => rows.get(sessionHash),
    start: notUsed,
    finish: notUsed,
    delete: notUsed,
  };
  return { rows, store };
}
