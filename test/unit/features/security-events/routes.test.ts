import { describe, expect, it } from 'vitest';
import { securityProjects, statementInbox } from '../../../../lambdas/features/security-events/statement.store.ts';
import { explainStream } from '../../../../lambdas/features/security-events/stream-state.rules.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import { type ManagementGateway, managementGateway, member } from '../../management/support/gateway.ts';

const PROJECT = '123456789012';
const OWN: Partial<Integration> = {
  credentialsSource: 'own',
  clientId: `${PROJECT}-a.apps.googleusercontent.com`,
  publishingStatus: 'production',
};
const DAY_SEC = 86_400;

function withClient(): ManagementGateway {
  const gateway = managementGateway();
  gateway.addIntegration(OWN);
  return gateway;
}

const register = (gateway: ManagementGateway, verification = 'state-of-now') =>
  gateway.call('PUT', `/security-events/${PROJECT}`, { body: { verification } });

/** Google's verification arrives. @param asked the text that it was asked for with */
async function verified(gateway: ManagementGateway, asked = 'state-of-now'): Promise<void> {
  const project = await securityProjects(gateway.memory.table).read(PROJECT);
  if (project === undefined) throw new Error('It is not registered');
  const inbox = statementInbox(gateway.memory.table);
  await inbox.noteStatement({ ...project, verificationState: asked }, gateway.clock.nowEpochSec(), true);
}

async function whatOf(gateway: ManagementGateway): Promise<unknown> {
  const { body } = await gateway.call('GET', '/integrations/drive/readiness');
  return member(body, 'data', 'security_events');
}

async function attentionOf(gateway: ManagementGateway): Promise<unknown> {
  const { body } = await gateway.call('GET', '/overview');
  const rows = member(body, 'data', 'attention');
  return Array.isArray(rows) ? rows.filter((row) => member(row, 'kind') === 'security_events') : rows;
}

describe('readiness', () => {
  it('says what is missing, step by step, and then how long ago the stream was proven', async () => {
    const gateway = withClient();
    expect(await whatOf(gateway)).toMatchObject({
      cloud_project: PROJECT,
      state: 'not_registered',
      what: expect.stringContaining(`gateway security-events register ${PROJECT} --key-file`),
    });
    expect((await register(gateway)).status).toBe(200);
    expect(await whatOf(gateway)).toMatchObject({
      state: 'not_verified',
      what: expect.stringContaining(`gateway security-events verify ${PROJECT}`),
    });
    await verified(gateway);
    gateway.clock.advanceSec(3 * DAY_SEC);
    expect(await whatOf(gateway)).toMatchObject({
      state: 'verified',
      what: 'Verified 3 days ago; the last security event came 3 days ago.',
    });
    gateway.clock.advanceSec(28 * DAY_SEC);
    expect(member(await whatOf(gateway), 'what')).toMatch(/^Verified 31 days ago, and nothing has come for 31 days\./);
  });

  it('needs a domain of one’s own first', () => {
    expect(explainStream(PROJECT, undefined, false, 0)).toMatch(/^Google’s security events need a domain of your own/);
  });

  it('knows the project of the test credentials, for the account that they belong to', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ credentialsSource: 'test', clientId: undefined });
    expect(await whatOf(gateway)).toMatchObject({ cloud_project: '900', state: 'not_registered' });
  });
});

describe('what needs attention', () => {
  it('RI-5: what needs attention is a verification that has not come within an hour, and a proven stream that was silent for 30 days', async () => {
    const gateway = withClient();
    expect(await attentionOf(gateway)).toEqual([]);
    await register(gateway);
    gateway.clock.advanceSec(3600);
    expect(await attentionOf(gateway)).toEqual([]);
    gateway.clock.advanceSec(1);
    expect(await attentionOf(gateway)).toMatchObject([
      {
        kind: 'security_events',
        severity: 'warning',
        title: `Google’s verification of the security events of ${PROJECT} has not come`,
        reason: 'not_verified',
        provider_config_key: 'drive',
        id: PROJECT,
      },
    ]);
    await verified(gateway);
    expect(await attentionOf(gateway)).toEqual([]);
    gateway.clock.advanceSec(30 * DAY_SEC + 1);
    expect(await attentionOf(gateway)).toMatchObject([{ reason: 'quiet' }]);
  });
});

describe('a registered project', () => {
  it('RI-5: a registered project is proven by the verification that was asked for last, not by one that was on its way', async () => {
    const gateway = withClient();
    await register(gateway, 'the first one');
    await register(gateway, 'the second one');
    await verified(gateway, 'the first one');
    expect(await whatOf(gateway)).toMatchObject({ state: 'not_verified' });
    await verified(gateway, 'the second one');
    expect(await whatOf(gateway)).toMatchObject({ state: 'verified' });
  });

  it('a registered project is given up also where no integration has a client of it any more, once, with one event', async () => {
    const gateway = withClient();
    await register(gateway);
    await gateway.call('DELETE', '/integrations/drive');
    expect((await gateway.call('DELETE', `/security-events/${PROJECT}`)).status).toBe(200);
    expect((await gateway.call('DELETE', `/security-events/${PROJECT}`)).status).toBe(404);
    const types = gateway.events.types().filter((type) => type.startsWith('SecurityEvents'));
    expect(types).toEqual(['SecurityEventsRegistered', 'SecurityEventsRemoved']);
  });

  it('keeps every account of those that register and give up at once, and says nothing of the others', async () => {
    const gateway = withClient();
    const projects = securityProjects(gateway.memory.table);
    await register(gateway);
    const [event] = gateway.events.all;
    if (event === undefined) throw new Error('There is no event');
    const nowEpochSec = gateway.clock.nowEpochSec();
    const others = ['a', 'b', 'c'];
    await Promise.all([
      ...others.map((accountId, index) =>
        projects.register(PROJECT, { accountId, state: undefined, nowEpochSec }, { ...event, eventId: `01J${index}` }),
      ),
      projects.remove(PROJECT, 'default', { ...event, eventId: '01JX' }),
    ]);
    expect([...((await projects.read(PROJECT))?.accountIds ?? [])].sort()).toEqual(others);
    expect(await whatOf(gateway)).toMatchObject({ state: 'not_registered' });
  });
});
