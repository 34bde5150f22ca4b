import { describe, expect, it } from 'vitest';
import type { ConnectionFilter, ConnectionPage } from '../../../client/src/index.ts';
import { eachLimited } from '../../../dashboard/src/data/each-limited.ts';
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
  it('asks the gateway for what it can filter', async () => {
    const asked: ConnectionFilter[] = [];
    const gateway = gatewayWith((filter) => {
      asked.push(filter);
      return { connections: [connection({})], nextCursor: undefined };
    });
    const filter = { ...NO_FILTER, search: 'a', status: 'active', integration: 'drive' } as const;
    await loadConnectionPage(gateway, filter, 'c1', signal);
    expect(asked).toEqual([
      { limit: ROWS_PER_PAGE, search: 'a', status: 'active', integrationId: 'drive', cursor: 'c1' },
    ]);
  });

  it('looks through several pages for a rare cause, and no further than it may', async () => {
    let page = 0;
    const gateway = gatewayWith((filter) => {
      expect(filter.status).toBe('reauthorization_required');
      page += 1;
      const cause = page === 3 ? 'admin_restricted' : 'user_revoked';
      return { connections: [connection({ id: page, cause })], nextCursor: `c${page}` };
    });
    const found = await loadConnectionPage(gateway, { ...NO_FILTER, cause: 'admin_restricted' }, undefined, signal);
    expect(found.rows.map(({ id }) => id)).toEqual([3]);
    expect(found.nextCursor).toBe('c5');
  });
});

describe('tasks with a limit', () => {
  it('run so many at a time and keep their order', async () => {
    let running = 0;
    let most = 0;
    const { results, failures } = await eachLimited([1, 2, 3, 4, 5], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (item === 3) throw new Error('no');
      return item * 10;
    });
    expect(results).toEqual([10, 20, 40, 50]);
    expect(failures).toBe(1);
    expect(most).toBe(2);
  });
});
