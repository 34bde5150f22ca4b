/** Orders of the list that the gateway knows; the empty one is the newest first. */
export const LIST_SORTS = ['', 'created', 'name', '-name', 'last_used', '-last_used'] as const;
export type ListSort = (typeof LIST_SORTS)[number];

/** Statuses for filtering the list: stored ones, and the health of active connections. */
export const LIST_STATUSES = [
  '',
  'working',
  'active',
  'reauthorization_required',
  'failing',
  'refused_by_provider',
  'ends_soon',
  'client_refused',
  'not_used_yet',
] as const;
export type ListStatus = (typeof LIST_STATUSES)[number];

/** Filter of the list of connections; stored in the address of the page. Empty texts filter nothing. */
export interface ListFilter {
  readonly search: string;
  readonly status: ListStatus | (string & {});
  readonly integration: string;
  readonly cause: string;
  readonly sort: ListSort;
}

/** Nothing filtered, the newest first. */
export const NO_FILTER: ListFilter = { search: '', status: '', integration: '', cause: '', sort: '' };

/** Reads a filter from an address; the gateway refuses a status that it does not know. */
export function readFilter(params: URLSearchParams): ListFilter {
  return {
    search: (params.get('search') ?? '').slice(0, 255),
    status: (params.get('status') ?? '').slice(0, 64),
    integration: (params.get('integration') ?? '').slice(0, 255),
    cause: (params.get('cause') ?? '').slice(0, 64),
    sort: LIST_SORTS.find((sort) => sort === params.get('sort')) ?? '',
  };
}

/** Writes a filter as a query; what filters nothing is left out. */
export function writeFilter(filter: ListFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** Whether anything is filtered. */
export function isFiltering({ sort: _, ...filter }: ListFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** The page in an address, counted from 1; anything else is the first. */
export function readPage(params: URLSearchParams): number {
  const page = /^[1-9]\d{0,2}$/.exec(params.get('page') ?? '')?.[0];
  return page === undefined ? 1 : Number(page);
}
