import { describe, expect, it } from 'vitest';
import { connectedGateway, FULL_KEY, type ManagementGateway, member, textAt } from './support/gateway.ts';
import { OPERATOR_SUBJECT, operatorGateway } from './support/operator.ts';
import { DEATH } from './support/rows.ts';

const TARGET = '/connections/first/try?provider_config_key=drive';

const attempt = (gateway: ManagementGateway, path: string) => gateway.call('POST', TARGET, { body: { path } });

describe('trying a call', () => {
  it('makes one GET as the user and shows what came back', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push({ status: 200, body: { files: [] } });
    const reply = await attempt(gateway, '/drive/v3/files?pageSize=3&q=name+contains+%27a%27&q=');
    const shown = { status: 200, body: '{"files":[]}', truncated: false, duration_ms: 0 };
    expect(reply).toMatchObject({ status: 200, body: { data: shown } });
    const path = "/drive/v3/files?pageSize=3&q=name%20contains%20'a'&q=";
    const origin = 'https://api.provider.example';
    expect(gateway.provider.requests).toMatchObject([{ origin, method: 'GET', path, body: undefined }]);
    expect(gateway.provider.requests[0]?.headers).toEqual([
      ['accept', 'application/json, */*;q=0.5'],
      ['accept-encoding', 'identity'],
      ['via', '1.1 integration-gateway'],
      ['authorization', 'Bearer access-of-first'],
    ]);
  });

  it('trying a call is in the audit trail with who did it, and does not happen when it cannot be', async () => {
    const { gateway, send } = operatorGateway();
    gateway.addIntegration();
    await gateway.addConnection();
    gateway.provider.answers.push({ status: 200, body: {} });
    await send('POST', TARGET, { body: { path: '/drive/v3/about?fields=user' } });
    expect(gateway.events.all).toMatchObject([
      { eventType: 'ConnectionTried', actor: `operator:${OPERATOR_SUBJECT}`, subject: { connectionId: 'first' } },
    ]);
    gateway.events.failing = true;
    expect((await send('POST', TARGET, { body: { path: '/drive/v3/about?fields=user' } })).status).toBe(500);
    expect(gateway.provider.requests).toHaveLength(1);
  });

  it('shows a refusal of the provider as its answer', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push({ status: 403, body: { error: 'no' } });
    const { body } = await attempt(gateway, '/drive/v3/files');
    expect(body).toMatchObject({ data: { status: 403, body: '{"error":"no"}' } });
  });

  it.each([
    ['/calendar/v3/calendars', 403, 'path_not_allowed'],
    ['//evil.example/drive/v3/files', 400, 'invalid_path'],
    ['/@evil.example/drive/v3/files', 400, 'invalid_path'],
    ['/drive/v3/../../admin', 400, 'invalid_path'],
    ['/drive/v3/%2e%2e/%2e%2e/admin', 400, 'invalid_path'],
    ['/drive/v3/files\r\nx: y', 400, 'invalid_path'],
    ['/drive/v3/files#x', 400, 'invalid_path'],
    ['/drive/v3/files?access_token=x', 400, 'invalid_query_params'],
    ['/drive/v3/files?%61ccess_token=x', 400, 'invalid_query_params'],
    ['/drive/v3/files?callback=x', 400, 'invalid_query_params'],
    ['https://evil.example/', 400, 'invalid_body'],
    ['', 400, 'invalid_body'],
  ])('refuses %j under the proxy’s rules before anything is sent', async (path, status, code) => {
    const gateway = await connectedGateway();
    expect(await attempt(gateway, path)).toMatchObject({ status, body: { error: { code } } });
    expect(gateway.provider.requests).toEqual([]);
    expect(gateway.events.types()).toEqual([]);
  });

  it('refreshes once after a 401 and shows the second one', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push({ status: 401, body: {} }, { status: 401, body: {} });
    expect(member((await attempt(gateway, '/drive/v3/files')).body, 'data', 'status')).toBe(401);
    expect(gateway.refreshes).toEqual([{ force: true }]);
  });

  it('refreshes an expired token first', async () => {
    const gateway = await connectedGateway({ accessTokenExpiresAtEpochSec: 1 });
    gateway.provider.answers.push({ status: 200, body: {} });
    expect((await attempt(gateway, '/drive/v3/files')).status).toBe(200);
    expect(gateway.refreshes).toEqual([{ force: false }]);
  });

  it('answers a dead grant with its cause and asks nobody', async () => {
    const gateway = await connectedGateway({ status: 'reauthorization_required', death: DEATH });
    expect(await attempt(gateway, '/drive/v3/files')).toMatchObject({ status: 424, code: 'reauthorization_required' });
    expect([gateway.provider.requests, gateway.events.all]).toEqual([[], []]);
  });

  it('cuts a long answer at 256 KB without breaking a character', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push({ status: 200, body: 'é'.repeat(200_000) });
    const { body } = await attempt(gateway, '/drive/v3/files');
    expect(member(body, 'data', 'truncated')).toBe(true);
    const text = textAt(body, 'data', 'body');
    expect(Buffer.byteLength(text)).toBe(256 * 1024 - 1);
    expect(text).toMatch(/^"é+$/);
  });

  it('says that a provider cannot be reached', async () => {
    const gateway = await connectedGateway();
    gateway.provider.answers.push('unreachable');
    expect(await attempt(gateway, '/drive/v3/files')).toMatchObject({ status: 502, code: 'upstream_unreachable' });
  });

  it('serves a full key of the integration too, and no other', async () => {
    const gateway = await connectedGateway();
    gateway.addIntegration({ integrationId: 'other' });
    gateway.provider.answers.push({ status: 200, body: {} });
    const path = { body: { path: '/drive/v3/files' } };
    expect((await gateway.call('POST', TARGET, { ...path, key: FULL_KEY })).status).toBe(200);
    const limited = gateway.addKey(FULL_KEY.replace(/.$/, 'A'), { integrationIds: ['other'] });
    expect((await gateway.call('POST', TARGET, { ...path, key: limited })).status).toBe(403);
  });
});
