import { describe, expect, it } from 'vitest';
import { isDueToCount } from '../../../lambdas/gateway/connections/census.rules.ts';
import { COUNTED_AT, count, epochSec, TODAY } from './support/count.ts';
import {
  connectedGateway,
  integratedGateway,
  type ManagementGateway,
  managementGateway,
  member,
  secretKey,
} from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const dead = { status: 'reauthorization_required', death: DEATH } as const;

async function overviewOf(gateway: ManagementGateway, key?: string): Promise<unknown> {
  const reply = await gateway.call('GET', '/overview', key === undefined ? {} : { key });
  expect(reply.status).toBe(200);
  return member(reply.body, 'data');
}

describe('the overview', () => {
  it('the overview of an empty account has nothing', async () => {
    expect(await overviewOf(managementGateway())).toMatchObject({
      counted_at: null,
      integrations: 0,
      statuses: { active: 0, reauthorization_required: 0, failing: 0 },
      causes: [],
      status_by_day: [{ day: TODAY, active: 0, reauthorization_required: 0 }],
      ending: [],
      rejected_integrations: [],
      crowded_accounts: [],
    });
  });

  it('the overview has the last count, moved on by what was counted since', async () => {
    const gateway = managementGateway();
    const callFault = { status: 401, reason: undefined, sinceEpochSec: COUNTED_AT };
    await gateway.addConnection({ connectionId: 'a', callFault });
    await gateway.addConnection({ connectionId: 'b', ...dead, death: { ...DEATH, cause: 'admin_restricted' } });
    await gateway.addConnection({ connectionId: 'c', ...dead });
    await gateway.addConnection({ connectionId: 'd', ...dead });
    await gateway.addConnection({ connectionId: 'gone', status: 'deleted' });
    await gateway.addConnection({ connectionId: 'foreign', accountId: 'other' });
    gateway.changes.push({ day: TODAY, integrationId: 'drive', counts: { created: 4, 'died.user_revoked': 2 } });
    count(gateway);
    expect(await overviewOf(gateway)).toMatchObject({
      counted_at: '2026-03-01T11:58:00.000Z',
      statuses: { active: 1, reauthorization_required: 3, failing: 1 },
      causes: [
        { cause: 'user_revoked', count: 2 },
        { cause: 'admin_restricted', count: 1 },
      ],
    });
    const gone = { 'mended.user_revoked': 1, 'deleted.admin_restricted': 1, 'deleted.active': 1 };
    const counts = { created: 7, 'died.user_revoked': 2, ...gone };
    gateway.changes[0] = { day: TODAY, integrationId: 'drive', counts };
    expect(await overviewOf(gateway)).toMatchObject({
      statuses: { active: 4, reauthorization_required: 1 },
      causes: [{ cause: 'user_revoked', count: 1 }],
    });
  });

  it('the overview has the last count as it is where a clock that went back has dated it ahead, until it is counted again', async () => {
    const gateway = managementGateway();
    for (const connectionId of ['a', 'b', 'c']) await gateway.addConnection({ connectionId });
    count(gateway);
    const census = gateway.census.get('default');
    const counted = census?.counted;
    if (census === undefined || counted === undefined) throw new Error('Nothing is counted');
    const from = { day: '2026-03-04', changes: { drive: { created: 3 } } };
    const ahead = { ...counted, from, countedAtEpochSec: COUNTED_AT + 4 * 86_400 };
    gateway.census.set('default', { ...census, counted: ahead });
    expect(await overviewOf(gateway)).toMatchObject({ statuses: { active: 3, reauthorization_required: 0 } });
    expect(isDueToCount({ ...census, counted: ahead }, false, COUNTED_AT)).toBe(true);
  });

  it('knows before the first count what was counted as it happened', async () => {
    const gateway = managementGateway();
    gateway.changes.push({ day: TODAY, integrationId: 'drive', counts: { created: 3, 'died.user_revoked': 1 } });
    expect(await overviewOf(gateway)).toMatchObject({
      counted_at: null,
      statuses: { active: 2, reauthorization_required: 1 },
      status_by_day: [{ day: TODAY, active: 2, reauthorization_required: 1 }],
    });
  });

  it('lists statuses backwards from today, as far as changes were counted, and changes by day (UTC)', async () => {
    const gateway = await connectedGateway({ connectionId: 'alive' });
    await gateway.addConnection({ connectionId: 'mortal', ...dead });
    gateway.changes.push(
      { day: '2026-02-28', integrationId: 'drive', counts: { created: 1, 'refresh.renewed': 9, 'refresh.failed': 2 } },
      { day: TODAY, integrationId: 'drive', counts: { 'died.user_revoked': 1, 'refresh.refused': 1 } },
      { day: TODAY, integrationId: 'calendar', counts: { created: 1, 'deleted.active': 1 } },
    );
    count(gateway);
    const overview = await overviewOf(gateway);
    expect(member(overview, 'status_by_day')).toEqual([
      { day: '2026-02-27', active: 1, reauthorization_required: 0 },
      { day: '2026-02-28', active: 2, reauthorization_required: 0 },
      { day: TODAY, active: 1, reauthorization_required: 1 },
    ]);
    expect(member(overview, 'changes_by_day')).toMatchObject([
      { day: '2026-02-27', created: 0, refreshes: { renewed: 0 } },
      { day: '2026-02-28', created: 1, died: 0, refreshes: { renewed: 9, refused: 0, client_refused: 0, failed: 2 } },
      { day: TODAY, created: 1, deleted: 1, died: 1, died_by_cause: [{ cause: 'user_revoked', count: 1 }] },
    ]);
    const counts = await gateway.call('GET', '/usage/connections?from=2026-02-28&provider_config_key=drive');
    expect(member(counts.body, 'data')).toMatchObject({
      rows: [
        { day: '2026-02-28', provider_config_key: 'drive', created: 1 },
        { day: TODAY, provider_config_key: 'drive', died: 1 },
      ],
      total: { created: 1, deleted: 0, died: 1, mended: 0, refreshes: { renewed: 9, refused: 1, failed: 2 } },
    });
    expect((await gateway.call('GET', '/usage/connections?from=2026-03-02&to=2026-03-01')).status).toBe(400);
  });

  it('names what ends within seven days, the next one first, as it is by now', async () => {
    const gateway = integratedGateway();
    gateway.addIntegration({ integrationId: 'published', publishingStatus: 'production' });
    const refreshTokenExpiresAtEpochSec = epochSec('2026-03-03T00:00:00Z');
    await gateway.addConnection({ connectionId: 'testing' });
    await gateway.addConnection({ connectionId: 'limited', integrationId: 'published', refreshTokenExpiresAtEpochSec });
    await gateway.addConnection({ connectionId: 'lasting', integrationId: 'published' });
    await gateway.addConnection({ connectionId: 'dead', ...dead });
    await gateway.addConnection({ connectionId: 'died', integrationId: 'published', refreshTokenExpiresAtEpochSec });
    count(gateway);
    await gateway.addConnection({ connectionId: 'died', integrationId: 'published', ...dead });
    const overview = await overviewOf(gateway);
    expect(member(overview, 'ending')).toEqual([
      {
        connection_id: 'limited',
        provider_config_key: 'published',
        end_user: { id: 'user-1', email: 'first.user@example.com' },
        ends_at: '2026-03-03T00:00:00.000Z',
        reason: 'time_limited_access',
      },
      expect.objectContaining({ connection_id: 'testing', reason: 'testing_mode' }),
    ]);
    expect(overview).toMatchObject({ ending_total: 3 });
    expect(member(overview, 'ending_by_day')).toContainEqual({ day: '2026-03-03', count: 2 });
  });

  it('names integrations whose client is refused', async () => {
    const gateway = integratedGateway({ integrationId: 'fine' });
    const sinceEpochSec = epochSec('2026-03-01T00:00:00Z');
    const times = { sinceEpochSec, retryAtEpochSec: sinceEpochSec + 60 };
    gateway.addIntegration({ clientFault: { error: 'invalid_client', ...times } });
    const rejected = { unique_key: 'drive', display_name: 'Google Drive', error: 'invalid_client' };
    const overview = { integrations: 2, rejected_integrations: [{ ...rejected, since: '2026-03-01T00:00:00.000Z' }] };
    expect(await overviewOf(gateway)).toMatchObject(overview);
  });

  it('names an account near the limit of refresh tokens once, and none that was fixed since it was announced', async () => {
    const gateway = managementGateway();
    const providerAccount = { subject: 'one', email: 'editor@workspace.example' };
    for (let i = 0; i < 93; i++) {
      await gateway.addConnection({ connectionId: `crowd-${i}`, providerAccount, limitWarned: i > 90 });
    }
    await gateway.addConnection({ connectionId: 'alone', limitWarned: true });
    count(gateway);
    expect(member(await overviewOf(gateway), 'crowded_accounts')).toEqual([
      expect.objectContaining({ email: 'editor@workspace.example', live: 93, limit: 100 }),
    ]);
  });

  it('shows a limited key its integrations only', async () => {
    const gateway = integratedGateway();
    gateway.addIntegration({ integrationId: 'calendar' });
    await gateway.addConnection({ connectionId: 'a' });
    await gateway.addConnection({ connectionId: 'b', integrationId: 'calendar' });
    gateway.changes.push({ day: TODAY, integrationId: 'drive', counts: { created: 1 } });
    count(gateway);
    const key = gateway.addKey(secretKey('limited'), { integrationIds: ['calendar'], right: 'read' });
    const overview = await overviewOf(gateway, key);
    expect(overview).toMatchObject({ integrations: 1, statuses: { active: 1 }, ending: [{ connection_id: 'b' }] });
    expect(JSON.stringify(member(overview, 'changes_by_day'))).not.toContain('"created":1');
    const counts = await gateway.call('GET', '/usage/connections', { key });
    expect(member(counts.body, 'data', 'rows')).toEqual([]);
    const other = await gateway.call('GET', '/usage/connections?provider_config_key=drive', { key });
    expect(other.status).toBeGreaterThanOrEqual(400);
  });
});
