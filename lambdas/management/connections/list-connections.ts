import { deadOf, type Tally } from '../../gateway/connections/census.rules.ts';
import type { ConnectionSummary } from '../../gateway/connections/connection.rules.ts';
import type {
  CensusStore,
  ConnectionFilter,
  ConnectionSearch,
  ConnectionStore,
  ListedConnection,
  ListOrder,
} from '../../gateway/connections/ports.ts';
import {
  type IndexPlace,
  type PlacedConnection,
  placeNumber,
  searchText,
  searchWords,
} from '../../gateway/connections/search.rules.ts';
import { type GatewayError, refusal } from '../../gateway/core/errors.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';
import {
  CONNECTION_LIST_MAX,
  CONNECTIONS_THAT_FIT,
  COUNTED_ITEMS_MAX,
  SORTED_CONNECTIONS_MAX,
} from '../../gateway/core/limits.ts';
import type { TokenCipher } from '../../gateway/tokens/ports.ts';
import { openCursor, sealCursor } from '../list-page.ts';

/** Index reads for one answer: a filter that matches little then ends in a cursor. */
const ROUNDS_MAX = 20;

/** Orders of the list; `-` puts the newest, the last of the alphabet or the latest use first. */
export const CONNECTION_SORTS = ['-created', 'created', 'name', '-name', 'last_used', '-last_used'] as const;
export type ConnectionSort = (typeof CONNECTION_SORTS)[number];

export interface ListConnectionsDependencies {
  readonly connections: ConnectionStore;
  readonly search: ConnectionSearch;
  readonly census: Pick<CensusStore, 'read'>;
  readonly cipher: TokenCipher;
}

/** What a search finds; `complete` is false where there is more. */
export interface FoundRows {
  readonly rows: readonly ListedConnection[];
  readonly complete: boolean;
}

export interface ConnectionListRequest {
  readonly accountId: string;
  readonly filter: ConnectionFilter;
  /** Judges what the filter cannot; undefined = all of them. */
  readonly isWanted: ((connection: ShownConnection) => boolean) | undefined;
  /** What the request's search found; undefined = all connections. */
  readonly found: FoundRows | undefined;
  readonly sort: ConnectionSort;
  /** Whether the time of last use is read, which the index of lists does not have. */
  readonly withLastUse: boolean;
  readonly limit: number;
  /** Pages of `limit` passed over first, for clients that count pages. */
  readonly page: number;
  readonly cursor: string | undefined;
}

/** A connection in a list; the time of last use where it was read. */
export type ShownConnection = ConnectionSummary & Partial<Pick<ListedConnection, 'lastUsedAtEpochSec'>>;

/** Takes one connection into a page; false where the page is full. */
export type TakeConnection = (connection: ShownConnection) => boolean;

/** A part of the list. */
interface Part {
  readonly connections: readonly ShownConnection[];
  /** Connections before them that were passed over unread. */
  readonly passed: number;
  readonly next: string | undefined;
}

/** Reads a part of the list behind a position. @param skip connections on earlier pages, which nobody looks at */
type Read = (wanted: number, position: string | undefined, skip: number) => Promise<Part>;

/**
 * One page of the list.
 *
 * @param newPage called where a page begins, that of the answer last
 * @returns the cursor of the next page; undefined at the end
 * @throws GatewayError `invalid_query_params` for a cursor that is not ours or of another order, a counted page behind one
 *   that was full early, or an order of more connections than are sorted
 */
export async function listConnections(
  deps: ListConnectionsDependencies,
  request: ConnectionListRequest,
  newPage: () => TakeConnection,
): Promise<string | undefined> {
  const { accountId, limit, page, cursor } = request;
  const seal = (position: string) => sealCursor(deps.cipher, accountId, 'connectionListCursor', position);
  let position =
    cursor === undefined ? undefined : await openCursor(deps.cipher, accountId, 'connectionListCursor', cursor);
  const read = await readerOf(deps, request);
  let take = newPage();
  let seen = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const skip = Math.max(0, page * limit - seen);
    const part = await read((page + 1) * limit - seen, position, skip);
    let last = position;
    seen += part.passed;
    for (const connection of part.connections) {
      if (seen > 0 && seen % limit === 0) take = newPage();
      if (!take(connection)) {
        // Whoever counts pages would never see what did not fit into an earlier one.
        if (seen < page * limit) throw fullEarly(Math.floor(seen / limit), seen % limit);
        return last === undefined ? undefined : seal(last);
      }
      seen++;
      last = connection.position;
    }
    position = part.next;
    if (position === undefined || seen >= (page + 1) * limit) break;
  }
  // Nothing lies on the page that was asked for.
  if (page > 0 && seen <= page * limit) newPage();
  return position === undefined ? undefined : seal(position);
}

/** How many connections a list has; `complete` is false where there are more than were counted. */
export async function countListed(
  deps: ListConnectionsDependencies,
  request: Pick<ConnectionListRequest, 'accountId' | 'filter' | 'found' | 'isWanted'>,
): Promise<{ readonly total: number; readonly complete: boolean }> {
  const { accountId, filter, found, isWanted } = request;
  if (found !== undefined) return { total: found.rows.length, complete: found.complete };
  if (isWanted !== undefined) return countWanted(deps, accountId, filter, isWanted);
  const known = await knownCount(deps, accountId, filter);
  // Of few a count that is minutes old would be seen to be wrong.
  if (known !== undefined && known > SORTED_CONNECTIONS_MAX) return { total: known, complete: true };
  const counted = await deps.connections.count(accountId, filter);
  const { integrationIds, ...others } = filter;
  if (counted.complete || integrationIds === undefined || !isEmpty(others)) return counted;
  return { total: await deps.search.count(accountId, integrationIds), complete: true };
}

/** Counts by looking at each connection, up to a number that one answer looks at. */
async function countWanted(
  { connections }: ListConnectionsDependencies,
  accountId: string,
  filter: ConnectionFilter,
  isWanted: (connection: ShownConnection) => boolean,
) {
  let total = 0;
  let position: string | undefined;
  for (let read = 0; read < COUNTED_ITEMS_MAX / CONNECTION_LIST_MAX; read++) {
    const part = await connections.list(accountId, filter, CONNECTION_LIST_MAX, position);
    total += part.connections.filter(isWanted).length;
    position = part.next;
    if (position === undefined) return { total, complete: true };
  }
  return { total, complete: false };
}

/** What the running count of all connections says of a list, which is minutes old. */
async function knownCount(
  { census }: ListConnectionsDependencies,
  accountId: string,
  filter: ConnectionFilter,
): Promise<number | undefined> {
  const counted = (await census.read(accountId))?.counted;
  return counted === undefined ? undefined : countedIn(counted, filter);
}

/** What the count of all connections says of a list; undefined where it does not count by what the filter names. */
function countedIn(census: Tally, { status, cause, ...others }: ConnectionFilter): number | undefined {
  if (!isEmpty(others)) return undefined;
  if (cause !== undefined) return status === 'active' ? 0 : (census.causes[cause] ?? 0);
  if (status === 'active') return census.active;
  return status === undefined ? census.active + deadOf(census) : deadOf(census);
}

async function readerOf(deps: ListConnectionsDependencies, request: ConnectionListRequest): Promise<Read> {
  const { accountId, filter, found, sort } = request;
  if (found !== undefined) return sortedReader(found.rows, request);
  if (sort === '-created' || sort === 'created') return plainReader(deps, request);
  const isLong = isEmpty(filter) && ((await knownCount(deps, accountId, filter)) ?? 0) > SORTED_CONNECTIONS_MAX;
  const rows = isLong ? undefined : await allRows(deps, request);
  if (rows !== undefined) return sortedReader(rows, request);
  if (sort === 'name' || sort === '-name') return namedReader(deps, request);
  throw tooMany();
}

/** By age, as the index of lists has them. */
function plainReader(deps: ListConnectionsDependencies, request: ConnectionListRequest): Read {
  const { accountId, filter, sort, withLastUse, limit, isWanted } = request;
  const order = sort === 'created' ? 'oldest' : 'newest';
  // A cursor of this order says so, but for the one that lists have without being asked.
  const inside = (position: string) => (sort === 'created' ? readPlace(position, sort)[1] : position);
  const outside = (position: string) => (sort === 'created' ? JSON.stringify([sort, 0, position]) : position);
  const isWhole = isEmpty(filter) && isWanted === undefined;
  const readPart = async (wanted: number, position: string | undefined) => {
    if (isWanted === undefined) return listOrIndex(deps, accountId, filter, wanted, position, order);
    // Few may be wanted of many: a full page is looked at, however few are asked for.
    const part = await deps.connections.list(accountId, filter, CONNECTION_LIST_MAX, position, order);
    const all = part.connections.filter(isWanted);
    const connections = all.slice(0, wanted);
    return { connections, next: connections.length < all.length ? connections.at(-1)?.position : part.next };
  };
  return async (wanted, position, skip) => {
    if (order === 'newest' && position?.startsWith('[') === true) throw otherOrder();
    const from = position === undefined ? undefined : inside(position);
    const passes = isWhole && skip > 0 && limit <= CONNECTIONS_THAT_FIT;
    const start = passes ? (await deps.connections.passOver(accountId, skip, from, order)).next : from;
    if (passes && start === undefined) return { connections: [], passed: 0, next: undefined };
    const passed = passes ? skip : 0;
    const { connections, next } = await readPart(wanted - passed, start);
    const shown = connections.slice(skip - passed);
    const rows = withLastUse
      ? [...connections.slice(0, skip - passed), ...(await deps.search.summaries(shown))]
      : connections;
    return {
      connections: rows.map((row) => ({ ...row, position: outside(row.position) })),
      passed,
      next: next === undefined ? undefined : outside(next),
    };
  };
}

/** The next part of the list; where its pages hold little of what is wanted, from the search index, as far as that knows it. */
async function listOrIndex(
  { connections, search }: ListConnectionsDependencies,
  accountId: string,
  filter: ConnectionFilter,
  wanted: number,
  position: string | undefined,
  order: ListOrder,
): Promise<Pick<Part, 'connections' | 'next'>> {
  const part = await connections.list(accountId, filter, wanted, position, order);
  const { integrationIds, ...others } = filter;
  const count = wanted - part.connections.length;
  if (part.next === undefined || count <= 0) return part;
  const { next } = part;
  const words = [filter.endUserId, filter.organizationId, filter.connectionId].flatMap((id) =>
    id === undefined ? [] : searchWords(id),
  );
  if (words.length > 0) {
    const { found, complete } = await search.find(accountId, words, integrationIds);
    if (!complete) return part;
    const isBehind = (row: ShownConnection) => (order === 'newest' ? row.position < next : row.position > next);
    const rows = (await search.summaries(found))
      .filter((row) => matches(row, filter) && isBehind(row))
      .sort((a, b) => (a.position < b.position === (order === 'oldest') ? -1 : 1));
    const taken = rows.slice(0, count);
    const last = rows.length > count ? taken.at(-1)?.position : undefined;
    return { connections: [...part.connections, ...taken], next: last };
  }
  if (integrationIds === undefined || !isEmpty(others)) return part;
  const after: IndexPlace = ['', placeNumber(next.slice(next.lastIndexOf('#') + 1))];
  const isDescending = order === 'newest';
  const refs = await search.inOrder(accountId, { by: 'age', integrationIds, isDescending, after, count });
  const rest = await search.summaries(refs);
  return { connections: [...part.connections, ...rest], next: refs.length < count ? undefined : rest.at(-1)?.position };
}

/** Rows that are there as a whole, in any order, handed out a part at a time. */
function sortedReader(rows: readonly ShownConnection[], { sort }: ConnectionListRequest): Read {
  const isDescending = sort.startsWith('-');
  const sorted = rows.map((row) => ({ row, place: placeOf(sort, row) })).sort((a, b) => compare(a.place, b.place));
  if (isDescending) sorted.reverse();
  return async (wanted, position) => {
    const behind = position === undefined ? undefined : readPlace(position, sort);
    const start =
      behind === undefined
        ? 0
        : sorted.findIndex(({ place }) => (isDescending ? compare(place, behind) < 0 : compare(place, behind) > 0));
    const part = start === -1 ? [] : sorted.slice(start, start + wanted);
    const positionOf = (place: Place) => JSON.stringify([sort, ...place]);
    const last = part.at(-1);
    return {
      connections: part.map(({ row, place }) => ({ ...row, position: positionOf(place) })),
      passed: 0,
      next: last === undefined || start + part.length >= sorted.length ? undefined : positionOf(last.place),
    };
  };
}

/** By name in the order that the search index gives, which has all of them; rows are read for what is shown alone. */
function namedReader(deps: ListConnectionsDependencies, request: ConnectionListRequest): Read {
  const { accountId, filter, sort, limit, isWanted } = request;
  const { integrationIds, ...others } = filter;
  const isWhole = isEmpty(others) && isWanted === undefined;
  const positionOf = ([name, tieBreak]: IndexPlace) => JSON.stringify([sort, name, tieBreak]);
  let names: readonly PlacedConnection[] | undefined;
  let at = 0;
  let hasMore = false;
  return async (wanted, position, skip) => {
    if (names === undefined) {
      const behind = position === undefined ? undefined : readPlace(position, sort);
      const after: IndexPlace | undefined = behind === undefined ? undefined : [String(behind[0]), behind[1]];
      // What a filter leaves out has to be read to be known: so many are looked through for one answer.
      const count = Math.max(wanted, isWhole ? 0 : SORTED_CONNECTIONS_MAX);
      names = await deps.search.inOrder(accountId, {
        by: 'name',
        integrationIds,
        isDescending: sort.startsWith('-'),
        after,
        count,
      });
      hasMore = names.length === count;
    }
    const passed = isWhole && limit <= CONNECTIONS_THAT_FIT ? Math.min(skip, names.length - at) : 0;
    const part = names.slice(at + passed, at + wanted);
    at += passed + part.length;
    const places = new Map(part.map((one) => [connectionRefKey(one), one.place]));
    const rows = (await deps.search.summaries(part)).filter((row) => matches(row, filter) && isWanted?.(row) !== false);
    const last = names[at - 1];
    return {
      connections: rows.flatMap((row) => {
        const place = places.get(connectionRefKey(row));
        return place === undefined ? [] : [{ ...row, position: positionOf(place) }];
      }),
      passed,
      next: last === undefined || (at >= names.length && !hasMore) ? undefined : positionOf(last.place),
    };
  };
}

/** What a search finds of a list, as rows: for the list and for its total. */
export async function findListed(
  { search }: Pick<ListConnectionsDependencies, 'search'>,
  { accountId, filter, isWanted }: Pick<ConnectionListRequest, 'accountId' | 'filter' | 'isWanted'>,
  text: string,
): Promise<FoundRows> {
  const words = searchWords(text);
  if (words.length === 0) return { rows: [], complete: true };
  const { found, complete } = await search.find(accountId, words, filter.integrationIds);
  const rows = await search.summaries(found);
  return { rows: rows.filter((row) => matches(row, filter) && isWanted?.(row) !== false), complete };
}

/** Every row of a list; undefined where there are more than are sorted. */
async function allRows(
  deps: ListConnectionsDependencies,
  { accountId, filter, sort, isWanted }: ConnectionListRequest,
): Promise<readonly ShownConnection[] | undefined> {
  const rows: ConnectionSummary[] = [];
  let position: string | undefined;
  do {
    const wanted = SORTED_CONNECTIONS_MAX + 1 - rows.length;
    const part = await deps.connections.list(accountId, filter, wanted, position);
    rows.push(...(isWanted === undefined ? part.connections : part.connections.filter(isWanted)));
    position = part.next;
    if (rows.length > SORTED_CONNECTIONS_MAX) return undefined;
  } while (position !== undefined);
  return sort.endsWith('last_used') ? deps.search.summaries(rows) : rows;
}

/** What orders a row, and what keeps two alike apart. */
type Place = readonly [value: string | number, position: string];

function placeOf(sort: ConnectionSort, row: ShownConnection): Place {
  switch (sort) {
    case '-created':
    case 'created':
      return [0, row.position];
    case 'name':
    case '-name':
      return [searchText(row).split('\n')[0] ?? '', row.position];
    case 'last_used':
    case '-last_used':
      return [row.lastUsedAtEpochSec ?? 0, row.position];
  }
}

function compare([a, aPosition]: Place, [b, bPosition]: Place): number {
  if (a !== b) return a < b ? -1 : 1;
  return aPosition === bPosition ? 0 : aPosition < bPosition ? -1 : 1;
}

/** The place in a cursor that is ours. @throws GatewayError `invalid_query_params` for one of another order */
function readPlace(position: string, sort: ConnectionSort): Place {
  if (position.startsWith('[')) {
    const [of, value, place]: unknown[] = JSON.parse(position);
    if (of === sort && (typeof value === 'string' || typeof value === 'number') && typeof place === 'string') {
      return [value, place];
    }
  }
  throw otherOrder();
}

function isEmpty(filter: ConnectionFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

function matches(row: ConnectionSummary, filter: ConnectionFilter): boolean {
  const { status, cause, endUserId, organizationId, connectionId, tags = {} } = filter;
  return (
    (status === undefined || row.status === status) &&
    (filter.isFailing !== true || row.callFault !== undefined) &&
    (cause === undefined || row.cause === cause) &&
    (endUserId === undefined || row.endUser?.id === endUserId) &&
    (organizationId === undefined || row.endUser?.organization?.id === organizationId) &&
    (connectionId === undefined || row.connectionId === connectionId) &&
    Object.entries(tags).every(([key, value]) => row.tags[key] === value)
  );
}

function otherOrder(): GatewayError {
  return refusal('invalid_query_params', [
    { path: 'cursor', message: 'belongs to a list in another order: begin again without a cursor' },
  ]);
}

function tooMany(): GatewayError {
  return refusal('invalid_query_params', [
    {
      path: 'sort',
      message: `more than ${SORTED_CONNECTIONS_MAX} connections are in this list, which is more than one answer sorts by last use; filter or search them, or choose another order`,
    },
  ]);
}

function fullEarly(page: number, held: number): GatewayError {
  return refusal('invalid_query_params', [
    {
      path: 'page',
      message: `page ${page} was full after ${held} connections, which are as much as one answer holds; go on with cursor=<its next_cursor>, or count pages with limit=${held} or less`,
    },
  ]);
}
