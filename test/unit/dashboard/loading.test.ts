import { expect, it } from 'vitest';
import { loadConnectionPage, ROWS_PER_PAGE } from '../../../packages/dashboard/src/data/load-connection-page.ts';
import { openGateway } from '../../../packages/dashboard/src/gateway/gateway.ts';

it('a page of the table leaves every filter to the gateway', async () => {
  const config = {
    apiBaseUrl: 'http://127.0.0.1:9',
    proxyUrl: 'http://127.0.0.1:9',
    issuer: 'http://127.0.0.1:9',
    clientId: 'x',
    without: new Set<string>(),
  };
  const gateway = openGateway(config, { accessToken: async () => '', renew: async () => {}, end: () => {} });
  const answer = { connections: [], nextCursor: undefined, total: undefined, totalIsComplete: false };
  let asked: unknown;
  const list = async (query: unknown) => {
    asked = query;
    return answer;
  };
  Object.assign(gateway.connections, { list });
  const wanted = { search: 'a', status: 'active', cause: 'user_revoked', sort: 'name' } as const;
  const { signal } = new AbortController();
  const page = await loadConnectionPage(gateway, { ...wanted, integration: 'drive' }, 3, signal);
  expect(page.connections).toEqual([]);
  const own = { limit: ROWS_PER_PAGE, page: 2, include: ['total', 'last_used'] };
  expect(asked).toEqual({ ...wanted, integrationId: 'drive', ...own });
});
