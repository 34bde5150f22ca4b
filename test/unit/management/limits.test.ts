import { describe, expect, it } from 'vitest';
import { CONNECT_SESSIONS_PER_MINUTE, KEY_CACHE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { ACCOUNT, FULL_KEY, managementGateway, secretKey, textAt } from './support/gateway.ts';

const body = { end_user: { id: 'u' } };

describe('calls of the management API (DS-2)', () => {
  it('calls of the management API are limited per key, and the answer says which limit it is and how to raise it', async () => {
    const gateway = managementGateway({ callLimits: { perKey: 2 } });
    const other = gateway.addKey(secretKey('other'));
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await gateway.call('GET', '/integrations')).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await gateway.call('GET', '/integrations');
    expect(refused.headers['x-gateway-error']).toBe('rate_limited');
    expect(textAt(refused.body, 'error', 'message')).toMatch(/secret key .* 2 calls .*gateway:callsPerMinutePerKey/);
    expect((await gateway.call('GET', '/integrations', { key: other })).status).toBe(200);
  });

  it('calls of the management API with wrong keys are refused with one answer once their address has sent too many', async () => {
    const gateway = managementGateway({ callLimits: { perAddress: 2 } });
    const wrong = [secretKey('unknown'), 'sk_default_short', secretKey('another'), 'x', undefined];
    const replies = [];
    for (const key of wrong) replies.push(await gateway.call('GET', '/integrations', { key }));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 429, 429, 429]);
    expect(new Set(replies.slice(2).map(({ body }) => JSON.stringify(body))).size).toBe(1);
    gateway.clock.advanceSec(60);
    expect((await gateway.call('GET', '/integrations', { key: secretKey('unknown') })).status).toBe(401);
  });

  it('AK-15: calls of the management API with a right key that was never seen before work from an address whose wrong keys are refused', async () => {
    const gateway = managementGateway({ callLimits: { perAddress: 1 } });
    for (let i = 0; i < 3; i++) await gateway.call('GET', '/integrations', { key: secretKey('unknown') });
    expect((await gateway.call('GET', '/integrations', { key: secretKey('unknown') })).status).toBe(429);
    expect((await gateway.call('GET', '/integrations', { key: FULL_KEY })).status).toBe(200);
    gateway.clock.advanceSec(KEY_CACHE_MS / 1000 - 1);
    await gateway.call('GET', '/integrations', { key: secretKey('unknown') });
    gateway.clock.advanceSec(1);
    expect((await gateway.call('GET', '/integrations', { key: FULL_KEY })).status).toBe(200);
  });
});

describe('the limit of connect sessions', () => {
  const spent = async () => {
    const gateway = managementGateway();
    const nowEpochSec = gateway.clock.nowEpochSec();
    for (let i = 0; i < CONNECT_SESSIONS_PER_MINUTE - 1; i++) {
      await gateway.services.rates.count(ACCOUNT, 'connect_sessions', CONNECT_SESSIONS_PER_MINUTE, nowEpochSec);
    }
    return gateway;
  };

  it('lets the last one of a minute through and refuses the next, saying when to continue', async () => {
    const gateway = await spent();
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(201);
    const refused = await gateway.call('POST', '/connect/sessions', { body });
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    const waitSec = Number(refused.headers['retry-after']);
    expect(waitSec).toBeGreaterThan(0);
    expect(waitSec).toBeLessThanOrEqual(60);
    expect(gateway.sessions.size).toBe(1);
    gateway.clock.advanceSec(waitSec);
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(201);
  });

  it('counts no request that is refused for what it holds', async () => {
    const gateway = await spent();
    const wrong = { ...body, allowed_integrations: ['none'] };
    expect((await gateway.call('POST', '/connect/sessions', { body: wrong })).status).toBe(400);
    expect((await gateway.call('POST', '/connect/sessions', { body })).status).toBe(201);
  });

  it('the limit of connect sessions is each account’s own', async () => {
    const gateway = await spent();
    await gateway.call('POST', '/connect/sessions', { body });
    const key = gateway.addKey(secretKey('full', 'other'));
    expect((await gateway.call('POST', '/connect/sessions', { body, key })).status).toBe(201);
  });
});

describe('a connect session', () => {
  it('leaves an event that names who made it, and neither token nor link', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('POST', '/connect/sessions', { body });
    expect(gateway.events.all).toMatchObject([
      {
        eventType: 'ConnectSessionCreated',
        subject: { accountId: 'default' },
        endUserId: 'u',
        actor: expect.stringMatching(/^key:/),
        cause: expect.stringMatching(/^session:[0-9a-f]{12}$/),
      },
    ]);
    expect(JSON.stringify(gateway.events.all)).not.toContain(textAt(reply.body, 'data', 'token').slice(3));
  });
});

describe('RateLimit and RateLimit-Policy', () => {
  it('RateLimit and RateLimit-Policy say on every answer what is left of the key’s limit, and count down with it', async () => {
    const gateway = managementGateway({ callLimits: { perKey: 3 } });
    const left = [];
    for (const path of [
      '/integrations',
      '/connections/none?provider_config_key=none',
      '/nothing-here/at-all/there',
      '/sync/x',
    ]) {
      const { status, headers } = await gateway.call('GET', path);
      left.push([status, headers['ratelimit-policy'], headers.ratelimit]);
    }
    const policy = '"key";q=3;w=60';
    expect(left).toEqual([
      [200, policy, '"key";r=2;t=60'],
      [404, policy, '"key";r=1;t=60'],
      // Of a path that no route has nobody asks whose it is.
      [404, undefined, undefined],
      [404, policy, '"key";r=0;t=60'],
    ]);
    gateway.clock.advanceSec(20);
    const refused = await gateway.call('GET', '/integrations');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': policy, ratelimit: '"key";r=0;t=40', 'retry-after': '40' },
    });
    gateway.clock.advanceSec(40);
    expect((await gateway.call('GET', '/integrations')).headers.ratelimit).toBe('"key";r=2;t=60');
  });

  it('RateLimit and RateLimit-Policy name the limit that was reached where it is another one', async () => {
    const gateway = managementGateway({ callLimits: { perKey: 100, perAddress: 1 } });
    const nowEpochSec = gateway.clock.nowEpochSec();
    for (let i = 0; i < CONNECT_SESSIONS_PER_MINUTE; i++) {
      await gateway.services.rates.count(ACCOUNT, 'connect_sessions', CONNECT_SESSIONS_PER_MINUTE, nowEpochSec);
    }
    const sessions = await gateway.call('POST', '/connect/sessions', { body });
    expect(sessions.headers).toMatchObject({
      'ratelimit-policy': `"connect_sessions";q=${CONNECT_SESSIONS_PER_MINUTE};w=60`,
      ratelimit: '"connect_sessions";r=0;t=60',
    });
    const wrong = { key: secretKey('unknown') };
    expect((await gateway.call('GET', '/integrations', wrong)).headers.ratelimit).toBeUndefined();
    expect((await gateway.call('GET', '/integrations', wrong)).headers['ratelimit-policy']).toBe('"address";q=1;w=60');
  });

  it('RateLimit and RateLimit-Policy are absent where a deployment sets no limit', async () => {
    const { headers } = await managementGateway().call('GET', '/integrations');
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });
});
