import type { Gateway } from '../gateway/gateway.ts';
import type { ConnectionFilter, ConnectionPage } from '../gateway/library.ts';
import type { ListFilter } from '../model/connection-filter.ts';

/** Rows of one page of the table. */
export const ROWS_PER_PAGE = 50;

/** Reads one page of the table. Where little matches, it may hold fewer rows than it could and still have a next one. */
export function loadConnectionPage(
  gateway: Gateway,
  filter: ListFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ConnectionPage> {
  return gateway.connections.list(listQuery(filter, cursor), { signal });
}

function listQuery(filter: ListFilter, cursor: string | undefined): ConnectionFilter {
  return {
    limit: ROWS_PER_PAGE,
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...(filter.status === '' ? {} : { status: filter.status }),
    ...(filter.integration === '' ? {} : { integrationId: filter.integration }),
    ...(filter.cause === '' ? {} : { cause: filter.cause }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
