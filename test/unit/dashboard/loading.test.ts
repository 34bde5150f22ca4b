import { describe, expect, it } from 'vitest';
import type { ConnectionFilter, ConnectionPage } from '../../../client/src/index.ts';
import { loadConnectionPage, ROWS_PER_PAGE } from '../../../dashboard/src/data/load-connection-page.ts';
import type { Gateway } from '../../../dashboard/src/gateway/gateway.ts';
import { openGateway } from '../../../dashboard/src/gateway/gateway.ts';
import { NO_FILTER } from '../../../dashboard/src/model/connection-filter.ts';
import { connection } from './connection-facts.ts';

const { signal } = new AbortController();

/** A gateway whose list of connections comes from a function. */
function gatewayWith(list: (filter: ConnectionFilter) => ConnectionPage): Gateway {
  const config = { apiBaseUrl: 'http://127.0.0.1:9', issuer: 'http://127.0.0.1:9', clientId: 'x' };
  const gateway = openGateway(config, { accessToken: async () => '', renew: async () => {}, end: () => {} });
  Object.assign(gateway.connections, { list: async (filter: ConnectionFilter) => list(filter) });
  return gateway;
}

describe('a page of the table', () => {
  it('leaves every filter to the gateway', async () => {
    const asked: ConnectionFilter[] = [];
    const gateway = gatewayWith((filter) => {
      asked.push(filter);
      return { connections: [connection({})], nextCursor: undefined, total: undefined, totalIsComplete: false };
    });
    const filter = {
      ...NO_FILTER,
      search: 'a',
      status: 'active',
      integration: 'drive',
      cause: 'user_revoked',
      sort: 'name',
    } as const;
    const page = await loadConnectionPage(gateway, filter, 3, signal);
    expect(page.connections.length).toBe(1);
    expect(asked).toEqual([
      {
        limit: ROWS_PER_PAGE,
        search: 'a',
        status: 'active',
        integrationId: 'drive',
        cause: 'user_revoked',
        sort: 'name',
        page: 2,
        include: ['total', 'last_used'],
      },
    ]);
  });
});
