import { type ConnectionFilter, endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';
import {
  forOneAnswer,
  type ListConnectionsDependencies,
  listConnections,
  type ShownConnection,
} from './list-connections.ts';
import { END_USER_TAG } from './update-description.ts';

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
  const found = new Map<string, ShownConnection>();
  const take = (connection: ShownConnection) => {
    // A tag may name somebody else than the end user that the connection has.
    if (endUserIdOf(connection) === endUserId) found.set(connectionRefKey(connection), connection);
    return true;
  };
  const reading = forOneAnswer(deps);
  const naming = [{ endUserId }, { tags: { [END_USER_TAG]: endUserId } }];
  await Promise.all(
    naming.map((named) =>
      listConnections(reading, { ...request, ...page, filter: { ...filter, ...named } }, () => take),
    ),
  );
  return [...found.values()].sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1)).slice(0, most);
}
