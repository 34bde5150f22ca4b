import { describe, expect, it } from 'vitest';
import {
  connectedGateway,
  integratedGateway,
  managementGateway,
  member,
  secretKey,
  textAt,
} from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const PATH = '/connections/first?provider_config_key=drive';
const asSent = '&force_refresh=false&refresh_token=false&refresh_github_app_jwt_token=false';

describe('reading a connection', () => {
  it('shows everything but tokens (TK-12)', async () => {
    const gateway = await connectedGateway();
    const reply = await gateway.call('GET', PATH + asSent);
    expect(reply.body).toMatchObject({
      connection_id: 'first',
      credentials: {},
      connection_config: {},
      webhook_url_override: null,
      last_fetched_at: null,
      errors: [],
      status: 'active',
      cause: null,
      granted_scopes: ['openid', 'email', 'https://www.googleapis.com/auth/drive.readonly'],
      missing_scopes: [],
      access_token_expires_at: '2026-03-01T12:50:00.000Z',
      shares_grant_with: 0,
      forecasts: { testing_mode_ends_at: '2026-03-08T11:50:00.000Z', access_ends_at: null, refresh_token_limit: null },
    });
    expect(JSON.stringify(reply.body)).not.toMatch(/access-of|refresh-of|sealed/);
    expect(gateway.events.all).toEqual([]);
  });

  it('foresees no end for an app in production', async () => {
    const gateway = integratedGateway({ publishingStatus: 'production' });
    await gateway.addConnection();
    expect(member((await gateway.call('GET', PATH)).body, 'forecasts', 'testing_mode_ends_at')).toBeNull();
  });

  it('names scopes that were not granted', async () => {
    const { body } = await (await connectedGateway({ grantedScopes: ['openid', 'email'] })).call('GET', PATH);
    expect(body).toMatchObject({ missing_scopes: ['https://www.googleapis.com/auth/drive.readonly'] });
  });

  it('counts who shares the grant, across accounts', async () => {
    const gateway = integratedGateway();
    const providerAccount = { subject: 's', email: null };
    await gateway.addConnection({ providerAccount });
    await gateway.addConnection({ providerAccount, connectionId: 'second', clientId: '900-another-client' });
    await gateway.addConnection({ providerAccount, accountId: 'other' });
    await gateway.addConnection({ providerAccount, connectionId: 'elsewhere', clientId: '901-test' });
    expect(member((await gateway.call('GET', PATH)).body, 'shares_grant_with')).toBe(2);
  });

  it('warns near the limit of refresh tokens', async () => {
    const gateway = integratedGateway();
    const providerAccount = { subject: 's', email: null };
    await gateway.addConnection({ providerAccount });
    for (let i = 0; i < 90; i++) await gateway.addConnection({ providerAccount, connectionId: `c${i}` });
    const { body } = await gateway.call('GET', PATH);
    expect(member(body, 'forecasts', 'refresh_token_limit')).toEqual({ live: 91, limit: 100 });
  });

  it('answers alike for missing, deleted and foreign connections (PX-19)', async () => {
    const gateway = await connectedGateway({ status: 'deleted' });
    await gateway.addConnection({ connectionId: 'foreign', accountId: 'other' });
    const bodies = [];
    for (const id of ['first', 'foreign', 'missing', 'a%2Fb']) {
      const reply = await gateway.call('GET', `/connections/${id}?provider_config_key=drive`);
      expect(reply.status).toBe(404);
      bodies.push(JSON.stringify(reply.body));
    }
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('unknown_connection');
    const noIntegration = await gateway.call('GET', '/connections/first?provider_config_key=none');
    expect(noIntegration).toMatchObject({ status: 404, code: 'unknown_integration' });
  });

  it('needs the integration', async () => {
    const reply = await managementGateway().call('GET', '/connections/first');
    expect(reply).toMatchObject({ status: 400, code: 'invalid_query_params', paths: ['provider_config_key'] });
  });

  it('refreshes when asked, for every key', async () => {
    const gateway = await connectedGateway();
    const key = gateway.addKey(secretKey('r'), { right: 'read' });
    expect((await gateway.call('GET', `${PATH}&force_refresh=true`, { key })).status).toBe(200);
    expect(gateway.refreshes).toEqual([{ force: true }]);
  });

  it('shows a dead grant with its cause instead of failing', async () => {
    const gateway = await connectedGateway({ status: 'reauthorization_required', death: DEATH });
    const reply = await gateway.call('GET', `${PATH}&force_refresh=true`);
    expect(reply.body).toMatchObject({
      credentials: {},
      status: 'reauthorization_required',
      cause: 'user_revoked',
      errors: [{ type: 'auth' }],
      death: { cause: 'user_revoked', likely_causes: [{ who: 'end_user' }] },
      forecasts: { testing_mode_ends_at: null },
    });
    expect(gateway.refreshes).toEqual([]);
  });
});

describe('reading credentials (TK-12)', () => {
  const withReader = async () => {
    const gateway = await connectedGateway();
    return { gateway, key: gateway.addKey(secretKey('reader'), { right: 'read', canReadCredentials: true }) };
  };

  it('gives an access token to a key that may have it, and notes the read', async () => {
    const { gateway, key } = await withReader();
    const reply = await gateway.call('GET', PATH + asSent, { key });
    const token = { type: 'OAUTH2', access_token: 'access-of-first', expires_at: '2026-03-01T12:50:00.000Z' };
    expect(member(reply.body, 'credentials')).toEqual(token);
    const event = { eventType: 'ConnectionCredentialsRead', cause: 'access_token', endUserId: 'user-1' };
    expect(gateway.events.all).toMatchObject([{ ...event, actor: expect.stringMatching(/^key:/) }]);
  });

  it('gives the refresh token only when asked, with the raw answer', async () => {
    const { gateway, key } = await withReader();
    const reply = await gateway.call('GET', `${PATH}&refresh_token=true`, { key });
    expect(member(reply.body, 'credentials')).toMatchObject({
      refresh_token: 'refresh-of-first',
      raw: { access_token: 'access-of-first', refresh_token: 'refresh-of-first', token_type: 'Bearer' },
    });
    expect(gateway.events.all).toMatchObject([{ cause: 'refresh_token' }]);
  });

  it('refuses the refresh token to any other key', async () => {
    const { gateway } = await withReader();
    expect(await gateway.call('GET', `${PATH}&refresh_token=true`)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('refreshes an expired token first', async () => {
    const { gateway, key } = await withReader();
    gateway.clock.advanceSec(3601);
    gateway.refreshing.outcome = (connection) => ({
      kind: 'fresh',
      connection: { ...connection, accessTokenExpiresAtEpochSec: gateway.clock.nowEpochSec() + 3600 },
      accessToken: 'new',
    });
    const reply = await gateway.call('GET', PATH, { key });
    expect(gateway.refreshes).toEqual([{ force: false }]);
    expect(textAt(reply.body, 'credentials', 'expires_at')).toBe('2026-03-01T14:00:01.000Z');
  });

  it.each([
    ['a dead grant', { kind: 'dead', death: DEATH } as const, 424, 'reauthorization_required'],
    [
      'a refused OAuth client',
      { kind: 'client_fault', error: 'invalid_client', retryAfterSec: 60 } as const,
      424,
      'integration_credentials_rejected',
    ],
    [
      'a provider that is down',
      { kind: 'transient', reason: 'http_503', retryAfterSec: 20 } as const,
      503,
      'token_refresh_unavailable',
    ],
    ['a deletion meanwhile', { kind: 'gone' } as const, 404, 'unknown_connection'],
  ])('says so when the refresh meets %s', async (_, outcome, status, code) => {
    const { gateway, key } = await withReader();
    gateway.clock.advanceSec(3601);
    gateway.refreshing.outcome = (connection) => (outcome.kind === 'dead' ? { ...outcome, connection } : outcome);
    const reply = await gateway.call('GET', PATH, { key });
    expect(reply).toMatchObject({ status, body: { error: { code } } });
    expect(gateway.events.all).toEqual([]);
  });
});
