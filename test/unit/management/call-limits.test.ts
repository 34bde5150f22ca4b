import { describe, expect, it } from 'vitest';
import { KEY_CACHE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { FULL_KEY, managementGateway, secretKey, textAt } from './support/gateway.ts';

describe('calls of the management API (DS-2)', () => {
  it('are limited per key, and the answer says which limit it is and how to raise it', async () => {
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

  it('with wrong keys are refused with one answer once their address has sent too many', async () => {
    const gateway = managementGateway({ callLimits: { perAddress: 2 } });
    const wrong = [secretKey('unknown'), 'sk_default_short', secretKey('another'), 'x', undefined];
    const replies = [];
    for (const key of wrong) replies.push(await gateway.call('GET', '/integrations', { key }));
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 429, 429, 429]);
    expect(new Set(replies.slice(2).map(({ body }) => JSON.stringify(body))).size).toBe(1);
    gateway.clock.advanceSec(60);
    expect((await gateway.call('GET', '/integrations', { key: secretKey('unknown') })).status).toBe(401);
  });

  it('AK-15: with a right key that was never seen before work from an address whose wrong keys are refused', async () => {
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
