import type { PendingRevocations } from '../connections/pending-revocations.ts';

/** Pending revocations in the API's spelling. No token and no account of the provider is in it. */
export function pendingRevocationsOnTheWire({ count, complete, oldest }: PendingRevocations): Record<string, unknown> {
  return {
    pending: count,
    complete,
    oldest: oldest.map(({ ref, requestedAtEpochSec, retryAtEpochSec, failureCount }) => ({
      provider_config_key: ref.integrationId,
      connection_id: ref.connectionId,
      requested_at: isoTime(requestedAtEpochSec),
      retry_at: isoTime(retryAtEpochSec),
      failed_attempts: failureCount,
    })),
  };
}

function isoTime(epochSec: number): string {
  return new Date(epochSec * 1000).toISOString();
}
