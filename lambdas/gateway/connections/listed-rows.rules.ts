import type { ListName } from '../core/identifiers.ts';
import { LISTED_NAME_MAX_LENGTH } from '../core/limits.ts';
import type { Connection, ConnectionFilter, ConnectionSummary } from './connection.rules.ts';
import { type IndexPlace, placeNumber, searchText } from './search.rules.ts';

/** A connection's row in a list. */
export interface ListedRow {
  readonly list: ListName;
  /** Sort key: the connection's place in the list. */
  readonly place: string;
}

/** What of a connection its rows follow from. */
export type ListedSubject = Pick<
  ConnectionSummary,
  | 'integrationId'
  | 'connectionId'
  | 'status'
  | 'cause'
  | 'callFault'
  | 'endUser'
  | 'providerAccount'
  | 'tags'
  | 'numericId'
  | 'position'
>;

/** Sorts an account's connections by age; the number keeps two of one millisecond apart. */
export function listSortKey(connection: Pick<Connection, 'createdAt' | 'numericId'>): string {
  return `${connection.createdAt}#${connection.numericId}`;
}

/** A connection as its rows follow from it. */
export function listedSubject(connection: Connection): ListedSubject {
  return { ...connection, cause: connection.death?.cause, position: listSortKey(connection) };
}

/** The rows of a connection that is not deleted: what it belongs to, and of one that does not work why. */
export function listedRowsOf(connection: ListedSubject): ListedRow[] {
  const { status, integrationId, endUser, tags, position } = connection;
  if (status === 'deleted') return [];
  const organization = endUser?.organization?.id;
  const inOrder = (kind: ListName['kind'], value: string): ListedRow => ({ list: { kind, value }, place: position });
  return [
    inOrder('INTEGRATION', integrationId),
    ...(endUser === undefined ? [] : [inOrder('END_USER', endUser.id)]),
    ...(organization === undefined ? [] : [inOrder('ORGANIZATION', organization)]),
    ...Object.entries(tags).map((tag) => inOrder('TAG', tagValue(tag))),
    ...(status === 'active' ? [] : deadRowsOf(connection.cause, position)),
    ...(connection.callFault === undefined ? [] : [failingRowOf(position)]),
    { list: BY_NAME, place: namePlace(connection) },
  ];
}

/** The rows that a dead connection has beside the others. @param cause undefined where none is known */
export function deadRowsOf(cause: string | undefined, position: string): ListedRow[] {
  const lists: readonly ListName[] = [DEAD, ...(cause === undefined ? [] : [{ kind: 'CAUSE', value: cause } as const])];
  return lists.map((list) => ({ list, place: position }));
}

/** The row that a connection has while the provider refuses its calls. */
export function failingRowOf(position: string): ListedRow {
  return { list: { kind: 'FAILING', value: '' }, place: position };
}

/** No key of a tag has an equals sign. */
function tagValue([key, value]: readonly [key: string, value: string]): string {
  return `${key}=${value}`;
}

export const DEAD: ListName = { kind: 'DEAD', value: '' };
export const BY_NAME: ListName = { kind: 'NAME', value: '' };

/** Lists which together hold everything that a filter lets through, and whether they hold nothing else. */
export interface ListsOfFilter {
  readonly lists: readonly ListName[];
  readonly isExact: boolean;
}

/** Where to look for what a filter names: in its shortest list. Undefined where it names nothing that has a list. */
export function listsOf({ integrationIds, ...others }: ConnectionFilter): ListsOfFilter | undefined {
  const { status, cause, isFailing, endUserId, organizationId, connectionId, tags } = others;
  const isDead = status === undefined || status === 'reauthorization_required';
  const [tag, ...otherTags] = Object.entries(tags ?? {});
  const more = [isFailing, connectionId, ...otherTags].some((one) => one !== undefined);
  const of = (kind: ListName['kind'], value: string, ...unheld: readonly unknown[]): ListsOfFilter => ({
    lists: [{ kind, value }],
    isExact: !more && unheld.every((one) => one === undefined),
  });
  if (endUserId !== undefined) return of('END_USER', endUserId, organizationId, cause, status, tag);
  if (cause !== undefined && isDead) return of('CAUSE', cause, organizationId, tag);
  // A cause that is still asked for comes with the status of connections that have none.
  if (organizationId !== undefined) return of('ORGANIZATION', organizationId, status, tag);
  if (isFailing === true) return of('FAILING', '');
  if (tag !== undefined) return of('TAG', tagValue(tag), status);
  if (status === 'reauthorization_required') return of('DEAD', '');
  if (integrationIds === undefined) return undefined;
  const lists = integrationIds.map((value) => ({ kind: 'INTEGRATION', value }) as const);
  return { lists, isExact: !more && status === undefined };
}

/** Characters below a blank separate a name from the number, so that a name comes before its continuations. */
const NAME_END = '\t';

/** Place in the list by name. */
function namePlace(connection: ListedSubject): string {
  return placeOfName([searchText(connection).split('\n')[0] ?? '', placeNumber(String(connection.numericId))]);
}

/** A place in an order by name as it is in the list. A character that the limit cuts in two would not be stored: half of it is replaced. */
export function placeOfName([name, number]: IndexPlace): string {
  return `${name.slice(0, LISTED_NAME_MAX_LENGTH).toWellFormed()}${NAME_END}${number}`;
}

/** The same read back. */
export function nameOfPlace(place: string): IndexPlace {
  const end = place.lastIndexOf(NAME_END);
  return [place.slice(0, end), place.slice(end + 1)];
}
