import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import type { IntegrationRef } from '../../gateway/core/identifiers.ts';

/** Whether an integration has any connection that is not deleted. */
export async function hasConnections(connections: ConnectionStore, ref: IntegrationRef): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await connections.list(ref.accountId, { integrationIds: [ref.integrationId] }, 1, cursor);
    if (page.connections.length > 0 || page.unreadable.length > 0) return true;
    // A filter with few matches may return an empty page with a position.
    cursor = page.next;
  } while (cursor !== undefined);
  return false;
}
