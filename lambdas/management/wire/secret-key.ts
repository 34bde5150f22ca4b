import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import { isoTimeOrNull } from '../integrations/integration-routes.ts';

/** A secret key's record in the API's spelling; the id is its digest, the key itself is stored nowhere. */
export function secretKeyOnTheWire(
  record: SecretKeyRecord,
  callerKeyHash: string | undefined,
): Record<string, unknown> {
  return {
    id: record.keyHash,
    name: record.name,
    right: record.right,
    integration_ids: record.integrationIds ?? null,
    can_read_credentials: record.canReadCredentials,
    created_at: record.createdAt,
    created_by: record.createdBy ?? null,
    last_used_at: isoTimeOrNull(record.lastUsedAtEpochSec),
    revoked_at: record.revokedAt ?? null,
    is_this_key: record.keyHash === callerKeyHash,
  };
}
