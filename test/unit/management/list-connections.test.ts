import { describe, expect, it } from 'vitest';
import { NOTHING_COUNTED, newCensus } from '../../../lambdas/gateway/connections/census.rules.ts';
import { searchUpkeep } from '../../../lambdas/gateway/connections/connection-search.store.ts';
import { HEALTH_STATUSES } from '../../../lambdas/gateway/connections/health.rules.ts';
import { LIST_ANSWER_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { count, epochSec } from './support/count.ts';
import {
  integratedGateway,
  type ManagementGateway,
  managementGateway,
  member,
  secretKey,
  textAt,
} from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

async function withConnections(count: number): Promise<ManagementGateway> {
  const gateway = integratedGateway();
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

/** Every page of a list, by its cursors; no page is larger than one answer may be. */
async function pages(gateway: ManagementGateway, path: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  let cursor = '';
  do {
    const { status, body } = await gateway.call('GET', `${path}${cursor}`);
    expect(status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(LIST_ANSWER_MAX_BYTES);
    found.push(Object(body).connections ?? Object(body).data);
    const next = member(body, 'next_cursor');
    cursor = next === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(String(next))}`;
  } while (cursor !== '');
  return found;
}

const idsOfPages = async (gateway: ManagementGateway, query: string) =>
  (await pages(gateway, `/connections?${query}`)).map((page) => page.map((one) => member(one, 'connection_id')));

describe('listing connections', () => {
  it('shows the shape the compatible client knows, and ours alongside it', async () => {
    const gateway = managementGateway();
    const row = await gateway.addConnection({ status: 'reauthorization_required', death: DEATH, metadata: { a: 1 } });
    const email = 'first.user@example.com';
    const reply = await gateway.call('GET', '/connections');
    expect(reply.body).toEqual({
      connections: [
        {
          id: row.numericId,
          connection_id: 'first',
          provider_config_key: 'drive',
          provider: 'google-drive',
          errors: [{ type: 'auth', log_id: 'first' }],
          end_user: { id: 'user-1', email, display_name: null, tags: null, organization: null },
          tags: { end_user_id: 'user-1', end_user_email: email },
          metadata: { a: 1 },
          created: '2026-03-01T11:50:00.000Z',
          status: 'reauthorization_required',
          cause: 'user_revoked',
          provider_account: { subject: 'subject-of-first', email },
          health: {
            status: 'dead',
            reason: 'user_revoked',
            certain: false,
            since: '2026-03-01T11:55:00.000Z',
            ends_at: null,
          },
        },
      ],
      next_cursor: null,
    });
  });

  it('says of every connection whether it works, and finds those of one health', async () => {
    const gateway = managementGateway();
    const clientFault = { error: 'invalid_client', sinceEpochSec: 1_772_366_400, retryAtEpochSec: 1_772_366_460 };
    gateway.addIntegration({ publishingStatus: 'production' });
    gateway.addIntegration({ integrationId: 'refused', publishingStatus: 'production', clientFault });
    const usedAt = Date.parse('2026-03-01T11:59:00Z') / 1000;
    const used = { lastUsedAtEpochSec: usedAt };
    const callFault = { status: 403, reason: 'insufficientPermissions', sinceEpochSec: usedAt };
    await gateway.addConnection({ connectionId: 'active', ...used });
    await gateway.addConnection({ connectionId: 'not_used_yet' });
    await gateway.addConnection({ connectionId: 'failing', ...used, callFault });
    const refreshRefusal = {
      error: 'org_internal',
      sinceEpochSec: usedAt,
      count: 3,
      tokenEpoch: 1,
      toldAtEpochSec: usedAt,
    };
    await gateway.addConnection({ connectionId: 'refused_by_provider', ...used, refreshRefusal });
    await gateway.addConnection({ connectionId: 'ends_soon', ...used, refreshTokenExpiresAtEpochSec: usedAt + 3600 });
    await gateway.addConnection({ connectionId: 'client_refused', integrationId: 'refused', ...used });
    await gateway.addConnection({ connectionId: 'dead', status: 'reauthorization_required', death: DEATH });
    for (const health of HEALTH_STATUSES) {
      expect(await ids(gateway, `?health=${health}`), health).toEqual([health]);
      const counted = await gateway.call('GET', `/connections?health=${health}&include=total&limit=1&search=${health}`);
      expect(counted.body, health).toMatchObject({ total: 1, connections: [{ health: { status: health } }] });
    }
    expect(await ids(gateway, '?health=dead&status=active')).toEqual([]);
    expect(await ids(gateway, '?health=client_refused&integrationId=drive')).toEqual([]);
  });

  it('pages through those of one health, whatever lies between them', async () => {
    const gateway = await withConnections(9);
    for (const connectionId of ['c1', 'c4', 'c7']) {
      const callFault = { status: 401, reason: undefined, sinceEpochSec: 1_772_366_400 };
      await gateway.addConnection({ connectionId, createdAt: `2026-01-01T00:0${connectionId[1]}:00.000Z`, callFault });
    }
    const first = await gateway.call('GET', '/connections?health=failing&limit=2&include=total');
    expect(first.body).toMatchObject({ connections: [{ connection_id: 'c7' }, { connection_id: 'c4' }], total: 3 });
    const cursor = encodeURIComponent(String(member(first.body, 'next_cursor')));
    expect(await ids(gateway, `?health=failing&limit=2&cursor=${cursor}`)).toEqual(['c1']);
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
    expect(await idsOfPages(gateway, 'limit=2')).toEqual([['c4', 'c3'], ['c2', 'c1'], ['c0']]);
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
      expect(reply).toMatchObject({ status: 400, paths: ['cursor'] });
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
    expect(reply).toMatchObject({ status: 400, code: 'invalid_query_params', paths: [path] });
  });

  it.each([
    ['GET', '/connections', 'provider_config_key=driv'],
    ['GET', '/connections', 'integrationId=drive,driv'],
    ['GET', '/connections', 'health=failing&provider_config_key=driv'],
    ['GET', '/feeds', 'provider_config_key=driv'],
    ['GET', '/revocations', 'provider_config_key=driv'],
    ['GET', '/calls', 'provider_config_key=driv'],
    ['GET', '/usage', 'provider_config_key=driv'],
    ['GET', '/usage/minutes', 'provider_config_key=driv'],
    ['GET', '/usage/connections', 'provider_config_key=driv'],
  ])(
    'refuses an integration that does not exist, and names the one that was meant: %s %s?%s',
    async (method, path, query) => {
      const gateway = managementGateway();
      gateway.addIntegration();
      const reply = await gateway.call(method, `${path}?${query}`);
      expect(reply).toMatchObject({ status: 400, code: 'invalid_query_params', paths: ['provider_config_key'] });
      expect(textAt(reply.body, 'error', 'message')).toContain('there is no integration driv; did you mean drive?');
      const sound = await gateway.call(method, `${path}?${query.replace(/driv$/, 'drive')}`);
      expect(sound.status).toBe(200);
    },
  );

  it('names no integration in its place that a key may not see', async () => {
    const gateway = managementGateway();
    for (const integrationId of ['drive', 'secret-drive']) gateway.addIntegration({ integrationId });
    const key = gateway.addKey(secretKey('limited'), { integrationIds: ['drive', 'secret-driv'] });
    const reply = await gateway.call('GET', '/connections?provider_config_key=secret-driv', { key });
    expect(reply).toMatchObject({ status: 400, paths: ['provider_config_key'] });
    expect(JSON.stringify(reply.body)).not.toContain('secret-drive');
    expect((await gateway.call('GET', '/connections?provider_config_key=nothing', { key })).status).toBe(200);
  });

  it.each([
    ['status=activ', 'did you mean active?'],
    ['health=faling', 'did you mean failing?'],
    ['cause=user-revoked', 'did you mean user_revoked?'],
    ['sort=Name', 'did you mean name?'],
  ])('says what was probably meant by %s', async (query, hint) => {
    const reply = await managementGateway().call('GET', `/connections?${query}`);
    expect(textAt(reply.body, 'error', 'message')).toContain(hint);
  });

  it('names the cursor where counting pages ends', async () => {
    const reply = await managementGateway().call('GET', '/connections?page=101&limit=100');
    expect(textAt(reply.body, 'error', 'message')).toContain('next_cursor');
  });

  it('filters by everything the compatible client sends', async () => {
    const gateway = managementGateway();
    const organization = { id: 'org-1', displayName: null };
    gateway.addIntegration();
    gateway.addIntegration({ integrationId: 'calendar' });
    await gateway.addConnection({ connectionId: 'a', tags: { plan: 'pro', end_user_email: 'first.user@example.com' } });
    await gateway.addConnection({ connectionId: 'b', integrationId: 'calendar' });
    const endUser = { id: 'user-2', email: null, displayName: null, tags: null, organization };
    await gateway.addConnection({ connectionId: 'c', endUser });
    expect(await ids(gateway, '?connectionId=b')).toEqual(['b']);
    expect(await ids(gateway, '?integrationId=calendar,drive')).toHaveLength(3);
    expect(await ids(gateway, '?integrationId=calendar')).toEqual(['b']);
    expect(await ids(gateway, '?endUserId=user-2')).toEqual(['c']);
    const tags = { end_user_id: 'user-2' };
    await gateway.addConnection({ connectionId: 'tag-only', endUser: undefined, tags });
    await gateway.addConnection({ connectionId: 'of-user-1', tags });
    expect((await ids(gateway, '?endUserId=user-2')).toSorted()).toEqual(['c', 'tag-only']);
    expect(await ids(gateway, '?endUserOrganizationId=org-1')).toEqual(['c']);
    expect(await ids(gateway, '?tags%5BPlan%5D=pro&tags%5Bemail%5D=first.user@example.com')).toEqual(['a']);
    expect(await ids(gateway, '?tags%5Bplan%5D=free')).toEqual([]);
  });

  it('filters by the cause of death', async () => {
    const gateway = managementGateway();
    const dead = { status: 'reauthorization_required' } as const;
    const restricted = { ...DEATH, cause: 'admin_restricted' } as const;
    await gateway.addConnection({ connectionId: 'alive' });
    await gateway.addConnection({ connectionId: 'revoked', ...dead, death: DEATH });
    await gateway.addConnection({ connectionId: 'restricted', ...dead, death: restricted });
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

describe('DS-7: lists larger than one answer', () => {
  const LARGE = { text: 'x'.repeat(31 * 1024) };

  async function withLarge(count: number): Promise<ManagementGateway> {
    const gateway = integratedGateway();
    for (let i = 0; i < count; i++) {
      await gateway.addConnection({ connectionId: `c${i}`, createdAt: momentOf(i), metadata: LARGE });
    }
    return gateway;
  }

  const momentOf = (i: number) => new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString();

  it('DS-7: connections end a page at 4 MB, and next_cursor continues without a gap', async () => {
    const gateway = await withLarge(300);
    const found = await pages(gateway, '/connections');
    expect(found.length).toBe(3);
    expect(found.flat().map((one) => member(one, 'connection_id'))).toEqual(
      Array.from({ length: 300 }, (_, i) => `c${299 - i}`),
    );
  });

  it('DS-7: a counted page behind one that was full early is refused, because it would hide what did not fit', async () => {
    const gateway = await withLarge(300);
    const refused = await gateway.call('GET', '/connections?limit=200&page=1');
    expect(refused).toMatchObject({ status: 400, paths: ['page'] });
    const advice = /page 0 was full after 1\d\d connections.*next_cursor.*limit=1\d\d/;
    expect(textAt(refused.body, 'error', 'message')).toMatch(advice);
    const counted = await gateway.call('GET', '/connections?limit=100&page=2');
    expect(Object(counted.body).connections).toHaveLength(100);
    expect(member(counted.body, 'connections', '0', 'connection_id')).toBe('c99');
  });

  it('DS-7: integrations end a page at 4 MB', async () => {
    const gateway = managementGateway();
    const scopes = Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(200, 's'));
    for (let i = 0; i < 500; i++) gateway.addIntegration({ integrationId: `i${i}`, createdAt: momentOf(i), scopes });
    const found = await pages(gateway, '/integrations');
    expect(found.length).toBe(2);
    expect(found.flat().map((one) => member(one, 'unique_key'))).toEqual(
      Array.from({ length: 500 }, (_, i) => `i${499 - i}`),
    );
  });

  it('DS-7: secret keys end a page at 4 MB, also where many were made at once', async () => {
    const gateway = managementGateway();
    const integrationIds = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(255, 'i'));
    const record = { integrationIds, revokedAt: momentOf(0), createdAt: momentOf(0) };
    for (let i = 0; i < 200; i++) gateway.addKey(secretKey(`k${i}`), record);
    const found = await pages(gateway, '/account/keys');
    expect(found.length).toBe(2);
    expect(new Set(found.flat().map((one) => member(one, 'id'))).size).toBe(201);
  });

  it('AK-10: a cursor opens the list it was made for and no other', async () => {
    const gateway = await withConnections(2);
    const cursor = encodeURIComponent(textAt((await gateway.call('GET', '/connections?limit=1')).body, 'next_cursor'));
    for (const path of ['/integrations', '/account/keys']) {
      expect(await gateway.call('GET', `${path}?cursor=${cursor}`)).toMatchObject({ status: 400, paths: ['cursor'] });
    }
  });
});

describe('an order and a search of the list', () => {
  const people = async () => {
    const gateway = integratedGateway();
    for (const [i, name] of ['Dora', 'anna', 'Bob', 'carl'].entries()) {
      await gateway.addConnection({
        connectionId: name.toLowerCase(),
        createdAt: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
        endUser: { id: `user-${i}`, email: `${name}@Example.com`, displayName: name, tags: null, organization: null },
        lastUsedAtEpochSec: i === 1 ? undefined : 1_700_000_000 + ((i * 7) % 5),
      });
    }
    return gateway;
  };

  it.each([
    ['-created', ['carl', 'bob', 'anna', 'dora']],
    ['created', ['dora', 'anna', 'bob', 'carl']],
    ['name', ['anna', 'bob', 'carl', 'dora']],
    ['-name', ['dora', 'carl', 'bob', 'anna']],
    ['last_used', ['anna', 'dora', 'carl', 'bob']],
    ['-last_used', ['bob', 'carl', 'dora', 'anna']],
  ])('%s shows each connection once, page after page', async (sort, expected) => {
    expect(await idsOfPages(await people(), `limit=1&sort=${sort}`)).toEqual(expected.map((id) => [id]));
  });

  it('names no last use where nothing was called since the consent', async () => {
    const gateway = integratedGateway({ publishingStatus: 'production' });
    const createdAt = '2026-03-01T11:00:00.000Z';
    const consentedAtEpochSec = Date.parse(createdAt) / 1000;
    for (const [connectionId, later] of [['new', 0] as const, ['used', 60] as const]) {
      const lastUsedAtEpochSec = consentedAtEpochSec + later;
      await gateway.addConnection({ connectionId, createdAt, consentedAtEpochSec, lastUsedAtEpochSec });
    }
    const { body } = await gateway.call('GET', '/connections?include=last_used&sort=last_used');
    expect(body).toMatchObject({
      connections: [
        { connection_id: 'new', last_used_at: null },
        { connection_id: 'used', last_used_at: '2026-03-01T11:01:00.000Z' },
      ],
    });
    const one = await gateway.call('GET', '/connections/new?provider_config_key=drive');
    expect(one.body).toMatchObject({ last_used_at: null });
  });

  it('finds by any part in any case, together with filters, and counts what it found', async () => {
    const gateway = await people();
    expect(await ids(gateway, '?search=EXAMPLE%20b')).toEqual(['bob']);
    expect(await ids(gateway, '?search=example&endUserId=user-3')).toEqual(['carl']);
    const reply = await gateway.call('GET', '/connections?search=a%40example&include=total,last_used&limit=1');
    expect(reply.body).toMatchObject({ total: 2, total_is_complete: true, connections: [{ last_used_at: null }] });
  });

  it('counts a filtered list without a search', async () => {
    const gateway = await people();
    const reply = await gateway.call('GET', '/connections?include=total&status=reauthorization_required');
    expect(reply.body).toMatchObject({ total: 0, total_is_complete: true });
  });

  it('refuses a cursor of another order, and says so', async () => {
    const gateway = await people();
    const first = await gateway.call('GET', '/connections?limit=1&sort=name');
    const cursor = encodeURIComponent(textAt(first.body, 'next_cursor'));
    for (const sort of ['-name', '-created']) {
      const reply = await gateway.call('GET', `/connections?limit=1&sort=${sort}&cursor=${cursor}`);
      expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining('another order')]);
    }
  });

  describe('of more connections than one answer sorts', () => {
    const crowd = async () => {
      const gateway = await people();
      const from = { day: '2026-01-01', changes: {} };
      const counted = { ...NOTHING_COUNTED, active: 100_000, from, countedAtEpochSec: 1_700_000_000 };
      gateway.census.set('default', { ...newCensus('default'), counted });
      return gateway;
    };

    it.each([
      ['created', ['dora', 'anna', 'bob', 'carl']],
      ['name', ['anna', 'bob', 'carl', 'dora']],
      ['-name', ['dora', 'carl', 'bob', 'anna']],
    ])('%s shows each once by cursor and by page, with the running count as total', async (sort, expected) => {
      const gateway = await crowd();
      const byPage: unknown[] = [];
      for (let page = 0; page < 5; page++) {
        byPage.push(...(await ids(gateway, `?limit=1&sort=${sort}&page=${page}&include=last_used`)));
      }
      expect(byPage).toEqual(expected);
      expect((await idsOfPages(gateway, `limit=3&sort=${sort}`)).flat()).toEqual(expected);
      const reply = await gateway.call('GET', `/connections?limit=1&sort=${sort}&include=total`);
      expect(reply.body).toMatchObject({ total: 100_000, total_is_complete: true });
    });

    it('a list of one health has the total of the running count', async () => {
      const gateway = await crowd();
      const used = { lastUsedAtEpochSec: epochSec('2026-03-01T11:59:00Z') };
      await gateway.addConnection({ connectionId: 'used', ...used });
      count(gateway);
      const census = gateway.census.get('default');
      const counted = census?.counted;
      if (counted === undefined) throw new Error('nothing was counted');
      const drive = { ...counted.integrations.drive, active: 90_000, health: { active: 60_000, not_used_yet: 30_000 } };
      const set = (one: object) => {
        const integrations = { drive: { ...drive, failing: 0, causes: {}, endsByDay: {}, ...one } };
        gateway.census.set('default', {
          ...newCensus('default'),
          counted: { ...counted, active: 90_000, integrations },
        });
      };
      const total = async (health: string) => {
        const reply = await gateway.call('GET', `/connections?health=${health}&limit=1&include=total`);
        return [member(reply.body, 'total'), member(reply.body, 'total_is_complete')];
      };
      set({});
      expect(await total('active')).toEqual([60_000, true]);
      expect(await total('working')).toEqual([90_000, true]);
      expect(await total('ends_soon')).toEqual([0, true]);
      // A count of an earlier version does not know: each connection is looked at.
      set({ health: undefined });
      expect(await total('active')).toEqual([1, true]);
      set({ health: { active: 1 } });
      expect(await total('active')).toEqual([1, true]);
    });

    it('a list by name leaves out other integrations, and what a filter leaves out', async () => {
      const gateway = await crowd();
      await gateway.addConnection({ connectionId: 'eve', integrationId: 'other', provider: 'google-calendar' });
      expect(await ids(gateway, '?sort=-name&limit=10&integrationId=drive')).toEqual(['dora', 'carl', 'bob', 'anna']);
      expect(await ids(gateway, '?sort=name&limit=10&integrationId=drive&endUserId=user-3')).toEqual(['carl']);
    });

    it('a list of a rare integration is read from its own list where pages of the whole list hold none', async () => {
      const gateway = await crowd();
      gateway.addIntegration({ integrationId: 'rare' });
      for (const [i, connectionId] of ['rare-1', 'rare-2', 'rare-3'].entries()) {
        const createdAt = new Date(Date.UTC(2025, 0, 1 + i)).toISOString();
        const numericId = Date.parse(createdAt) * 1024;
        await gateway.addConnection({ connectionId, integrationId: 'rare', createdAt, numericId });
      }
      // As the table does where a filter matches nothing for a while.
      gateway.memory.itemsPerPage = 1;
      expect((await idsOfPages(gateway, 'limit=2&integrationId=rare')).flat()).toEqual(['rare-3', 'rare-2', 'rare-1']);
      expect(await ids(gateway, '?limit=2&page=1&integrationId=rare')).toEqual(['rare-1']);
      const tags = { end_user_id: 'user-3' };
      await gateway.addConnection({ connectionId: 'tag-only', endUser: undefined, tags });
      await gateway.addConnection({ connectionId: 'of-user-1', tags });
      expect((await ids(gateway, '?endUserId=user-3')).toSorted()).toEqual(['carl', 'tag-only']);
      const theirs = await gateway.call('GET', '/connections?endUserId=user-3&limit=1&include=total');
      expect(theirs.body).toMatchObject({ total: 2, total_is_complete: true });
      const reply = await gateway.call('GET', '/connections?limit=1&integrationId=rare&include=total');
      expect(reply.body).toMatchObject({ total: 3, total_is_complete: true });
    });

    it('a list by last use says what it would need', async () => {
      const reply = await (await crowd()).call('GET', '/connections?sort=last_used&limit=1');
      expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining('by last use')]);
    });
  });

  it('shows of one search connections, integrations and, to anyone who may list them, keys', async () => {
    const gateway = await people();
    const reply = await gateway.call('GET', '/search?q=drive');
    expect(reply.body).toMatchObject({ data: { connections: [], integrations: [{ unique_key: 'drive' }] } });
    const found = await gateway.call('GET', '/search?q=bob%20brown');
    expect(found.body).toMatchObject({ data: { connections: [], total: 0 } });
    const bob = await gateway.call('GET', '/search?q=BOB');
    expect(bob.body).toMatchObject({ data: { connections: [{ connection_id: 'bob' }], total: 1, keys: [] } });
  });

  it('finds what an earlier version folded as that was found, and by plain letters once the walk has rewritten it', async () => {
    const gateway = await people();
    const endUser = { id: 'user-9', email: null, displayName: 'Łukasz Weiß', tags: null, organization: null };
    await gateway.addConnection({ connectionId: 'lukasz', endUser });
    const found = async (q: string) => {
      const { body } = await gateway.call('GET', `/search?q=${encodeURIComponent(q)}`);
      return member(body, 'data', 'total');
    };
    expect([await found('lukasz weiss'), await found('ŁUKASZ')]).toEqual([1, 1]);
    const bucket = gateway.memory
      .ofType('search_bucket')
      .find(({ entries }) => String(entries).includes('lukasz weiss'));
    gateway.memory.put({ ...bucket, entries: String(bucket?.entries).replace('lukasz weiss', 'łukasz weiß') });
    expect([await found('Łukasz Weiß'), await found('łuk'), await found('lukasz weiss')]).toEqual([1, 1, 0]);
    const upkeep = searchUpkeep(gateway.memory.table);
    const walk = { position: undefined, walkedAtEpochSec: 1, lists: 'complete', isFolded: false } as const;
    expect(await upkeep.goOn('default', walk, 2)).toEqual({ added: 1, isEnd: true });
    expect([await found('lukasz weiss'), await found('Łukasz')]).toEqual([1, 1]);
    expect(await upkeep.read('default')).toMatchObject({ lists: 'complete', isFolded: true });
    expect((await upkeep.goOn('default', walk, 3)).added).toBe(0);
  });
});
