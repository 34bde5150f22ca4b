import type { CallRecord } from '../../gateway/calls/call-record.rules.ts';
import type { ConnectionSearch, ListedConnection } from '../../gateway/connections/ports.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';

/** A logged call with the name of its connection. */
export interface NamedCall {
  readonly call: CallRecord;
  readonly name: string;
}

/** Names the connections of calls, each read once. Calls of deleted connections, or older than their connection, are left out. */
export async function nameConnections(
  { search }: { readonly search: Pick<ConnectionSearch, 'summaries'> },
  calls: readonly CallRecord[],
): Promise<NamedCall[]> {
  const found = await search.summaries(calls);
  const byRef = new Map(found.map((one) => [connectionRefKey(one), one]));
  return calls.flatMap((call) => {
    const connection = byRef.get(connectionRefKey(call));
    // A row of a deleted connection of the same name is not deleted yet.
    if (connection === undefined || call.startedAt < connection.createdAt) return [];
    return [{ call, name: nameOf(connection) }];
  });
}

/** A connection's display name: a name, else an address, else an id. */
export function nameOf({
  endUser,
  providerAccount,
  connectionId,
}: Pick<ListedConnection, 'endUser' | 'providerAccount' | 'connectionId'>): string {
  const names = [endUser?.displayName, endUser?.email, endUser?.id, providerAccount?.email];
  return names.find((name) => (name ?? '').trim() !== '') ?? connectionId;
}
