import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { managementGateway, secretKey } from './support/gateway.ts';

const protectedRoutes = ROUTES.filter(({ access }) => access.right !== 'anyone');

describe('who may call a route', () => {
  it('opens nothing but the health check and its own description to everyone', () => {
    const open = ROUTES.filter(({ access }) => access.right === 'anyone').map(({ pattern }) => pattern);
    expect(open).toEqual(['/healthz', '/openapi.json', '/docs', '/docs/reference.js']);
  });

  it('lets no secret key of the right read change anything', () => {
    for (const route of protectedRoutes) {
      const ofAccount = /^\/(account|test-credentials|webhooks)\b/.test(route.pattern);
      expect(route.access.right).toBe(route.method === 'GET' && !ofAccount ? 'read' : 'full');
    }
  });

  it('refuses two Authorization headers', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('GET', '/integrations', { headers: [['authorization', 'Bearer x']] });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_headers' });
  });

  it('remembers a key for a minute and no longer (AK-4)', async () => {
    const gateway = managementGateway();
    const key = gateway.addKey(secretKey('soon gone'));
    expect((await gateway.call('GET', '/providers', { key })).status).toBe(200);
    gateway.keys.clear();
    gateway.clock.advanceSec(59);
    expect((await gateway.call('GET', '/providers', { key })).status).toBe(200);
    gateway.clock.advanceSec(2);
    expect((await gateway.call('GET', '/providers', { key })).status).toBe(401);
  });

  it('writes nothing for a wrong key', async () => {
    const gateway = managementGateway();
    await gateway.call('GET', '/providers', { key: secretKey('unknown') });
    expect(gateway.events.all).toEqual([]);
  });
});
