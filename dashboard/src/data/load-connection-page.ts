import type { Gateway } from '../gateway/gateway.ts';
import type { ConnectionFilter, ConnectionSummary } from '../gateway/library.ts';
import type { ListFilter } from '../model/connection-filter.ts';

/** Rows of one page of the table. */
export const ROWS_PER_PAGE = 50;
/** Requests for one page of the table: a rare cause then ends in a next page instead of a long wait. */
const REQUESTS_MAX = 5;

/** Rows of the table, and where it goes on. */
export interface ConnectionRows {
  readonly rows: readonly ConnectionSummary[];
  readonly nextCursor: string | undefined;
}

/**
 * Reads one page of the table. The gateway filters by everything but the cause, which is looked for here; a page may
 * hold fewer rows than it could and still have a next one.
 */
export async function loadConnectionPage(
  gateway: Gateway,
  filter: ListFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ConnectionRows> {
  const rows: ConnectionSummary[] = [];
  let position = cursor;
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    const wanted = ROWS_PER_PAGE - rows.length;
    const page = await gateway.connections.list(listQuery(filter, wanted, position), { signal });
    rows.push(...page.connections.filter((row) => filter.cause === '' || row.cause === filter.cause));
    position = page.nextCursor;
    if (position === undefined || rows.length >= ROWS_PER_PAGE) break;
  }
  return { rows, nextCursor: position };
}

function listQuery(filter: ListFilter, limit: number, cursor: string | undefined): ConnectionFilter {
  const status = filter.cause === '' ? filter.status : 'reauthorization_required';
  return {
    limit,
    ...(filter.search === '' ? {} : { search: filter.search }),
    ...(status === '' ? {} : { status }),
    ...(filter.integration === '' ? {} : { integrationId: filter.integration }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
