import { describe, expect, it } from 'vitest';
import { type Census, NOTHING_COUNTED } from '../../../lambdas/gateway/connections/census.rules.ts';
import { type ManagementGateway, managementGateway, member, secretKey } from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const epochSec = (iso: string): number => Date.parse(iso) / 1000;
const dead = { status: 'reauthorization_required', death: DEATH } as const;

async function overviewOf(gateway: ManagementGateway, key?: string): Promise<unknown> {
  const reply = await gateway.call('GET', '/overview', key === undefined ? {} : { key });
  expect(reply.status).toBe(200);
  return member(reply.body, 'data');
}

/** Adds connections of one provider account. */
async function crowd(gateway: ManagementGateway, count: number): Promise<void> {
  const providerAccount = { subject: 'one', email: 'editor@workspace.example' };
  for (let i = 0; i < count; i++) await gateway.addConnection({ connectionId: `crowd-${i}`, providerAccount });
}

describe('the overview', () => {
  it('of an empty account is complete and has nothing', async () => {
    expect(await overviewOf(managementGateway())).toMatchObject({
      covered: { connections: 0, complete: true, in_detail: 0 },
      integrations: 0,
      statuses: { active: 0, reauthorization_required: 0 },
      causes: [],
      ending: [],
      rejected_integrations: [],
      crowded_accounts: [],
    });
  });

  it('counts by status and cause, the most frequent cause first', async () => {
    const gateway = managementGateway();
    await gateway.addConnection({ connectionId: 'a' });
    await gateway.addConnection({ connectionId: 'b', ...dead, death: { ...DEATH, cause: 'admin_restricted' } });
    await gateway.addConnection({ connectionId: 'c', ...dead });
    await gateway.addConnection({ connectionId: 'd', ...dead });
    await gateway.addConnection({ connectionId: 'gone', status: 'deleted' });
    await gateway.addConnection({ connectionId: 'foreign', accountId: 'other' });
    expect(await overviewOf(gateway)).toMatchObject({
      covered: { connections: 4, complete: true, in_detail: 4 },
      statuses: { active: 1, reauthorization_required: 3 },
      causes: [
        { cause: 'user_revoked', count: 2 },
        { cause: 'admin_restricted', count: 1 },
      ],
    });
  });

  it('dates births and deaths in UTC days', async () => {
    const gateway = managementGateway();
    const since = '2026-03-01T00:10:00.000Z';
    await gateway.addConnection({ connectionId: 'old', createdAt: '2026-01-01T00:00:00.000Z' });
    await gateway.addConnection({
      ...dead,
      connectionId: 'mortal',
      createdAt: '2026-02-28T23:59:59.000Z',
      death: { ...DEATH, since },
    });
    const days = member(await overviewOf(gateway), 'status_by_day');
    if (!Array.isArray(days)) throw new Error('no days');
    expect(days.length).toBe(14);
    expect(days.slice(-3)).toEqual([
      { day: '2026-02-27', active: 1, reauthorization_required: 0 },
      { day: '2026-02-28', active: 2, reauthorization_required: 0 },
      { day: '2026-03-01', active: 1, reauthorization_required: 1 },
    ]);
  });

  it('puts the latest refresh of each connection on its day', async () => {
    const gateway = managementGateway();
    const refreshed = (iso: string) => ({ lastRefreshedAtEpochSec: epochSec(iso) });
    await gateway.addConnection({ connectionId: 'a', ...refreshed('2026-02-28T10:00:00Z') });
    await gateway.addConnection({ connectionId: 'b', ...refreshed('2026-03-01T10:00:00Z') });
    await gateway.addConnection({ connectionId: 'c', ...refreshed('2026-02-28T11:00:00Z'), ...dead });
    await gateway.addConnection({ connectionId: 'd', ...refreshed('2026-01-01T10:00:00Z') });
    const days = member(await overviewOf(gateway), 'refreshes_by_day');
    expect(Array.isArray(days) && days.slice(-2)).toEqual([
      { day: '2026-02-28', renewed: 1, refused: 0 },
      { day: '2026-03-01', renewed: 1, refused: 1 },
    ]);
  });

  it('names what ends within seven days, the next one first', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    gateway.addIntegration({ integrationId: 'published', publishingStatus: 'production' });
    const refreshTokenExpiresAtEpochSec = epochSec('2026-03-03T00:00:00Z');
    await gateway.addConnection({ connectionId: 'testing' });
    await gateway.addConnection({ connectionId: 'limited', integrationId: 'published', refreshTokenExpiresAtEpochSec });
    await gateway.addConnection({ connectionId: 'lasting', integrationId: 'published' });
    await gateway.addConnection({ connectionId: 'dead', ...dead });
    expect(member(await overviewOf(gateway), 'ending')).toEqual([
      {
        connection_id: 'limited',
        provider_config_key: 'published',
        end_user: { id: 'user-1', email: 'first.user@example.com' },
        ends_at: '2026-03-03T00:00:00.000Z',
        reason: 'time_limited_access',
      },
      expect.objectContaining({ connection_id: 'testing', reason: 'testing_mode' }),
    ]);
  });

  it('names integrations whose client is refused', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ integrationId: 'fine' });
    const sinceEpochSec = epochSec('2026-03-01T00:00:00Z');
    gateway.addIntegration({
      clientFault: { error: 'invalid_client', sinceEpochSec, retryAtEpochSec: sinceEpochSec + 60 },
    });
    expect(await overviewOf(gateway)).toMatchObject({
      integrations: 2,
      rejected_integrations: [
        {
          unique_key: 'drive',
          display_name: 'Google Drive',
          error: 'invalid_client',
          since: '2026-03-01T00:00:00.000Z',
        },
      ],
    });
  });

  it('names an account near the limit of refresh tokens once, and none below', async () => {
    const gateway = managementGateway();
    await crowd(gateway, 89);
    expect(member(await overviewOf(gateway), 'crowded_accounts')).toEqual([]);
    await crowd(gateway, 93);
    expect(member(await overviewOf(gateway), 'crowded_accounts')).toEqual([
      expect.objectContaining({ email: 'editor@workspace.example', live: 93, limit: 100 }),
    ]);
  });

  it('says how many connections were read in full', async () => {
    const gateway = managementGateway();
    for (let i = 0; i < 150; i++) await gateway.addConnection({ connectionId: `a${i}` });
    for (let i = 0; i < 150; i++) await gateway.addConnection({ connectionId: `d${i}`, ...dead });
    expect(await overviewOf(gateway)).toMatchObject({
      covered: { connections: 300, complete: true, in_detail: 200 },
      undated_deaths: 50,
    });
  });

  it('stops after its reads of the list and says so', async () => {
    const gateway = managementGateway();
    await gateway.addConnection();
    const endless = { ...gateway.services.connections };
    let reads = 0;
    const connections: typeof endless = {
      ...endless,
      async list(...request) {
        reads += 1;
        return { ...(await endless.list(...request)), next: 'more' };
      },
    };
    Object.assign(gateway.services, { connections });
    expect(await overviewOf(gateway)).toMatchObject({ covered: { complete: false } });
    expect(reads).toBe(5);
  });

  describe('of more connections than it reads', () => {
    const withCount = (counted: Census['counted']) => {
      const gateway = managementGateway();
      gateway.addIntegration();
      const { connections } = gateway.services;
      const endless: typeof connections = {
        ...connections,
        list: async (...request) => ({ ...(await connections.list(...request)), next: 'more' }),
      };
      Object.assign(gateway.services, { connections: endless });
      gateway.census.set('default', {
        accountId: 'default',
        version: 1,
        position: undefined,
        sofar: NOTHING_COUNTED,
        counted,
      });
      return gateway;
    };
    const counted = {
      active: 20_000,
      causes: { admin_restricted: 1, user_revoked: 6 },
      countedAtEpochSec: epochSec('2026-03-01T11:50:00Z'),
    };

    it('has the last count of all', async () => {
      expect(await overviewOf(withCount(counted))).toMatchObject({
        covered: { complete: false },
        totals: {
          active: 20_000,
          reauthorization_required: 7,
          causes: [
            { cause: 'user_revoked', count: 6 },
            { cause: 'admin_restricted', count: 1 },
          ],
          counted_at: '2026-03-01T11:50:00.000Z',
        },
      });
    });

    it('has none before the first count ended, and none for a key limited to some integrations', async () => {
      expect(await overviewOf(withCount(undefined))).toMatchObject({ totals: null });
      const gateway = withCount(counted);
      const key = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'], right: 'read' });
      expect(await overviewOf(gateway, key)).toMatchObject({ totals: null });
    });
  });

  it('shows a limited key its integrations only', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    gateway.addIntegration({ integrationId: 'calendar' });
    await gateway.addConnection({ connectionId: 'a' });
    await gateway.addConnection({ connectionId: 'b', integrationId: 'calendar' });
    const key = gateway.addKey(secretKey('limited'), { integrationIds: ['calendar'], right: 'read' });
    expect(await overviewOf(gateway, key)).toMatchObject({ integrations: 1, covered: { connections: 1 } });
  });
});
