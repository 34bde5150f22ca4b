import type { ConnectionFilter } from '../../gateway/connections/connection.rules.ts';
import { type ListConnectionsDependencies, listConnections, type ShownConnection } from './list-connections.ts';

/**
 * Connections of an end user, newest first, also those that name the user only in the tag.
 *
 * @param most how many are returned
 */
export async function connectionsOfUser(
  deps: ListConnectionsDependencies,
  accountId: string,
  endUserId: string,
  filter: Pick<ConnectionFilter, 'integrationIds' | 'status'>,
  most: number,
): Promise<readonly ShownConnection[]> {
  const request = { accountId, isWanted: undefined, found: undefined, sort: '-created', withLastUse: false } as const;
  const page = { limit: most, page: 0, cursor: undefined };
  const found: ShownConnection[] = [];
  const take = (connection: ShownConnection) => {
    found.push(connection);
    return true;
  };
  await listConnections(deps, { ...request, ...page, filter: { ...filter, endUserId } }, () => take);
  return found;
}
