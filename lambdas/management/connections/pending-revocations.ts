import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import type { PendingRevocation, RevocationList, RevocationStore } from '../../gateway/connections/ports.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Metrics } from '../../gateway/core/ports.ts';

export interface PendingRevocationsDependencies {
  readonly revocationList: RevocationList;
  readonly revocations: RevocationStore;
  readonly metrics: Metrics;
}

/** Grants of deleted connections that the provider has not ended yet. */
export interface PendingRevocations {
  readonly count: number;
  /** False if there are more than were counted. */
  readonly complete: boolean;
  /** The oldest of them. */
  readonly oldest: readonly PendingRevocation[];
}

/**
 * Pending revocations of an account, with details of the oldest (TK-8).
 *
 * @param integrationIds integrations to include; undefined = all
 * @param detailed how many to read in full
 */
export async function pendingRevocations(
  deps: PendingRevocationsDependencies,
  accountId: string,
  integrationIds: readonly string[] | undefined,
  detailed: number,
): Promise<PendingRevocations> {
  const { refs, complete } = await deps.revocationList.pending(accountId);
  const wanted = refs.filter(({ integrationId }) => integrationIds?.includes(integrationId) ?? true);
  const rows = await Promise.all(wanted.slice(0, detailed).map((ref) => readOne(deps, ref)));
  const oldest = rows.filter((row) => row !== undefined && row !== 'unreadable');
  // The index may still list revocations that were just finished.
  return { count: wanted.length - rows.filter((row) => row === undefined).length, complete, oldest };
}

/** An unreadable one counts, but cannot be shown (CR-10). */
async function readOne({ revocations, metrics }: PendingRevocationsDependencies, ref: ConnectionRef) {
  try {
    return await revocations.read(ref);
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
    metrics.count('StoredValueUnreadable');
    return 'unreadable';
  }
}
