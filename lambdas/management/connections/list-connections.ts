import type { ConnectionSummary } from '../../gateway/connections/connection.rules.ts';
import type { ConnectionFilter, ConnectionStore } from '../../gateway/connections/ports.ts';
import { type GatewayError, refusal } from '../../gateway/core/errors.ts';
import type { TokenCipher } from '../../gateway/tokens/ports.ts';
import { openCursor, sealCursor } from '../list-page.ts';

/** Index reads for one answer: a filter that matches little then ends in a cursor. */
const ROUNDS_MAX = 20;

export interface ListConnectionsDependencies {
  readonly connections: ConnectionStore;
  readonly cipher: TokenCipher;
}

export interface ConnectionListRequest {
  readonly accountId: string;
  readonly filter: ConnectionFilter;
  readonly limit: number;
  /** Pages of `limit` passed over first, for clients that count pages. */
  readonly page: number;
  readonly cursor: string | undefined;
}

/** Takes one connection into a page; false where the page is full. */
export type TakeConnection = (connection: ConnectionSummary) => boolean;

/**
 * One page, newest first.
 *
 * @param newPage called where a page begins, that of the answer last
 * @returns the cursor of the next page; undefined at the end
 * @throws GatewayError `invalid_query_params` for a cursor that is not ours, or a counted page behind one that was full early
 */
export async function listConnections(
  deps: ListConnectionsDependencies,
  { accountId, filter, limit, page, cursor }: ConnectionListRequest,
  newPage: () => TakeConnection,
): Promise<string | undefined> {
  const seal = (position: string) => sealCursor(deps.cipher, accountId, 'connectionListCursor', position);
  let position =
    cursor === undefined ? undefined : await openCursor(deps.cipher, accountId, 'connectionListCursor', cursor);
  let take = newPage();
  let seen = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const wanted = (page + 1) * limit - seen;
    const read = await deps.connections.list(accountId, filter, wanted, position);
    let last = position;
    for (const connection of read.connections) {
      if (seen > 0 && seen % limit === 0) take = newPage();
      if (!take(connection)) {
        // Whoever counts pages would never see what did not fit into an earlier one.
        if (seen < page * limit) throw fullEarly(Math.floor(seen / limit), seen % limit);
        return last === undefined ? undefined : seal(last);
      }
      seen++;
      last = connection.position;
    }
    position = read.next;
    if (position === undefined || seen >= (page + 1) * limit) break;
  }
  // Nothing lies on the page that was asked for.
  if (page > 0 && seen <= page * limit) newPage();
  return position === undefined ? undefined : seal(position);
}

function fullEarly(page: number, held: number): GatewayError {
  return refusal('invalid_query_params', [
    {
      path: 'page',
      message: `page ${page} was full after ${held} connections, which are as much as one answer holds; go on with cursor=<its next_cursor>, or count pages with limit=${held} or less`,
    },
  ]);
}
