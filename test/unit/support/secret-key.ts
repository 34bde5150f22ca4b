import type { SecretKeyRecord } from '../../../lambdas/gateway/keys/credentials.rules.ts';

/** A stored secret key with every right but to read credentials; `changes` win. */
export function secretKeyRecord(changes: Partial<SecretKeyRecord> = {}): SecretKeyRecord {
  return {
    accountId: 'default',
    keyHash: 'hash',
    name: 'key',
    right: 'full',
    integrationIds: undefined,
    canReadCredentials: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: undefined,
    lastUsedAtEpochSec: undefined,
    revokedAt: undefined,
    ...changes,
  };
}
