import { describe, expect, it } from 'vitest';
import { type ManagementGateway, managementGateway, member, secretKey, textAt } from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

async function withConnections(count: number): Promise<ManagementGateway> {
  const gateway = managementGateway();
  gateway.addIntegration();
  for (let i = 0; i < count; i++) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString();
    await gateway.addConnection({ connectionId: `c${i}`, createdAt });
  }
  return gateway;
}

const ids = async (gateway: ManagementGateway, query: string, key?: string): Promise<unknown[]> => {
  const reply = await gateway.call('GET', `/connections${query}`, key === undefined ? {} : { key });
  const connections = member(reply.body, 'connections');
  if (!Array.isArray(connections)) throw new Error(JSON.stringify(reply));
  return connections.map((connection) => member(connection, 'connection_id'));
};

describe('listing connections', () => {
  it('shows the shape the compatible client knows, and ours beside it', async () => {
    const gateway = managementGateway();
    const row = await gateway.addConnection({ status: 'reauthorization_required', death: DEATH, metadata: { a: 1 } });
    const reply = await gateway.call('GET', '/connections');
    expect(reply.body).toEqual({
      connections: [
        {
          id: row.numericId,
          connection_id: 'first',
          provider_config_key: 'drive',
          provider: 'google-drive',
          errors: [{ type: 'auth', log_id: 'first' }],
          end_user: {
            id: 'user-1',
            email: 'first.user@example.com',
            display_name: null,
            tags: null,
            organization: null,
          },
          tags: { end_user_id: 'user-1', end_user_email: 'first.user@example.com' },
          metadata: { a: 1 },
          created: '2026-03-01T11:50:00.000Z',
          status: 'reauthorization_required',
          cause: 'user_revoked',
          provider_account: { subject: 'subject-of-first', email: 'first.user@example.com' },
        },
      ],
      next_cursor: null,
    });
  });

  it('shows neither another account’s nor deleted ones', async () => {
    const gateway = managementGateway();
    await gateway.addConnection({ accountId: 'other' });
    await gateway.addConnection({ status: 'deleted' });
    expect(await ids(gateway, '')).toEqual([]);
  });

  it('pages by number, newest first', async () => {
    const gateway = await withConnections(5);
    expect(await ids(gateway, '?limit=2')).toEqual(['c4', 'c3']);
    expect(await ids(gateway, '?limit=2&page=1')).toEqual(['c2', 'c1']);
    expect(await ids(gateway, '?limit=2&page=2')).toEqual(['c0']);
    expect(await ids(gateway, '?limit=2&page=3')).toEqual([]);
  });

  it('pages by cursor to the end and no further', async () => {
    const gateway = await withConnections(5);
    const seen: unknown[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const reply = await gateway.call('GET', `/connections${query}`);
      const connections = member(reply.body, 'connections');
      seen.push(...(Array.isArray(connections) ? connections.map((one) => member(one, 'connection_id')) : []));
      const next = member(reply.body, 'next_cursor');
      query = `?limit=2&cursor=${encodeURIComponent(String(next))}`;
      expect(next === null).toBe(page === 2);
    }
    expect(seen).toEqual(['c4', 'c3', 'c2', 'c1', 'c0']);
  });

  it('refuses a cursor that was changed, made up, or is another account’s (AK-10)', async () => {
    const gateway = await withConnections(3);
    const cursor = textAt((await gateway.call('GET', '/connections?limit=1')).body, 'next_cursor');
    await gateway.addConnection({ accountId: 'other', connectionId: 'x' });
    const foreign = gateway.addKey(secretKey('foreign', 'other'), { accountId: 'other' });
    const tries = [
      gateway.call('GET', `/connections?cursor=${encodeURIComponent(`${cursor}x`.replace('sealed', 'sealee'))}`),
      gateway.call('GET', '/connections?cursor=2026-01-01T00%3A00%3A00.000Z%235'),
      gateway.call('GET', `/connections?cursor=${encodeURIComponent(cursor)}`, { key: foreign }),
    ];
    for (const reply of await Promise.all(tries)) {
      expect(reply).toMatchObject({ status: 400, body: { error: { errors: [{ path: 'cursor' }] } } });
    }
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=2001', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['page=6', 'page'],
    ['page=101&limit=100', 'page'],
    ['page=1&limit=1&cursor=x', 'page'],
    ['status=broken', 'status'],
    ['cause=broken', 'cause'],
    ['sort=asc', 'sort'],
  ])('refuses %s', async (query, path) => {
    const reply = await managementGateway().call('GET', `/connections?${query}`);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_query_params', errors: [{ path }] } } });
  });

  it('names the cursor where counting pages ends', async () => {
    const reply = await managementGateway().call('GET', '/connections?page=101&limit=100');
    expect(textAt(reply.body, 'error', 'message')).toContain('next_cursor');
  });

  it('filters by everything the compatible client sends', async () => {
    const gateway = managementGateway();
    const organization = { id: 'org-1', displayName: null };
    await gateway.addConnection({ connectionId: 'a', tags: { plan: 'pro', end_user_email: 'first.user@example.com' } });
    await gateway.addConnection({ connectionId: 'b', integrationId: 'calendar' });
    await gateway.addConnection({
      connectionId: 'c',
      endUser: { id: 'user-2', email: null, displayName: null, tags: null, organization },
    });
    expect(await ids(gateway, '?connectionId=b')).toEqual(['b']);
    expect(await ids(gateway, '?integrationId=calendar,unknown')).toEqual(['b']);
    expect(await ids(gateway, '?endUserId=user-2')).toEqual(['c']);
    expect(await ids(gateway, '?endUserOrganizationId=org-1')).toEqual(['c']);
    expect(await ids(gateway, '?tags%5BPlan%5D=pro&tags%5Bemail%5D=first.user@example.com')).toEqual(['a']);
    expect(await ids(gateway, '?tags%5Bplan%5D=free')).toEqual([]);
  });

  it('filters by the cause of death', async () => {
    const gateway = managementGateway();
    const dead = { status: 'reauthorization_required' } as const;
    await gateway.addConnection({ connectionId: 'alive' });
    await gateway.addConnection({ connectionId: 'revoked', ...dead, death: DEATH });
    await gateway.addConnection({
      connectionId: 'restricted',
      ...dead,
      death: { ...DEATH, cause: 'admin_restricted' },
    });
    expect(await ids(gateway, '?cause=admin_restricted')).toEqual(['restricted']);
    expect(await ids(gateway, '?cause=user_revoked')).toEqual(['revoked']);
    expect(await ids(gateway, '?cause=user_revoked&status=active')).toEqual([]);
  });

  it('shows a limited key its integrations only', async () => {
    const gateway = managementGateway();
    await gateway.addConnection({ connectionId: 'a' });
    await gateway.addConnection({ connectionId: 'b', integrationId: 'calendar' });
    const key = gateway.addKey(secretKey('limited'), { integrationIds: ['calendar'], right: 'read' });
    expect(await ids(gateway, '', key)).toEqual(['b']);
    expect(await ids(gateway, '?integrationId=drive', key)).toEqual([]);
  });
});
