import type { Gateway } from '../gateway/gateway.ts';
import type { ConnectionFilter, ConnectionPage, ConnectionSummary } from '../gateway/library.ts';
import type { ListFilter } from '../model/connection-filter.ts';

/** Rows of one page of the table. */
export const ROWS_PER_PAGE = 50;
/** The gateway counts pages up to so many connections. */
export const PAGES_MAX = 200;

/** Reads one page of the table. Where little matches, it may hold fewer rows than it could and still have a next one. */
export function loadConnectionPage(
  gateway: Gateway,
  filter: ListFilter,
  page: number,
  signal: AbortSignal,
): Promise<ConnectionPage> {
  const wanted = { ...listQuery(filter), limit: ROWS_PER_PAGE, ...(page === 1 ? {} : { page: page - 1 }) };
  return gateway.connections.list({ ...wanted, include: ['total', 'last_used'] }, { signal });
}

/** Reads every connection of a list. @param most stops there. @default however many there are */
export async function loadWholeList(
  gateway: Gateway,
  filter: ListFilter,
  most = Number.POSITIVE_INFINITY,
): Promise<ConnectionSummary[]> {
  const all: ConnectionSummary[] = [];
  for await (const one of gateway.connections.all({ ...listQuery(filter), include: ['last_used'], limit: 1000 })) {
    all.push(one);
    if (all.length >= most) break;
  }
  return all;
}

/** Stored statuses filter as such; the others filter by health. */
function statusQuery(status: ListFilter['status']): ConnectionFilter {
  if (status === '') return {};
  const recorded = (['active', 'reauthorization_required'] as const).find((one) => one === status);
  return recorded === undefined ? { health: status } : { status: recorded };
}

function listQuery(filter: ListFilter): ConnectionFilter {
  return {
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...statusQuery(filter.status),
    ...(filter.integration === '' ? {} : { integrationId: filter.integration }),
    ...(filter.cause === '' ? {} : { cause: filter.cause }),
    ...(filter.sort === '' ? {} : { sort: filter.sort }),
  };
}
