import { describe, expect, it } from 'vitest';
import { connectedGateway, type ManagementGateway, member, textAt } from './support/gateway.ts';
import { DEATH } from './support/rows.ts';

const QUERY = '?provider_config_key=drive';

const googleError = (status: number, reason: string) => ({
  status,
  body: { error: { code: status, errors: [{ reason }] } },
});

describe('refreshing now', () => {
  it('forces one refresh and shows the connection', async () => {
    const gateway = await connectedGateway();
    const reply = await gateway.call('POST', `/connections/first/refresh${QUERY}`);
    expect(reply).toMatchObject({ status: 200, body: { connection_id: 'first', status: 'active', credentials: {} } });
    expect(gateway.refreshes).toEqual([{ force: true }]);
  });

  it('answers a dead grant with its cause', async () => {
    const gateway = await connectedGateway();
    gateway.refreshing.outcome = (connection) => ({ kind: 'dead', connection, death: DEATH });
    const { status, body } = await gateway.call('POST', `/connections/first/refresh${QUERY}`);
    const error = { code: 'reauthorization_required', connection: { cause: 'user_revoked' } };
    expect([status, body]).toMatchObject([424, { error }]);
  });
});

describe('checking a connection', () => {
  const check = (gateway: ManagementGateway) => gateway.call('POST', `/connections/first/check${QUERY}`);

  it('makes one harmless call as the user', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push({ status: 200, body: {} });
    expect((await check(gateway)).body).toMatchObject({ data: { works: true, reason: 'ok', upstream_status: 200 } });
    const headers = expect.arrayContaining([['authorization', 'Bearer access-of-first']]);
    const call = { origin: 'https://api.provider.example', method: 'GET', path: '/drive/v3/about?fields=user' };
    expect(gateway.provider.requests).toMatchObject([{ ...call, headers }]);
  });

  it.each([
    ['rate limit', googleError(403, 'userRateLimitExceeded'), true, 'rate_limited'],
    ['scopes that are too few', googleError(403, 'insufficientPermissions'), true, 'scopes_do_not_cover_check'],
    ['an API that is switched off', googleError(403, 'accessNotConfigured'), false, 'api_not_enabled'],
    ['an administrator', googleError(403, 'domainPolicy'), false, 'blocked_by_admin'],
    ['an account without a calendar', googleError(403, 'notACalendarUser'), false, 'service_not_used'],
    ['another refusal', googleError(403, 'storageQuotaExceeded'), false, 'refused'],
    ['a failing provider', { status: 500, body: {} }, false, 'provider_unavailable'],
    ['no answer', 'unreachable', false, 'provider_unavailable'],
  ] as const)('distinguishes %s', async (_, answer, works, reason) => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push(answer);
    expect(member((await check(gateway)).body, 'data')).toMatchObject({ works, reason });
  });

  it('says that an account without Google Calendar is its user’s or its administrator’s move', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push(googleError(403, 'notACalendarUser'));
    expect(member((await check(gateway)).body, 'data')).toMatchObject({
      who: 'end_user',
      remedy: expect.stringMatching(/open calendar\.google\.com.*administrator/s),
    });
  });

  it.each([
    ['works', 200, { works: true, reason: 'ok' }],
    ['stays refused', 401, { works: false, reason: 'token_refused', upstream_status: 401 }],
  ])('refreshes a refused token once and says that the new one %s', async (_, status, data) => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push({ status: 401, body: {} }, { status, body: {} });
    expect((await check(gateway)).body).toMatchObject({ data });
    expect(gateway.refreshes).toEqual([{ force: true }]);
  });

  it('makes no call for a dead grant and says whose move it is', async () => {
    const gateway = await connectedGateway({ status: 'reauthorization_required', death: DEATH });
    const data = { works: false, reason: 'reauthorization_required', who: 'end_user' };
    expect((await check(gateway)).body).toMatchObject({ data: { ...data, connection: { cause: 'user_revoked' } } });
    expect(gateway.provider.requests).toEqual([]);
  });

  it('distinguishes a refused OAuth client from a dead grant', async () => {
    const gateway = await connectedGateway();
    gateway.clock.advanceSec(3601);
    gateway.refreshing.outcome = () => ({ kind: 'client_fault', error: 'invalid_client', retryAfterSec: 60 });
    const data = { works: false, reason: 'integration_credentials_rejected', who: 'developer' };
    expect((await check(gateway)).body).toMatchObject({ data });
  });
});

describe('the timeline of a connection', () => {
  it('shows what happened, newest first, in pages', async () => {
    const gateway = await connectedGateway();
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
    const gateway = await connectedGateway();
    await gateway.call('DELETE', `/connections/first${QUERY}`);
    const { body } = await gateway.call('GET', `/connections/first/events${QUERY}`);
    expect(body).toMatchObject({ events: [{ type: 'ConnectionDeleted' }] });
  });

  it('the timeline of a connection does not exist for a connection that never was, nor before a position that is no event id', async () => {
    const gateway = await connectedGateway();
    expect((await gateway.call('GET', `/connections/never/events${QUERY}`)).status).toBe(404);
    expect((await gateway.call('GET', `/connections/first/events${QUERY}&before=EVENT%23x`)).status).toBe(400);
  });
});
