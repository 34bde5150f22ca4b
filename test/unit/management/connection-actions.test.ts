import { describe, expect, it } from 'vitest';
import { type ManagementGateway, managementGateway, member, textAt } from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const QUERY = '?provider_config_key=drive';

async function withConnection(fields: object = {}): Promise<ManagementGateway> {
  const gateway = managementGateway();
  gateway.addIntegration();
  await gateway.addConnection(fields);
  return gateway;
}

const googleError = (status: number, reason: string) => ({
  status,
  body: { error: { code: status, errors: [{ reason }] } },
});

describe('refreshing now', () => {
  it('forces one refresh and shows the connection', async () => {
    const gateway = await withConnection();
    const reply = await gateway.call('POST', `/connections/first/refresh${QUERY}`);
    expect(reply).toMatchObject({ status: 200, body: { connection_id: 'first', status: 'active', credentials: {} } });
    expect(gateway.refreshes).toEqual([{ force: true }]);
  });

  it('answers a dead grant with its cause', async () => {
    const gateway = await withConnection();
    gateway.refreshing.outcome = (connection) => ({ kind: 'dead', connection, death: DEATH });
    const reply = await gateway.call('POST', `/connections/first/refresh${QUERY}`);
    expect(reply).toMatchObject({
      status: 424,
      body: { error: { code: 'reauthorization_required', connection: { cause: 'user_revoked' } } },
    });
  });
});

describe('checking a connection', () => {
  const check = (gateway: ManagementGateway) => gateway.call('POST', `/connections/first/check${QUERY}`);

  it('makes one harmless call as the user', async () => {
    const gateway = await withConnection();
    gateway.provider.answers.push({ status: 200, body: {} });
    expect(await check(gateway)).toMatchObject({
      status: 200,
      body: { data: { works: true, reason: 'ok', upstream_status: 200 } },
    });
    expect(gateway.provider.requests).toMatchObject([
      {
        origin: 'https://api.provider.example',
        method: 'GET',
        path: '/drive/v3/about?fields=user',
        headers: expect.arrayContaining([['authorization', 'Bearer access-of-first']]),
      },
    ]);
  });

  it.each([
    ['rate limit', googleError(403, 'userRateLimitExceeded'), true, 'rate_limited'],
    [
      'scopes that do not cover the call',
      googleError(403, 'insufficientPermissions'),
      true,
      'scopes_do_not_cover_check',
    ],
    ['an API that is switched off', googleError(403, 'accessNotConfigured'), false, 'api_not_enabled'],
    ['an administrator', googleError(403, 'domainPolicy'), false, 'blocked_by_admin'],
    ['an account without a calendar', googleError(403, 'notACalendarUser'), false, 'service_not_used'],
    ['another refusal', googleError(403, 'storageQuotaExceeded'), false, 'refused'],
    ['a failing provider', { status: 500, body: {} }, false, 'provider_unavailable'],
    ['no answer', 'unreachable', false, 'provider_unavailable'],
  ] as const)('tells %s apart', async (_, answer, works, reason) => {
    const gateway = await withConnection();
    gateway.provider.answers.push(answer);
    expect(member((await check(gateway)).body, 'data')).toMatchObject({ works, reason });
  });

  it('says that an account without Google Calendar is its user’s or its administrator’s move', async () => {
    const gateway = await withConnection();
    gateway.provider.answers.push(googleError(403, 'notACalendarUser'));
    expect(member((await check(gateway)).body, 'data')).toMatchObject({
      who: 'end_user',
      remedy: expect.stringMatching(/open calendar\.google\.com.*administrator/s),
    });
  });

  it('refreshes a refused token once and tries again', async () => {
    const gateway = await withConnection();
    gateway.provider.answers.push({ status: 401, body: {} }, { status: 200, body: {} });
    expect(member((await check(gateway)).body, 'data', 'works')).toBe(true);
    expect(gateway.refreshes).toEqual([{ force: true }]);
  });

  it('says that the token stays refused', async () => {
    const gateway = await withConnection();
    gateway.provider.answers.push({ status: 401, body: {} }, { status: 401, body: {} });
    expect(member((await check(gateway)).body, 'data')).toMatchObject({
      works: false,
      reason: 'token_refused',
      upstream_status: 401,
    });
  });

  it('makes no call for a dead grant and says whose move it is', async () => {
    const gateway = await withConnection({ status: 'reauthorization_required', death: DEATH });
    expect(member((await check(gateway)).body, 'data')).toMatchObject({
      works: false,
      reason: 'reauthorization_required',
      who: 'end_user',
      connection: { cause: 'user_revoked' },
    });
    expect(gateway.provider.requests).toEqual([]);
  });

  it('tells a refused OAuth client from a dead grant', async () => {
    const gateway = await withConnection();
    gateway.clock.advanceSec(3601);
    gateway.refreshing.outcome = () => ({ kind: 'client_fault', error: 'invalid_client', retryAfterSec: 60 });
    expect(member((await check(gateway)).body, 'data')).toMatchObject({
      works: false,
      reason: 'integration_credentials_rejected',
      who: 'developer',
    });
  });
});

describe('the timeline of a connection', () => {
  it('shows what happened, newest first, in pages', async () => {
    const gateway = await withConnection();
    for (const plan of ['a', 'b', 'c']) {
      await gateway.call('PATCH', `/connections/first${QUERY}`, { body: { tags: { plan } } });
      gateway.clock.advanceSec(1);
    }
    const first = await gateway.call('GET', `/connections/first/events${QUERY}&limit=2`);
    expect(member(first.body, 'events')).toMatchObject([
      { type: 'ConnectionUpdated', sequence: 4, actor: expect.stringMatching(/^key:/), request_id: 'request-1' },
      { sequence: 3 },
    ]);
    const before = textAt(first.body, 'next_before');
    const second = await gateway.call('GET', `/connections/first/events${QUERY}&limit=2&before=${before}`);
    expect(second.body).toMatchObject({ events: [{ sequence: 2 }], next_before: null });
  });

  it('outlives the connection', async () => {
    const gateway = await withConnection();
    await gateway.call('DELETE', `/connections/first${QUERY}`);
    expect((await gateway.call('GET', `/connections/first/events${QUERY}`)).body).toMatchObject({
      events: [{ type: 'ConnectionDeleted' }],
    });
  });

  it('does not exist for a connection that never was', async () => {
    const gateway = await withConnection();
    expect((await gateway.call('GET', `/connections/never/events${QUERY}`)).status).toBe(404);
  });

  it('refuses a position that is no event id', async () => {
    const gateway = await withConnection();
    expect((await gateway.call('GET', `/connections/first/events${QUERY}&before=EVENT%23x`)).status).toBe(400);
  });
});
