import { describe, expect, it } from 'vitest';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { connectionRefKey } from '../../../lambdas/gateway/core/identifiers.ts';
import { answered, connectedGateway, integratedGateway, type ManagementGateway, member } from './support/gateway.ts';

const KEY = connectionRefKey({ accountId: 'default', integrationId: 'drive', connectionId: 'first' });
const DRIVE_FILE = 'https://www.googleapis.com/auth/drive.file';

describe('importing a connection', () => {
  const CREDENTIALS = { type: 'OAUTH2', refresh_token: 'moved-refresh' };
  const body = (more: object = {}) => ({
    provider_config_key: 'drive',
    connection_id: 'moved',
    credentials: { ...CREDENTIALS, access_token: 'old-access', expires_at: '2026-03-01T13:00:00Z' },
    ...more,
  });
  const bring = (gateway: ManagementGateway, more: object = {}) =>
    gateway.call('POST', '/connections', { body: body(more) });
  const tokens = (scope: string) =>
    answered(200, { access_token: 'proven-access', token_type: 'Bearer', expires_in: 3599, scope });
  const ready = (): ManagementGateway => {
    const gateway = integratedGateway();
    gateway.tokenAnswers.refresh = tokens(`openid ${DRIVE_FILE}`);
    gateway.provider.answers.push({ status: 200, body: { sub: '42', email: 'second.user@example.com' } });
    return gateway;
  };

  it('proves the refresh token, asks whose it is and stores what it grants', async () => {
    const gateway = ready();
    const given = { metadata: { a: [1] }, end_user: { id: 'u-9' } };
    const reply = await bring(gateway, { ...given, tags: { Plan: 'pro' }, consented_at: '2026-02-20T00:00:00Z' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      ...given,
      connection_id: 'moved',
      status: 'active',
      credentials: {},
      granted_scopes: ['openid', DRIVE_FILE],
      provider_account: { subject: '42', email: 'second.user@example.com' },
      tags: { plan: 'pro', end_user_id: 'u-9' },
      consented_at: '2026-02-20T00:00:00.000Z',
    });
    expect(gateway.tokenCalls).toEqual([{ kind: 'refresh', token: 'moved-refresh' }]);
    const headers = expect.arrayContaining([['authorization', 'Bearer proven-access']]);
    const origin = 'https://userinfo.provider.example';
    expect(gateway.provider.requests).toMatchObject([{ origin, path: '/v1/userinfo', headers }]);
    expect(gateway.events.all).toMatchObject([{ eventType: 'ConnectionCreated', cause: 'imported', sequence: 1 }]);
    expect(JSON.stringify([...gateway.connections])).not.toMatch(/old-access|"moved-refresh"/);
  });

  it('makes an id where none is given', async () => {
    const { body } = await bring(ready(), { connection_id: undefined });
    expect(member(body, 'connection_id')).toMatch(/^[A-Za-z0-9_-]{24}$/);
  });

  it('goes without an account where no identity was granted', async () => {
    const gateway = integratedGateway();
    gateway.tokenAnswers.refresh = tokens(DRIVE_FILE);
    const reply = await bring(gateway);
    expect(reply).toMatchObject({ status: 201, body: { provider_account: null } });
  });

  it.each([
    ['a token that has ended', answered(400, { error: 'invalid_grant' }), 400, 'invalid_body'],
    ['an account that is restricted', answered(400, { error: 'access_denied' }), 400, 'invalid_body'],
    ['an answer of no list', answered(400, { error: 'something_new' }), 400, 'invalid_body'],
    ['a refused OAuth client', answered(401, { error: 'disabled_client' }), 424, 'integration_credentials_rejected'],
    ['a provider that is down', answered(503, {}), 503, 'token_refresh_unavailable'],
    ['a token that signs in only', tokens('openid email'), 400, 'invalid_body'],
  ])('stores nothing for %s', async (_, result, status, code) => {
    const gateway = ready();
    gateway.tokenAnswers.refresh = result;
    const reply = await bring(gateway);
    expect(reply).toMatchObject({ status, body: { error: { code } } });
    expect(gateway.connections.size).toBe(0);
  });

  it('says that a token belongs to another OAuth client', async () => {
    const gateway = ready();
    gateway.tokenAnswers.refresh = answered(401, { error: 'unauthorized_client', error_description: 'Unauthorized' });
    const reply = await bring(gateway);
    expect(reply).toMatchObject({ status: 400, code: 'invalid_body' });
    expect(member(reply.body, 'error', 'message')).toContain('this token belongs to another OAuth client');
    expect(gateway.connections.size).toBe(0);
  });

  it('refuses an id that is in use before any call', async () => {
    const gateway = ready();
    await gateway.addConnection({ connectionId: 'moved' });
    expect((await bring(gateway)).status).toBe(409);
    expect(gateway.tokenCalls).toEqual([]);
  });

  it('takes the place of a deleted connection, above its epoch', async () => {
    const gateway = ready();
    await gateway.addConnection({ connectionId: 'moved', status: 'deleted', epoch: 7, sequence: 4 });
    expect((await bring(gateway)).status).toBe(201);
    expect([...gateway.connections.values()]).toMatchObject([
      { epoch: 8, tokenEpoch: 8, sequence: 5, status: 'active' },
    ]);
  });

  it.each([
    ['of seconds taken for milliseconds', '1970-01-21T13:00:00Z'],
    ['before 2004', '2003-12-31T23:59:59Z'],
    ['of tomorrow', '2026-03-02T12:00:00Z'],
    ['beyond a minute of slack', '2026-03-01T12:01:01Z'],
  ])('TK-15: refuses a consent %s before any call', async (_, consented_at) => {
    const gateway = ready();
    const reply = await bring(gateway, { consented_at });
    expect(reply).toMatchObject({ status: 400, paths: ['consented_at'] });
    expect(gateway.tokenCalls).toEqual([]);
  });

  it.each(['2004-01-01T00:00:00Z', '2026-03-01T12:00:00Z', '2026-03-01T12:01:00Z'])(
    'TK-15: takes a consent of %s, and stores none that is still to come',
    async (consented_at) => {
      const gateway = ready();
      expect((await bring(gateway, { consented_at })).status).toBe(201);
      const [stored] = gateway.connections.values();
      expect(stored?.consentedAtEpochSec).toBeLessThanOrEqual(gateway.clock.nowEpochSec());
    },
  );

  it.each(['1970-01-21T13:00:00Z', '2026-03-03T13:00:00Z'])(
    'TK-15: refuses an access token that ends at %s',
    async (expires_at) => {
      const reply = await bring(ready(), { credentials: { ...CREDENTIALS, expires_at } });
      expect(reply).toMatchObject({ status: 400, paths: ['credentials.expires_at'] });
    },
  );

  it('TK-15: an import never stands in the way of a revocation asked for afterwards', async () => {
    const gateway = ready();
    await gateway.addConnection({ providerAccount: { subject: '42', email: null } });
    const soon = new Date(gateway.clock.nowMs() + 60_000).toISOString();
    await bring(gateway, { consented_at: soon });
    const removed = await gateway.call('DELETE', '/connections/first?provider_config_key=drive&revoke=force');
    expect(member(removed.body, 'revocation', 'status')).toBe('revoked');
    expect(gateway.tokenCalls.at(-1)).toEqual({ kind: 'revoke', token: 'refresh-of-first' });
  });

  it('needs a refresh token', async () => {
    const reply = await bring(ready(), { credentials: { type: 'OAUTH2', access_token: 'a' } });
    expect(reply).toMatchObject({ status: 400, paths: ['credentials.refresh_token'] });
  });
});

describe('changing the end user of a connection', () => {
  const change = (gateway: ManagementGateway, body: object) =>
    gateway.call('PATCH', '/connections/first?provider_config_key=drive', { body });

  it('replaces end user and tags and keeps the mirrored tags right', async () => {
    const mirrored = { end_user_id: 'user-1', end_user_email: 'first.user@example.com' };
    const gateway = await connectedGateway({ tags: { plan: 'pro', ...mirrored } });
    const reply = await change(gateway, { end_user: { id: 'user-2' }, webhook_url_override: null });
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.connections.get(KEY)).toMatchObject({
      endUser: { id: 'user-2', email: null },
      tags: { plan: 'pro', end_user_id: 'user-2' },
    });
    expect(gateway.connections.get(KEY)?.tags).not.toHaveProperty('end_user_email');
    await change(gateway, { tags: { Plan: 'free' } });
    expect(gateway.connections.get(KEY)?.tags).toEqual({ plan: 'free', end_user_id: 'user-2' });
    expect(gateway.events.all.map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  it('reads again when somebody else was faster, so that nothing is lost', async () => {
    const gateway = await connectedGateway();
    gateway.memory.beforeWrite = () => {
      const row = gateway.connections.get(KEY);
      if (row !== undefined) gateway.memory.put(connectionToItem({ ...row, sequence: 9, metadata: { theirs: true } }));
    };
    expect((await change(gateway, { tags: { a: 'b' } })).status).toBe(200);
    expect(gateway.connections.get(KEY)).toMatchObject({ sequence: 10, metadata: { theirs: true }, tags: { a: 'b' } });
  });
});

describe('metadata', () => {
  const send = (gateway: ManagementGateway, method: string, body: object) =>
    gateway.call(method, '/connections/metadata', { body: { provider_config_key: 'drive', ...body } });
  const ready = () => connectedGateway({ metadata: { a: 1, b: { c: 2 } } });

  it('metadata is replaced by POST and merged by PATCH, with an echo', async () => {
    const gateway = await ready();
    const patched = await send(gateway, 'PATCH', { connection_id: 'first', metadata: { b: 'x', d: null } });
    const echo = { connection_id: 'first', provider_config_key: 'drive', metadata: { b: 'x', d: null } };
    expect(patched).toMatchObject({ status: 200, body: echo });
    expect(gateway.connections.get(KEY)?.metadata).toEqual({ a: 1, b: 'x', d: null });
    expect((await send(gateway, 'POST', { connection_id: 'first', metadata: { e: 5 } })).status).toBe(201);
    expect(gateway.connections.get(KEY)?.metadata).toEqual({ e: 5 });
  });

  it('changes several connections, or none when one is unknown', async () => {
    const gateway = await ready();
    await gateway.addConnection({ connectionId: 'second' });
    const missing = await send(gateway, 'POST', { connection_id: ['first', 'nope'], metadata: { z: 1 } });
    expect(missing).toMatchObject({ status: 404, code: 'unknown_connection' });
    expect(gateway.connections.get(KEY)?.metadata).toEqual({ a: 1, b: { c: 2 } });
    const both = await send(gateway, 'POST', { connection_id: ['first', 'second'], metadata: { z: 1 } });
    expect(both).toMatchObject({ status: 201, body: { connection_id: ['first', 'second'] } });
    expect([...gateway.connections.values()].map(({ metadata }) => metadata)).toEqual([{ z: 1 }, { z: 1 }]);
  });

  it.each([
    ['a list', []],
    ['too large', { a: 'x'.repeat(33_000) }],
    ['a name that is empty', { a: [{ '': 1 }] }],
  ])('refuses what is %s', async (_, metadata) => {
    const gateway = await ready();
    expect((await send(gateway, 'POST', { connection_id: 'first', metadata })).status).toBe(400);
  });

  it('refuses a merge that grows too large', async () => {
    const gateway = await ready();
    await send(gateway, 'POST', { connection_id: 'first', metadata: { a: 'x'.repeat(20_000) } });
    const reply = await send(gateway, 'PATCH', { connection_id: 'first', metadata: { b: 'x'.repeat(20_000) } });
    expect(reply).toMatchObject({ status: 400, paths: ['metadata'] });
  });
});
