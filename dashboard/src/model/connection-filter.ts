/** What the list of connections shows; lives in the address of the page. Empty texts filter nothing. */
export interface ListFilter {
  readonly search: string;
  readonly status: '' | 'active' | 'reauthorization_required';
  readonly integration: string;
  readonly cause: string;
}

/** Nothing filtered. */
export const NO_FILTER: ListFilter = { search: '', status: '', integration: '', cause: '' };

/** Reads a filter from an address; unknown values count as none. */
export function readFilter(params: URLSearchParams): ListFilter {
  const status = params.get('status');
  return {
    search: (params.get('search') ?? '').slice(0, 255),
    status: status === 'active' || status === 'reauthorization_required' ? status : '',
    integration: (params.get('integration') ?? '').slice(0, 255),
    cause: (params.get('cause') ?? '').slice(0, 64),
  };
}

/** Writes a filter as a query; what filters nothing is left out. */
export function writeFilter(filter: ListFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** Whether anything is filtered. */
export function isFiltering(filter: ListFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}
