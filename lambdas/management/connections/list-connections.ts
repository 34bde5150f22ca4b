import { deadOf, type Tally } from '../../gateway/connections/census.rules.ts';
import {
  type ConnectionFilter,
  type ConnectionSummary,
  endUserIdOf,
} from '../../gateway/connections/connection.rules.ts';
import {
  BY_NAME,
  DEAD,
  type IndexPlace,
  type ListsOfFilter,
  listsOf,
  nameOfPlace,
  type PlacedConnection,
  placeOfName,
  searchText,
  searchWords,
} from '../../gateway/connections/index-rows.rules.ts';
import type {
  CensusStore,
  ConnectionLists,
  ConnectionSearch,
  ConnectionStore,
  ListedConnection,
  ListOrder,
} from '../../gateway/connections/ports.ts';
import { type GatewayError, refusal } from '../../gateway/core/errors.ts';
import { connectionRefKey } from '../../gateway/core/identifiers.ts';
import {
  CONNECTION_LIST_MAX,
  CONNECTIONS_THAT_FIT,
  COUNTED_ITEMS_MAX,
  LISTED_ROWS_AT_ONCE,
  LISTS_MERGED_MAX,
  SORTED_CONNECTIONS_MAX,
} from '../../gateway/core/limits.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { TokenCipher } from '../../gateway/core/ports.ts';
import { openCursor, sealCursor } from '../list-page.ts';

/** Index reads for one response: a filter with few matches then ends with a cursor. */
const ROUNDS_MAX = 20;

/** Orders of the list; `-` puts the newest, the last of the alphabet or the latest use first. */
export const CONNECTION_SORTS = ['-created', 'created', 'name', '-name', 'last_used', '-last_used'] as const;
export type ConnectionSort = (typeof CONNECTION_SORTS)[number];

export interface ListConnectionsDependencies {
  readonly connections: ConnectionStore;
  readonly search: ConnectionSearch;
  readonly lists: ConnectionLists;
  readonly census: Pick<CensusStore, 'read'>;
  readonly cipher: TokenCipher;
}

/** The same dependencies for one response: values that its page and its total both need are read once. */
export function forOneAnswer<T extends ListConnectionsDependencies>(deps: T): T {
  const { lists, census } = deps;
  return {
    ...deps,
    lists: { ...lists, isComplete: readOnce(lists.isComplete) },
    census: { ...census, read: readOnce(census.read) },
  };
}

function readOnce<T>(read: (accountId: string) => Promise<T>): (accountId: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (accountId) => {
    const answer = asked.get(accountId) ?? read(accountId);
    asked.set(accountId, answer);
    return answer;
  };
}

/** Results of a search; `complete` is false where there are more. */
export interface FoundRows {
  readonly rows: readonly ListedConnection[];
  readonly complete: boolean;
}

export interface ConnectionListRequest {
  readonly accountId: string;
  readonly filter: ConnectionFilter;
  /** Checks conditions that the filter cannot; undefined = none. */
  readonly isWanted: ((connection: ShownConnection) => boolean) | undefined;
  /** The number of matches in the running count, for conditions that it distinguishes; undefined for others. */
  readonly countWanted?: ((counted: Tally) => number | undefined) | undefined;
  /** Results of the request's search; undefined = all connections. */
  readonly found: FoundRows | undefined;
  readonly sort: ConnectionSort;
  /** Whether to read the time of last use, which the index of lists lacks. */
  readonly withLastUse: boolean;
  readonly limit: number;
  /** Pages of `limit` to skip, for clients that count pages. */
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
  /** Connections before them that were skipped unread. */
  readonly passed: number;
  readonly next: string | undefined;
}

/** Reads a part of the list behind a position. @param skip connections on earlier pages, which are not read */
type Read = (wanted: number, position: string | undefined, skip: number) => Promise<Part>;

/**
 * One page of the list.
 *
 * @param newPage called where a page begins, that of the response last
 * @returns the cursor of the next page; undefined at the end
 * @throws GatewayError `invalid_query_params` for a foreign cursor or one of another order, for a counted page behind one that was full
 * early, and for an order of more connections than are sorted
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
        // A client that counts pages would never see the rows that did not fit into an earlier one.
        if (seen < page * limit) throw fullEarly(Math.floor(seen / limit), seen % limit);
        return last === undefined ? undefined : seal(last);
      }
      seen++;
      last = connection.position;
    }
    position = part.next;
    if (position === undefined || seen >= (page + 1) * limit) break;
  }
  // The requested page is empty.
  if (page > 0 && seen <= page * limit) newPage();
  return position === undefined ? undefined : seal(position);
}

/** How many connections a list has; `complete` is false if there are more than were counted. */
export async function countListed(
  deps: ListConnectionsDependencies,
  request: Pick<ConnectionListRequest, 'accountId' | 'filter' | 'found' | 'isWanted' | 'countWanted'>,
): Promise<{ readonly total: number; readonly complete: boolean }> {
  const { accountId, filter, found, isWanted, countWanted } = request;
  if (found !== undefined) return { total: found.rows.length, complete: found.complete };
  const known = await knownCount(deps, accountId, filter);
  // For short lists a count that is minutes old would be visibly wrong.
  if (known !== undefined && known.total > SORTED_CONNECTIONS_MAX) {
    const total = isWanted === undefined ? known.total : countWanted?.(known.counted);
    if (total !== undefined) return { total, complete: true };
  }
  const lists = await listsFor(deps, accountId, filter);
  if (lists !== undefined) {
    const living = isWanted === undefined ? await countLiving(deps, accountId, filter, lists) : undefined;
    if (living !== undefined) return living;
    if (lists.isExact && isWanted === undefined) return deps.lists.count(accountId, lists.lists, filter.integrationIds);
    const rows = await rowsOfLists(deps, request, lists);
    if (rows !== undefined) return { total: rows.length, complete: true };
  }
  if (isWanted !== undefined) return countByLooking(deps, accountId, filter, isWanted);
  const counted = await deps.connections.count(accountId, filter);
  const { integrationIds, ...others } = filter;
  if (counted.complete || integrationIds === undefined || !isEmpty(others)) return counted;
  return { total: await deps.search.count(accountId, integrationIds), complete: true };
}

/** The lists that answer a filter; undefined where the whole list has to be searched. */
async function listsFor(
  { lists }: Pick<ListConnectionsDependencies, 'lists'>,
  accountId: string,
  filter: ConnectionFilter,
): Promise<ListsOfFilter | undefined> {
  const of = listsOf(filter);
  if (of === undefined || of.lists.length > LISTS_MERGED_MAX) return undefined;
  return (await lists.isComplete(accountId)) ? of : undefined;
}

/** The number of integrations' active connections: all except dead ones. Undefined for other filters. */
async function countLiving(
  { lists }: Pick<ListConnectionsDependencies, 'lists'>,
  accountId: string,
  { status, ...filter }: ConnectionFilter,
  of: ListsOfFilter,
) {
  if (status !== 'active' || listsOf(filter)?.isExact !== true || of.lists[0]?.kind !== 'INTEGRATION') return undefined;
  const [all, dead] = await Promise.all([
    lists.count(accountId, of.lists, undefined),
    lists.count(accountId, [DEAD], filter.integrationIds),
  ]);
  return { total: Math.max(0, all.total - dead.total), complete: all.complete && dead.complete };
}

/** Every matching connection of lists; undefined where the lists have more than are sorted. */
async function rowsOfLists(
  deps: Pick<ListConnectionsDependencies, 'lists' | 'search'>,
  { accountId, filter, isWanted }: Pick<ConnectionListRequest, 'accountId' | 'filter' | 'isWanted'>,
  { lists }: ListsOfFilter,
): Promise<readonly ListedConnection[] | undefined> {
  const wanted = { order: 'newest', after: undefined, count: SORTED_CONNECTIONS_MAX } as const;
  const { refs, next } = await deps.lists.page(accountId, lists, filter.integrationIds, wanted);
  if (next !== undefined) return undefined;
  return (await deps.search.summaries(refs)).filter(belongs(filter, isWanted));
}

/** Counts by checking each connection, up to the maximum of one response. */
async function countByLooking(
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
): Promise<{ readonly counted: Tally; readonly total: number } | undefined> {
  if (!isCountedBy(filter)) return undefined;
  const counted = (await census.read(accountId))?.counted;
  return counted === undefined ? undefined : { counted, total: countedIn(counted, filter) };
}

/** Whether the count of all connections distinguishes the filter's criteria. */
function isCountedBy({ status, cause, integrationIds, ...others }: ConnectionFilter): boolean {
  return isEmpty(others);
}

/** A list's number in the count of all connections. */
function countedIn(census: Tally, { status, cause, integrationIds }: ConnectionFilter): number {
  const tallies = integrationIds?.flatMap((id) => ownMember(census.integrations, id) ?? []) ?? [census];
  const sum = (of: (tally: Pick<Tally, 'active' | 'causes'>) => number) =>
    tallies.reduce((total, one) => total + of(one), 0);
  if (cause !== undefined) return status === 'active' ? 0 : sum(({ causes }) => causes[cause] ?? 0);
  if (status === 'active') return sum(({ active }) => active);
  return sum((one) => (status === undefined ? one.active : 0) + deadOf(one));
}

async function readerOf(deps: ListConnectionsDependencies, request: ConnectionListRequest): Promise<Read> {
  const { accountId, filter, found, sort } = request;
  if (found !== undefined) return sortedReader(found.rows, request);
  if (sort === '-created' || sort === 'created') {
    return plainReader(deps, request, await listsFor(deps, accountId, filter));
  }
  const known = request.isWanted === undefined ? await knownCount(deps, accountId, filter) : undefined;
  const isLong = (known?.total ?? 0) > SORTED_CONNECTIONS_MAX;
  const rows = isLong ? undefined : await allRows(deps, request);
  if (rows !== undefined) return sortedReader(rows, request);
  if (sort === 'name' || sort === '-name') return namedReader(deps, request);
  throw tooMany();
}

/** By age: from the shortest lists that contain the matches, or from the list of all connections. */
function plainReader(
  deps: ListConnectionsDependencies,
  request: ConnectionListRequest,
  lists: ListsOfFilter | undefined,
): Read {
  const { sort, withLastUse, limit, isWanted } = request;
  const order = sort === 'created' ? 'oldest' : 'newest';
  // A cursor contains its order, except the default one.
  const inside = (position: string) => (sort === 'created' ? readPlace(position, sort)[1] : position);
  const outside = (position: string) => (sort === 'created' ? JSON.stringify([sort, 0, position]) : position);
  const { passOver, readPart } =
    lists === undefined ? readerOfAll(deps, request, order) : readerOfLists(deps, request, lists, order);
  return async (wanted, position, skip) => {
    if (order === 'newest' && position?.startsWith('[') === true) throw otherOrder();
    const from = position === undefined ? undefined : inside(position);
    const passes = passOver !== undefined && isWanted === undefined && skip > 0 && limit <= CONNECTIONS_THAT_FIT;
    const start = passes ? await passOver(skip, from) : from;
    if (passes && start === undefined) return { connections: [], passed: 0, next: undefined };
    const passed = passes ? skip : 0;
    const { connections, next } = await readPart(wanted - passed, start);
    const shown = connections.slice(skip - passed);
    const rows =
      withLastUse && lists === undefined
        ? [...connections.slice(0, skip - passed), ...(await deps.search.summaries(shown))]
        : connections;
    return {
      connections: rows.map((row) => ({ ...row, position: outside(row.position) })),
      passed,
      next: next === undefined ? undefined : outside(next),
    };
  };
}

/** How a list by age is read: from a place on, skipping rows unread where all of them match. */
interface AgeReader {
  readonly passOver: ((count: number, from: string | undefined) => Promise<string | undefined>) | undefined;
  readonly readPart: (wanted: number, from: string | undefined) => Promise<Pick<Part, 'connections' | 'next'>>;
}

function readerOfAll(
  { connections: store }: ListConnectionsDependencies,
  { accountId, filter, isWanted }: ConnectionListRequest,
  order: ListOrder,
): AgeReader {
  const passOver = async (count: number, from: string | undefined) =>
    (await store.passOver(accountId, count, from, order)).next;
  return {
    passOver: isEmpty(filter) ? passOver : undefined,
    async readPart(wanted, from) {
      if (isWanted === undefined) return store.list(accountId, filter, wanted, from, order);
      // Few of many may match: a full page is read, however few are requested.
      const part = await store.list(accountId, filter, CONNECTION_LIST_MAX, from, order);
      return firstOf(part.connections.filter(isWanted), wanted, part.next);
    },
  };
}

/** Rows of lists name connections, which are read again: one that has changed since is left out. */
function readerOfLists(
  { lists, search }: ListConnectionsDependencies,
  { accountId, filter, isWanted }: ConnectionListRequest,
  of: ListsOfFilter,
  order: ListOrder,
): AgeReader {
  const isAll = of.isExact && isWanted === undefined;
  const [only, ...others] = of.lists;
  // Other lists also contain rows of other integrations.
  const isPassable =
    only !== undefined && others.length === 0 && (only.kind === 'INTEGRATION' || !filter.integrationIds);
  return {
    passOver: isAll && isPassable ? (count, from) => lists.passOver(accountId, only, order, from, count) : undefined,
    async readPart(wanted, after) {
      const count = isAll ? wanted : Math.max(wanted, LISTED_ROWS_AT_ONCE);
      const { refs, next } = await lists.page(accountId, of.lists, filter.integrationIds, { order, after, count });
      const rows = await search.summaries(refs);
      return firstOf(rows.filter(belongs(filter, isWanted)), wanted, next);
    },
  };
}

/** The first of the rows read, and where to continue. */
function firstOf(all: readonly ShownConnection[], wanted: number, next: string | undefined) {
  const connections = all.slice(0, wanted);
  return { connections, next: connections.length < all.length ? connections.at(-1)?.position : next };
}

/** All rows, in any order, returned a part at a time. */
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

/** By name, from the list by name, or from the search index until that is complete; only shown rows are read. */
function namedReader(deps: ListConnectionsDependencies, request: ConnectionListRequest): Read {
  const { accountId, filter, sort, limit, isWanted } = request;
  const { integrationIds, ...others } = filter;
  const isWhole = isEmpty(others) && isWanted === undefined;
  const isPassable = isWhole && limit <= CONNECTIONS_THAT_FIT;
  const positionOf = ([name, tieBreak]: IndexPlace) => JSON.stringify([sort, name, tieBreak]);
  const isDescending = sort.startsWith('-');
  let names: readonly PlacedConnection[] | undefined;
  let at = 0;
  /** Where to continue; undefined at the end. */
  let rest: IndexPlace | undefined;
  /** Skips rows where that needs no reading, then reads. @returns how many were skipped; undefined behind the end */
  const begin = async (wanted: number, after: IndexPlace | undefined, skip: number): Promise<number | undefined> => {
    // With a filter, connections must be read to be judged: this many per response.
    const count = Math.max(wanted, isWhole ? 0 : SORTED_CONNECTIONS_MAX);
    if (!(await deps.lists.isComplete(accountId))) {
      names = await deps.search.inOrder(accountId, { integrationIds, isDescending, after, count });
      rest = names.length === count ? names.at(-1)?.place : undefined;
      return 0;
    }
    const passed = isPassable && integrationIds === undefined ? skip : 0;
    const order = isDescending ? 'newest' : 'oldest';
    const from = after === undefined ? undefined : placeOfName(after);
    const place = passed === 0 ? from : await deps.lists.passOver(accountId, BY_NAME, order, from, passed);
    if (passed > 0 && place === undefined) return undefined;
    const behind = place === undefined ? undefined : nameOfPlace(place);
    const listed = await deps.lists.byName(accountId, integrationIds, isDescending, behind, count - passed);
    names = listed.refs;
    rest = listed.next;
    return passed;
  };
  return async (wanted, position, skip) => {
    let before = 0;
    if (names === undefined) {
      const behind = position === undefined ? undefined : readPlace(position, sort);
      const begun = await begin(wanted, behind === undefined ? undefined : [String(behind[0]), behind[1]], skip);
      if (begun === undefined) return { connections: [], passed: 0, next: undefined };
      before = begun;
    }
    const known = names ?? [];
    const passed = isPassable ? Math.min(skip - before, known.length - at) : 0;
    const part = known.slice(at + passed, at + wanted - before);
    at += passed + part.length;
    const places = new Map(part.map((one) => [connectionRefKey(one), one.place]));
    const rows = (await deps.search.summaries(part)).filter(belongs(filter, isWanted));
    const end = at < known.length ? known[at - 1]?.place : rest;
    return {
      connections: rows.flatMap((row) => {
        const place = places.get(connectionRefKey(row));
        return place === undefined ? [] : [{ ...row, position: positionOf(place) }];
      }),
      passed: before + passed,
      next: end === undefined ? undefined : positionOf(end),
    };
  };
}

/** A search's results as rows: for the list and for its total. */
export async function findListed(
  { search }: Pick<ListConnectionsDependencies, 'search'>,
  { accountId, filter, isWanted }: Pick<ConnectionListRequest, 'accountId' | 'filter' | 'isWanted'>,
  text: string,
): Promise<FoundRows> {
  if (searchWords(text).length === 0) return { rows: [], complete: true };
  const { found, complete } = await search.find(accountId, text, filter.integrationIds);
  const rows = await search.summaries(found);
  return { rows: rows.filter(belongs(filter, isWanted)), complete };
}

/** Connections with an id, of which each integration has at most one. */
export async function findNamed(
  { search }: Pick<ListConnectionsDependencies, 'search'>,
  { accountId, filter, isWanted }: Pick<ConnectionListRequest, 'accountId' | 'filter' | 'isWanted'>,
  connectionId: string,
  integrationIds: readonly string[],
): Promise<FoundRows> {
  const rows = await search.summaries(
    integrationIds
      .filter((id) => filter.integrationIds?.includes(id) !== false)
      .map((integrationId) => ({ accountId, integrationId, connectionId })),
  );
  return { rows: rows.filter(belongs(filter, isWanted)), complete: true };
}

/** Every row of a list; undefined where there are more than are sorted. */
async function allRows(
  deps: ListConnectionsDependencies,
  { accountId, filter, sort, isWanted }: ConnectionListRequest,
): Promise<readonly ShownConnection[] | undefined> {
  const lists = await listsFor(deps, accountId, filter);
  const listed = lists === undefined ? undefined : await rowsOfLists(deps, { accountId, filter, isWanted }, lists);
  if (listed !== undefined) return listed;
  if (lists?.isExact === true && isWanted === undefined) return undefined;
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

/** The sort value of a row, and a tie-breaker. */
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

/** The place in a valid cursor. @throws GatewayError `invalid_query_params` for one of another order */
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

/** Checks rows that were read again: by the filter, and by conditions beyond it. */
function belongs(
  filter: ConnectionFilter,
  isWanted: ConnectionListRequest['isWanted'],
): (row: ShownConnection) => boolean {
  return (row) => matches(row, filter) && isWanted?.(row) !== false;
}

function matches(row: ConnectionSummary, filter: ConnectionFilter): boolean {
  const { status, cause, endUserId, organizationId, connectionId, tags = {} } = filter;
  return (
    row.status !== 'deleted' &&
    (status === undefined || row.status === status) &&
    (filter.integrationIds?.includes(row.integrationId) ?? true) &&
    (filter.isFailing !== true || row.callFault !== undefined) &&
    (cause === undefined || row.cause === cause) &&
    (endUserId === undefined || endUserIdOf(row) === endUserId) &&
    (organizationId === undefined || row.endUser?.organization?.id === organizationId) &&
    (connectionId === undefined || row.connectionId === connectionId) &&
    Object.entries(tags).every(([key, value]) => row.tags[key] === value)
  );
}

function otherOrder(): GatewayError {
  return refusal('invalid_query_params', [
    { path: 'cursor', message: 'belongs to a list in another order: start again without a cursor' },
  ]);
}

function tooMany(): GatewayError {
  return refusal('invalid_query_params', [
    {
      path: 'sort',
      message: `more than ${SORTED_CONNECTIONS_MAX} connections are in this list, too many to sort by last use; filter or search them, or choose another order`,
    },
  ]);
}

function fullEarly(page: number, held: number): GatewayError {
  return refusal('invalid_query_params', [
    {
      path: 'page',
      message: `page ${page} was full after ${held} connections, the most that one answer can contain; continue with cursor=<its next_cursor>, or use page with limit=${held} or less`,
    },
  ]);
}
