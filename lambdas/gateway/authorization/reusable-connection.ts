import { type Connection, endUserIdOf, type ProviderAccount } from '../connections/connection.rules.ts';
import type { ConnectionStore } from '../connections/ports.ts';
import type { ConnectSession } from './connect-session.rules.ts';

/** Connections that a session may reauthorize under an integration: still without a grant, and still its end user's. */
export async function reusableConnections(
  connections: Pick<ConnectionStore, 'read'>,
  session: ConnectSession,
  integrationId: string,
): Promise<readonly Connection[]> {
  const endUserId = endUserIdOf(session);
  const named = (session.reusable ?? []).filter((one) => one.integrationId === integrationId);
  const read = await Promise.all(named.map((one) => connections.read({ accountId: session.accountId, ...one })));
  return read.flatMap((one) => {
    const isTheirs = one !== undefined && endUserId !== undefined && endUserIdOf(one) === endUserId;
    return isTheirs && one.status === 'reauthorization_required' ? [one] : [];
  });
}

/**
 * The connection among them that a consent with this account reauthorizes: the one of that account, or the only one if its account is
 * not known. A consent with any other account creates a connection.
 */
export function reusedConnection(
  reusable: readonly Connection[],
  account: ProviderAccount | undefined,
): Connection | undefined {
  const same = reusable.find(
    ({ providerAccount }) => providerAccount !== undefined && providerAccount.subject === account?.subject,
  );
  if (same !== undefined) return same;
  const [only, ...others] = reusable;
  return others.length === 0 && only?.providerAccount === undefined ? only : undefined;
}
